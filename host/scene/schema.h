/* The JSON Schema of scenes, made by the readers themselves. While a schema is made, each reader gets probes
 * (an object, an array, a string) instead of a file's values, and the functions of field.h record what it
 * would accept and end it with an error. So a schema has the keys, types and ranges that are read. */
#pragma once

#include "field.h"

/* Returns whether this thread makes a schema. */
bool schema_is_made(void);

/* Record what a reader accepts at `node`. All but schema_take_array and schema_take_kind return FORMAT, which
 * ends the reader. */
scree_result schema_take_fields(const scene_node *node, const field *fields, int count, void *target,
                                void *context);
scree_result schema_take_number(const scene_node *node, field_range range, const char *unit, bool whole);
scree_result schema_take_names(const scene_node *node, const char *(*name)(int));
scree_result schema_take_numbers(const scene_node *node, field_range range, const char *unit, size_t size);
/* Records an array of `least` to `most` elements; FORMAT unless the probe is an array. */
scree_result schema_take_array(const scene_node *node, size_t least, size_t most);
/* Sets `out` to the kind that this run of the reader describes. */
scree_result schema_take_kind(const char *(*name)(int), int *out);
/* Records the message of a refusal. Returns FORMAT. */
scree_result schema_take_refusal(const char *message);

/* Describes the root of scenes by `read`; NULL without memory. Owned by the caller. */
json_t *schema_make(field_reader *read, void *target, void *context);
