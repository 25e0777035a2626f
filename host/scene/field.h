/* Tables of the keys of scene objects. One row holds everything about a key (type, range, unit and
 * destination), so that reading, checking and error messages have one source. */
#pragma once

#include <math.h>

#include "node.h"

typedef enum field_type {
    FIELD_FLOAT,  /* float */
    FIELD_DOUBLE, /* double */
    FIELD_INT,    /* int */
    FIELD_COUNT,  /* uint64_t */
    FIELD_BOOL,   /* bool */
    FIELD_ENUM,   /* int-sized enum, by `name` */
    FIELD_VEC3,   /* scree_vec3: three numbers, each in range */
    FIELD_TRIPLE, /* double[3]: three numbers, each in range */
    FIELD_EACH,   /* double[3]: three numbers, or one for all three */
    FIELD_PAIR,   /* double[2]: two numbers */
    FIELD_OBJECT  /* by `read` */
} field_type;

typedef struct field_range {
    double low, high;         /* infinite: only the type limits the value */
    bool low_open, high_open; /* whether the limit itself is excluded */
} field_range;

/* Reads `node` into `target`; `context` is the argument of fields_read. */
typedef scree_result field_reader(const scene_node *node, void *target, void *context);

typedef struct field {
    const char *key;
    field_type type;
    size_t offset;
    field_range range;
    const char *unit;         /* for messages; NULL: none */
    const char *(*name)(int); /* FIELD_ENUM: name of the i-th value, NULL past the last */
    field_reader *read;       /* FIELD_OBJECT */
    bool required;
    const char *help; /* one line without a full stop, for the schema and the pages; null: none */
} field;

#define ANY_NUMBER                                                                                           \
    { -INFINITY, INFINITY, false, false }
#define AT_LEAST(low)                                                                                        \
    { (low), INFINITY, false, false }
#define ABOVE(low)                                                                                           \
    { (low), INFINITY, true, false }
#define BETWEEN(low, high)                                                                                   \
    { (low), (high), false, false }
#define INSIDE(low, high)                                                                                    \
    { (low), (high), true, true }
/* Rows for one or more numbers. */
#define NUMBER(KEY, TYPE, OWNER, MEMBER, RANGE, UNIT)                                                        \
    { .key = (KEY), .type = (TYPE), .offset = offsetof(OWNER, MEMBER), .range = RANGE, .unit = (UNIT) }
#define REQUIRED_NUMBER(KEY, TYPE, OWNER, MEMBER, RANGE, UNIT)                                               \
    {                                                                                                        \
        .key = (KEY), .type = (TYPE), .offset = offsetof(OWNER, MEMBER), .range = RANGE, .unit = (UNIT),     \
        .required = true                                                                                     \
    }
#define FIELD_COUNT_OF(table) ((int)(sizeof(table) / sizeof *(table)))

/* Reads the object at `node` into the struct at `target` by `count` rows, in the order of the rows. Missing
 * keys leave `target` unchanged. The key "description" (a string) is allowed in every object and ignored.
 * `seen` (may be NULL) gets bit i for row i. Refuses non-objects, unknown keys (with a suggestion), wrong
 * types and values out of range. */
scree_result fields_read(const scene_node *node, const field *fields, int count, void *target, void *context,
                         uint64_t *seen);

/* Copies the values in which `now` differs from `before` to `target`; only for rows of numbers, enums and
 * booleans. */
void fields_merge(const field *fields, int count, const void *before, const void *now, void *target);

/* Reads the kind of an object whose keys depend on it. The tables of such objects contain KIND_FIELD, so that
 * fields_read accepts the key. */
scree_result kind_read(const scene_node *node, const char *(*name)(int), int *out);
field_reader kind_skip;
#define KIND_FIELD                                                                                           \
    { .key = "kind", .type = FIELD_OBJECT, .read = kind_skip }

/* Read single values, for custom readers. */
scree_result vector_read(const scene_node *node, field_range range, const char *unit, scree_vec3 *out);
scree_result number_read(const scene_node *node, field_range range, const char *unit, double *out);
scree_result int_read(const scene_node *node, field_range range, const char *unit, int *out);
scree_result enum_read(const scene_node *node, const char *(*name)(int), int *out);
/* Refuses anything but an array of `least` to `most` elements. */
scree_result array_check(const scene_node *node, size_t least, size_t most);
