/* FNV-1a, 64 bit (Fowler, Noll, Vo), to detect changed data. Not for secrets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_BASIS UINT64_C(0xcbf29ce484222325)

/* Extends `hash` by `count` bytes; the first call takes HASH_BASIS. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}
