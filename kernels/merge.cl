/* Moves between the memory of merged worlds and the host's: dimension 1 counts moves (host/device/opencl/opencl_merge). */
#include "dialect.h"

enum { MOVE_FROM_HOST, MOVE_TO_HOST, MOVE_WITHIN, MOVE_CLEAR, MOVE_WORDS = 8 };

SHARED ulong move_number(global const uint *words) { return (ulong)words[1] << 32 | words[0]; }

/* The table has, from `first` on, the place of each move: its kind, whether it counts bytes or words, from, to and size. */
kernel void merge_moves(global uchar *memory, global const uint *table, global uchar *to_host, const uint first) {
    global const uint *row = table + table[first + (uint)get_group_id(1)];
    const uint kind = row[0], bytes = row[1];
    const ulong from = move_number(row + 2), to = move_number(row + 4), size = move_number(row + 6);
    global const uchar *source = kind == MOVE_FROM_HOST ? (global const uchar *)table + from : memory + from;
    global uchar *target = kind == MOVE_TO_HOST ? to_host + to : memory + to;
    if (bytes) {
        for (ulong i = get_global_id(0); i < size; i += get_global_size(0)) target[i] = kind == MOVE_CLEAR ? 0 : source[i];
        return;
    }
    for (ulong i = get_global_id(0); i < size / 4; i += get_global_size(0))
        ((global uint *)target)[i] = kind == MOVE_CLEAR ? 0u : ((global const uint *)source)[i];
}
