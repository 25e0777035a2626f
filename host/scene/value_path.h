/* Paths of values in a scene as error messages write them, such as `bodies[3].mass`. */
#pragma once

#include <jansson.h>

#include <stdbool.h>

enum { VALUE_PATH_KEY = 128 };

/* The place that a path names: a member of `owner`, or of an array an element. */
typedef struct value_place {
    json_t *owner;            /* borrowed; the deepest value that the path reaches */
    char key[VALUE_PATH_KEY]; /* the next key; "[index]" of an array */
    json_t *value;            /* borrowed; NULL: the owner has no such value, or the path is malformed */
} value_place;

/* Follows a path from `root`. Keys that contain a point or a bracket cannot be written. */
value_place value_path_find(json_t *root, const char *path);
/* Replaces the number at a path that exists. Returns false if memory is exhausted. */
bool value_path_set(json_t *root, const char *path, double value);
