/* Tables of what an object of a scene may hold. One row says everything about a key: its type, its range, its
 * unit and where its value goes, so that reading, checking and error messages have one source. */
#ifndef SCREE_SCENE_FIELD_H
#define SCREE_SCENE_FIELD_H

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
    double low, high;         /* infinite: no limit but the type's */
    bool low_open, high_open; /* whether the limit itself is excluded */
} field_range;

/* Reads `node` into `target`; `context` is what fields_read was given. */
typedef scree_result field_reader(const scene_node *node, void *target, void *context);

typedef struct field {
    const char *key;
    field_type type;
    size_t offset;
    field_range range;
    const char *unit;         /* for messages; null: none */
    const char *(*name)(int); /* FIELD_ENUM: name of the i-th value, null past the last */
    field_reader *read;       /* FIELD_OBJECT */
    bool required;
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
/* Rows for a number or numbers. */
#define NUMBER(KEY, TYPE, OWNER, MEMBER, RANGE, UNIT)                                                        \
    { .key = (KEY), .type = (TYPE), .offset = offsetof(OWNER, MEMBER), .range = RANGE, .unit = (UNIT) }
#define REQUIRED_NUMBER(KEY, TYPE, OWNER, MEMBER, RANGE, UNIT)                                               \
    {                                                                                                        \
        .key = (KEY), .type = (TYPE), .offset = offsetof(OWNER, MEMBER), .range = RANGE, .unit = (UNIT),     \
        .required = true                                                                                     \
    }
#define FIELD_COUNT_OF(table) ((int)(sizeof(table) / sizeof *(table)))

/* Reads the object at `node` into the struct at `target` by `count` rows, in the order of the rows; keys that
 * the file leaves out keep what `target` holds. The key "description" (a string) is allowed in every object
 * and ignored. `seen` (may be null) gets bit i for row i. Refuses what is not an object, unknown keys (with a
 * suggestion), wrong types, values out of range. */
scree_result fields_read(const scene_node *node, const field *fields, int count, void *target, void *context,
                         uint64_t *seen);

/* Copies to `target` the values in which `now` differs from `before`; rows of numbers, choices and booleans
 * only. */
void fields_merge(const field *fields, int count, const void *before, const void *now, void *target);

/* Objects whose keys depend on their kind: kind_read finds it first, and the tables hold KIND_FIELD so that
 * it is known. */
scree_result kind_read(const scene_node *node, const char *(*name)(int), int *out);
field_reader kind_skip;
#define KIND_FIELD                                                                                           \
    { .key = "kind", .type = FIELD_OBJECT, .read = kind_skip }

/* Single values, for readers of their own. */
scree_result vector_read(const scene_node *node, field_range range, const char *unit, scree_vec3 *out);
scree_result number_read(const scene_node *node, field_range range, const char *unit, double *out);
scree_result int_read(const scene_node *node, field_range range, const char *unit, int *out);
scree_result enum_read(const scene_node *node, const char *(*name)(int), int *out);
/* Refuses anything but an array of at least `least` and at most `most` elements. */
scree_result array_check(const scene_node *node, size_t least, size_t most);

#endif
