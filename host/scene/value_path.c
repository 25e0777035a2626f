#include "value_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the next key or index from a path and advances past it. Returns the member of `owner`, or NULL. */
static json_t *step_down(json_t *owner, const char **at, char key[VALUE_PATH_KEY]) {
    const char *path = *at;
    const bool is_index = *path == '[';
    const size_t length = is_index ? strcspn(path, "]") + 1 : strcspn(path, ".[");
    snprintf(key, VALUE_PATH_KEY, "%.*s", (int)length, path);
    if (!length || length >= VALUE_PATH_KEY || length > strlen(path)) return NULL;
    *at = path + length + (path[length] == '.' && path[length + 1] != '[');
    if (!is_index) return json_object_get(owner, key);
    char *end;
    const unsigned long index = strtoul(key + 1, &end, 10);
    return key[1] >= '0' && key[1] <= '9' && *end == ']' ? json_array_get(owner, index) : NULL;
}

value_place value_path_find(json_t *root, const char *path) {
    value_place place = {.owner = root};
    for (const char *at = path;;) {
        json_t *next = step_down(place.owner, &at, place.key);
        if (!next) return place;
        const bool ends = !*at, unfinished = path[strlen(path) - 1] == '.';
        if (ends && !unfinished) place.value = next;
        if (ends && unfinished) place.key[0] = 0;
        if (ends) return place;
        place.owner = next;
    }
}

/* Returns an integer where the file has one and the value is whole. */
static json_t *number_like(const json_t *before, double value) {
    static const double exact = 9007199254740992.0; /* 2⁵³ */
    const bool whole = json_is_integer(before) && value == floor(value) && fabs(value) <= exact;
    return whole ? json_integer((json_int_t)value) : json_real(value);
}

bool value_path_set(json_t *root, const char *path, double value) {
    const value_place place = value_path_find(root, path);
    json_t *number = place.value ? number_like(place.value, value) : NULL;
    if (!number) return false;
    if (json_is_array(place.owner))
        return !json_array_set_new(place.owner, strtoul(place.key + 1, NULL, 10), number);
    return !json_object_set_new(place.owner, place.key, number);
}
