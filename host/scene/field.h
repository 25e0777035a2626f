/* Tables of the keys of scene objects. One row holds everything about a key (type, range, unit, destination
 * and help), so that the reader, its messages, the JSON Schema and the tables of README.md have one source.
 */
#pragma once

#include <math.h>

#include "node.h"

typedef enum field_type {
    FIELD_FLOAT,   /* float */
    FIELD_DOUBLE,  /* double */
    FIELD_INT,     /* int */
    FIELD_COUNT,   /* uint64_t */
    FIELD_BOOL,    /* bool */
    FIELD_ENUM,    /* int-sized enum, by `name` */
    FIELD_VEC3,    /* scree_vec3: three numbers, each in range */
    FIELD_TRIPLE,  /* double[3]: three numbers, each in range */
    FIELD_EACH,    /* double[3]: three numbers, or one for all three */
    FIELD_PAIR,    /* double[2]: two numbers */
    FIELD_TEXT,    /* char[most + 1]: a string of `least` to `most` bytes */
    FIELD_NAMES,   /* uint32_t: an array of names, bit i for the i-th */
    FIELD_OBJECT,  /* by `object` */
    FIELD_LIST,    /* an array of objects: a pointer to them, and their number at `count_offset` */
    FIELD_VECTORS, /* an array of three numbers each: scree_vec3, as for a list */
    FIELD_WHOLES,  /* int[most]: an array of whole numbers */
    FIELD_MAP,     /* objects by name */
    FIELD_NUMBERS, /* an array of numbers */
    FIELD_TEXTS,   /* an array of strings */
    FIELD_HEIGHTS, /* an array of arrays of numbers, or a string */
    FIELD_HIDDEN   /* a key that exists only for its message */
} field_type;

typedef struct field_range {
    double low, high;         /* infinite: only the type limits the value */
    bool low_open, high_open; /* whether the limit itself is excluded */
} field_range;

/* Reads `node` into `target`. */
typedef scree_result field_reader(const scene_node *node, void *target);

typedef struct field {
    const char *key;
    field_type type;
    size_t offset;
    field_range range;        /* of each number */
    const char *unit;         /* null: none */
    const char *help;         /* one line without a full stop, for the schema and README.md */
    const char *default_text; /* the default in words, if it is not the value that `begin` sets */
    const char *(*name)(
        int); /* name of the i-th value, null past the last, "" for one that scenes cannot use */
    const struct scene_object *object;
    size_t count_offset;
    int least, most;    /* number of elements or bytes */
    field_reader *read; /* replaces the reader of the type; required from FIELD_MAP on */
    bool required;
} field;

typedef struct field_table {
    const field *fields;
    int count;
    const char *help; /* of a kind; null: none */
} field_table;

/* A JSON object: its keys and the struct that they are read into. */
typedef struct scene_object {
    const char *name; /* of its definition in the schema and of its table in README.md */
    field_table common;
    const char *(*kind)(int);              /* names of the kinds; null: the object has no key "kind" */
    const field_table *kinds;              /* keys of each kind besides `common` */
    size_t size;                           /* of the struct */
    void (*begin)(void *target, int kind); /* sets the defaults; null: they are set, or zero */
    field_reader *finish; /* called after the keys have been read; null: nothing is left to do */
    const field *other;   /* what may stand for the object; its reader gets all but objects; null: nothing */
} scene_object;

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

/* A row; further members follow the help. */
#define FIELD(TYPE, KEY, OWNER, MEMBER, HELP, ...)                                                           \
    { .type = FIELD_##TYPE, .key = (KEY), .offset = offsetof(OWNER, MEMBER), .help = (HELP), __VA_ARGS__ }
/* A row whose reader gets the whole struct. */
#define FIELD_OF_ALL(TYPE, KEY, HELP, ...)                                                                   \
    { .type = FIELD_##TYPE, .key = (KEY), .help = (HELP), __VA_ARGS__ }
/* The list MEMBER of COUNT objects. */
#define FIELD_LIST_OF(KEY, OBJECT, OWNER, MEMBER, COUNT, MOST, HELP, ...)                                    \
    FIELD(LIST, KEY, OWNER, MEMBER, HELP, .object = &(OBJECT), .count_offset = offsetof(OWNER, COUNT),       \
          .most = (MOST), __VA_ARGS__)
#define FIELD_COUNT_OF(table) ((int)(sizeof(table) / sizeof *(table)))
#define FIELD_TABLE(ROWS) FIELD_KIND(ROWS, NULL)
#define FIELD_KIND(ROWS, HELP)                                                                               \
    { .fields = (ROWS), .count = FIELD_COUNT_OF(ROWS), .help = (HELP) }

/* An object that is read into a TYPE; further members follow. */
#define SCENE_OBJECT(NAME, TYPE, ...)                                                                        \
    { .name = (NAME), .size = sizeof(TYPE), __VA_ARGS__ }

/* Defines a function that returns the name of a value of the enum TYPE, by TYPE_name. */
#define FIELD_NAMES_OF(FUNCTION, TYPE)                                                                       \
    static const char *FUNCTION(int index) { return TYPE##_name((TYPE)index); }
/* Defines the `begin` of an object: sets a TYPE to a value, which may depend on `kind`. */
#define FIELD_DEFAULTS(FUNCTION, TYPE, ...)                                                                  \
    static void FUNCTION(void *target, int kind) {                                                           \
        (void)kind;                                                                                          \
        *(TYPE *)target = (__VA_ARGS__);                                                                     \
    }

/* Defines a function that returns the i-th of these names, null after the last. */
#define FIELD_CHOICE(FUNCTION, ...)                                                                          \
    static const char *FUNCTION(int index) {                                                                 \
        static const char *const names[] = {__VA_ARGS__, NULL};                                              \
        return names[index];                                                                                 \
    }

/* Reads the object at `node` into the struct at `target` by the rows of a table, in their order. Missing keys
 * leave `target` unchanged. The key "description" (a string) is allowed in every object and ignored. Refuses
 * non-objects, unknown keys (with a suggestion), wrong types and values out of range. */
scree_result fields_read(const scene_node *node, field_table table, void *target);
/* Reads an object, or what may stand for it: sets its defaults, reads its keys, and finishes it. */
scree_result object_read(const scene_node *node, const scene_object *of, void *target);
/* A field_reader that reads nothing, for keys that are read elsewhere. */
field_reader field_skip;

/* Describes an object, and all objects in it, as JSON Schema; null without memory. Owned by the caller. */
json_t *schema_make(const scene_object *root);

/* Copies the values in which `now` differs from `before` to `target`; only for rows of numbers, enums and
 * booleans. */
void fields_merge(field_table table, const void *before, const void *now, void *target);

bool node_has(const scene_node *object, const char *key);
/* Refuses the value: "VALUE; must be EXPECTATION". */
scree_result node_refuse(const scene_node *node, const char *expectation);
bool field_in_range(field_range range, double value);

/* Read single values, for custom readers. */
scree_result vector_read(const scene_node *node, field_range range, const char *unit, scree_vec3 *out);
scree_result number_read(const scene_node *node, field_range range, const char *unit, double *out);
scree_result int_read(const scene_node *node, field_range range, const char *unit, int *out);
scree_result enum_read(const scene_node *node, const char *(*name)(int), int *out);
/* Reads `size` numbers within a range; with `spread`, one number for all of them is allowed. */
scree_result numbers_read(const scene_node *node, field_range range, const char *unit, size_t size,
                          bool spread, double *out);
/* Refuses anything but an array of `least` to `most` elements. */
scree_result array_check(const scene_node *node, size_t least, size_t most);
