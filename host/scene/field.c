#include "field.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { EXPECTATION = 160, NAMES_MOST = 64 };

/* "a number > 0 (kg/m³)", "a whole number from 1 to 32", ... */
static const char *describe_range(field_range range, const char *what, const char *unit,
                                  char out[EXPECTATION]) {
    char limits[80] = "";
    const bool low = range.low > -INFINITY, high = range.high < INFINITY;
    if (low && high)
        snprintf(limits, sizeof limits,
                 range.low_open ? " between %.9g and %.9g (limits excluded)" : " from %.9g to %.9g",
                 range.low, range.high);
    else if (low)
        snprintf(limits, sizeof limits, " %s %.9g", range.low_open ? ">" : "≥", range.low);
    else if (high)
        snprintf(limits, sizeof limits, " %s %.9g", range.high_open ? "<" : "≤", range.high);
    snprintf(out, EXPECTATION, "%s%s%s%s%s", what, limits, unit ? " (" : "", unit ? unit : "",
             unit ? ")" : "");
    return out;
}

bool field_in_range(field_range range, double value) {
    return (range.low_open ? value > range.low : value >= range.low) &&
           (range.high_open ? value < range.high : value <= range.high);
}

scree_result node_refuse(const scene_node *node, const char *expectation) {
    char value[NODE_TEXT];
    return node_fail(node, "%s; must be %s", node_describe(node, value), expectation);
}

scree_result number_read(const scene_node *node, field_range range, const char *unit, double *out) {
    char expectation[EXPECTATION];
    if (!json_is_number(node->value))
        return node_refuse(node, describe_range(range, "a number", unit, expectation));
    const double value = json_number_value(node->value);
    if (!isfinite(value) || !field_in_range(range, value))
        return node_refuse(node, describe_range(range, "a number", unit, expectation));
    *out = value;
    return SCREE_OK;
}

/* Reads a number for single precision. The value must be in range also after rounding. */
static scree_result float_read(const scene_node *node, field_range range, const char *unit, float *out) {
    double value = 0;
    TRY(number_read(node, range, unit, &value));
    if (fabs(value) > (double)FLT_MAX)
        return node_refuse(node, "a number within single precision (magnitude at most 3.4e38)");
    /* Included limits are rounded like the value; excluded limits must still hold after rounding. */
    const field_range single = {(float)range.low, (float)range.high, range.low_open, range.high_open};
    if (!field_in_range(single, (double)(float)value)) {
        char expectation[EXPECTATION];
        return node_refuse(node, describe_range(range, "a number, in single precision,", unit, expectation));
    }
    *out = (float)value;
    return SCREE_OK;
}

/* Reads a whole number. 1e6 counts as one, although JSON readers parse it as real. */
static scree_result whole_read(const scene_node *node, field_range range, const char *unit, double most,
                               double *out) {
    char expectation[EXPECTATION];
    const double value = json_number_value(node->value); /* 0 if it is not a number */
    const bool whole = json_is_number(node->value) && value == floor(value) && field_in_range(range, value);
    if (whole && value > most) range.high = most;
    if (!whole || value > most)
        return node_refuse(node, describe_range(range, "a whole number", unit, expectation));
    *out = value;
    return SCREE_OK;
}

scree_result int_read(const scene_node *node, field_range range, const char *unit, int *out) {
    double value = 0;
    TRY(whole_read(node, range, unit, INT_MAX, &value));
    *out = (int)value;
    return SCREE_OK;
}

static scree_result count_read(const scene_node *node, field_range range, const char *unit, uint64_t *out) {
    double value = 0;
    TRY(whole_read(node, range, unit, 9007199254740992.0, &value)); /* 2⁵³ */
    *out = json_is_integer(node->value) ? (uint64_t)json_integer_value(node->value) : (uint64_t)value;
    return SCREE_OK;
}

scree_result enum_read(const scene_node *node, const char *(*name)(int), int *out) {
    const char *names[NAMES_MOST] = {0};
    int count = 0;
    char list[512] = "";
    for (const char *next; count < NAMES_MOST && (next = name(count)); count++) {
        const size_t used = strlen(list);
        if (!*next) continue;
        names[count] = next;
        snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? ", " : "", next);
    }
    char value[NODE_TEXT], suggestion[SUGGESTION_TEXT] = "";
    if (json_is_string(node->value)) {
        const char *text = json_string_value(node->value);
        for (int i = 0; i < count; i++)
            if (names[i] && !strcmp(text, names[i])) {
                *out = i;
                return SCREE_OK;
            }
        node_suggest(text, names, count, suggestion);
    }
    return node_fail(node, "%s; must be one of %s%s", node_describe(node, value), list, suggestion);
}

bool node_has(const scene_node *object, const char *key) {
    return json_object_get(object->value, key) != NULL;
}

scree_result array_check(const scene_node *node, size_t least, size_t most) {
    const size_t size = json_array_size(node->value);
    if (json_is_array(node->value) && size >= least && size <= most) return SCREE_OK;
    char expectation[EXPECTATION];
    if (least == most)
        snprintf(expectation, sizeof expectation, "an array of %zu", least);
    else if (json_is_array(node->value) || least > 0)
        snprintf(expectation, sizeof expectation, "an array of %zu to %zu", least, most);
    else
        snprintf(expectation, sizeof expectation, "an array");
    return node_refuse(node, expectation);
}

scree_result numbers_read(const scene_node *node, field_range range, const char *unit, size_t size,
                          bool spread, double *out) {
    if (spread && json_is_number(node->value)) {
        TRY(number_read(node, range, unit, out));
        for (size_t i = 1; i < size; i++) out[i] = out[0];
        return SCREE_OK;
    }
    if (!json_is_array(node->value) || json_array_size(node->value) != size) {
        char expectation[EXPECTATION], what[64];
        const bool limited = range.low > -INFINITY || range.high < INFINITY;
        snprintf(what, sizeof what, "%s%zu numbers%s", spread ? "a number, or an array of " : "an array of ",
                 size, limited ? ", each" : "");
        return node_refuse(node, describe_range(range, what, unit, expectation));
    }
    for (size_t i = 0; i < size; i++) {
        const scene_node element = node_element(node, i);
        TRY(number_read(&element, range, unit, out + i));
    }
    return SCREE_OK;
}

scree_result vector_read(const scene_node *node, field_range range, const char *unit, scree_vec3 *out) {
    double numbers[3];
    TRY(numbers_read(node, range, unit, 3, false, numbers)); /* for its error messages */
    float *const components[3] = {&out->x, &out->y, &out->z};
    for (size_t i = 0; i < 3; i++) {
        const scene_node element = node_element(node, i);
        TRY(float_read(&element, range, unit, components[i]));
    }
    return SCREE_OK;
}

static scree_result text_read(const scene_node *node, const field *row, char *out) {
    const char *text = json_string_value(node->value);
    const size_t length = json_string_length(node->value);
    char expectation[EXPECTATION];
    snprintf(expectation, sizeof expectation, "a string of %d to %d bytes", row->least, row->most);
    if (!text || length < (size_t)row->least || length > (size_t)row->most || strlen(text) != length)
        return node_refuse(node, expectation);
    memcpy(out, text, length + 1);
    return SCREE_OK;
}

/* Reads an array of names into a bit mask. */
static scree_result names_read(const scene_node *node, const char *(*name)(int), uint32_t *out) {
    size_t count = 0;
    while (name((int)count)) count++;
    TRY(array_check(node, 0, count));
    *out = 0;
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        const scene_node element = node_element(node, i);
        int bit = 0;
        TRY(enum_read(&element, name, &bit));
        *out |= UINT32_C(1) << bit;
    }
    return SCREE_OK;
}

static scree_result wholes_read(const scene_node *node, const field *row, int *out) {
    TRY(array_check(node, (size_t)row->least, (size_t)row->most));
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        const scene_node element = node_element(node, i);
        TRY(int_read(&element, row->range, row->unit, &out[i]));
    }
    return SCREE_OK;
}

/* Reads objects or vectors. Counts each before it is read, so that its owner releases it also after a
 * failure. */
static scree_result list_read(const scene_node *node, const field *row, void *owner) {
    const size_t size = row->object ? row->object->size : sizeof(scree_vec3);
    int *count = (int *)((char *)owner + row->count_offset);
    TRY(array_check(node, (size_t)row->least, (size_t)row->most));
    char *list = memory_allocate(json_array_size(node->value), size); /* aligned for any type */
    if (!list) return fail(SCREE_ERROR_MEMORY, "out of memory for a scene");
    memcpy((char *)owner + row->offset, &list, sizeof list);
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        const scene_node element = node_element(node, i);
        *count = (int)i + 1;
        TRY(row->object ? object_read(&element, row->object, list + i * size)
                        : vector_read(&element, row->range, row->unit, (scree_vec3 *)list + i));
    }
    return SCREE_OK;
}

static scree_result field_read(const scene_node *node, const field *row, void *owner) {
    void *target = (char *)owner + row->offset;
    if (row->read) return row->read(node, target);
    switch (row->type) {
    case FIELD_FLOAT:
        return float_read(node, row->range, row->unit, target);
    case FIELD_DOUBLE:
        return number_read(node, row->range, row->unit, target);
    case FIELD_INT:
        return int_read(node, row->range, row->unit, target);
    case FIELD_COUNT:
        return count_read(node, row->range, row->unit, target);
    case FIELD_BOOL:
        if (!json_is_boolean(node->value)) return node_refuse(node, "true or false");
        *(bool *)target = json_is_true(node->value);
        return SCREE_OK;
    case FIELD_ENUM:
        return enum_read(node, row->name, target);
    case FIELD_VEC3:
        return vector_read(node, row->range, row->unit, target);
    case FIELD_TRIPLE:
        return numbers_read(node, row->range, row->unit, 3, false, target);
    case FIELD_EACH:
        return numbers_read(node, row->range, row->unit, 3, true, target);
    case FIELD_PAIR:
        return numbers_read(node, row->range, row->unit, 2, false, target);
    case FIELD_TEXT:
        return text_read(node, row, target);
    case FIELD_NAMES:
        return names_read(node, row->name, target);
    case FIELD_OBJECT:
        return object_read(node, row->object, target);
    case FIELD_WHOLES:
        return wholes_read(node, row, target);
    case FIELD_LIST:
    case FIELD_VECTORS:
        return list_read(node, row, owner);
    default:
        return fail(SCREE_ERROR_FORMAT, "the key \"%s\" has no reader", row->key);
    }
}

/* Tables have at most NAMES_MOST rows. */
static scree_result unknown_key(const scene_node *member, field_table table) {
    const char *names[NAMES_MOST] = {0};
    const int count = table.count;
    for (int i = 0; i < count; i++)
        names[i] = table.fields[i].type == FIELD_HIDDEN ? NULL : table.fields[i].key;
    char suggestion[SUGGESTION_TEXT];
    node_suggest(member->key, names, count, suggestion);
    if (suggestion[0]) return node_key_fail(member, "unknown key \"%.40s\"%s", member->key, suggestion);
    char list[1024] = "";
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(list);
        if (names[i]) snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? ", " : "", names[i]);
    }
    return node_key_fail(member, "unknown key \"%.40s\"; must be one of %s", member->key, list);
}

static scree_result check_keys(const scene_node *node, field_table table) {
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value) {
        const scene_node member = node_member(node, key);
        if (!strcmp(key, "description")) {
            if (!json_is_string(value)) return node_refuse(&member, "a string");
            continue;
        }
        int i = 0;
        while (i < table.count && strcmp(key, table.fields[i].key)) i++;
        if (i == table.count) return unknown_key(&member, table);
    }
    return SCREE_OK;
}

scree_result fields_read(const scene_node *node, field_table table, void *target) {
    if (!json_is_object(node->value)) return node_refuse(node, "an object");
    TRY(check_keys(node, table));
    for (int i = 0; i < table.count; i++) {
        const field *row = &table.fields[i];
        const scene_node member = node_member(node, row->key);
        if (member.value) TRY(field_read(&member, row, target));
    }
    for (int i = 0; i < table.count; i++)
        if (table.fields[i].required && !node_has(node, table.fields[i].key))
            return node_fail(node, "the key \"%s\" is missing", table.fields[i].key);
    return SCREE_OK;
}

scree_result field_skip(const scene_node *node, void *target) {
    (void)node;
    (void)target;
    return SCREE_OK;
}

/* Finds the kind of an object. */
static scree_result kind_read(const scene_node *node, const char *(*name)(int), int *out) {
    if (!json_is_object(node->value)) return node_refuse(node, "an object");
    const scene_node kind = node_member(node, "kind");
    if (kind.value) return enum_read(&kind, name, out);
    static const char *const key[] = {"kind"};
    const char *other;
    json_t *value;
    json_object_foreach(node->value, other, value) {
        char suggestion[SUGGESTION_TEXT];
        const scene_node member = node_member(node, other);
        if (node_suggest(other, key, 1, suggestion)[0])
            return node_key_fail(&member, "unknown key \"%.40s\"%s", other, suggestion);
    }
    return node_fail(node, "the key \"kind\" is missing");
}

scree_result object_read(const scene_node *node, const scene_object *of, void *target) {
    field rows[NAMES_MOST] = {{.key = "kind", .type = FIELD_ENUM, .read = field_skip}};
    int kind = 0, count = of->kind ? 1 : 0;
    if (of->other && !json_is_object(node->value)) return of->other->read(node, target);
    if (of->kind) TRY(kind_read(node, of->kind, &kind));
    if (of->begin) of->begin(target, kind);
    const field_table tables[2] = {of->common, of->kind ? of->kinds[kind] : (field_table){0}};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < tables[t].count; i++) rows[count++] = tables[t].fields[i];
    TRY(fields_read(node, (field_table){.fields = rows, .count = count}, target));
    return of->finish ? of->finish(node, target) : SCREE_OK;
}

static size_t value_size(field_type type) {
    switch (type) {
    case FIELD_DOUBLE:
    case FIELD_COUNT:
        return sizeof(double);
    case FIELD_BOOL:
        return sizeof(bool);
    case FIELD_FLOAT:
    case FIELD_INT:
    case FIELD_ENUM:
        return sizeof(int);
    default:
        return 0;
    }
}
_Static_assert(sizeof(uint64_t) == sizeof(double) && sizeof(float) == sizeof(int), "the sizes above");

void fields_merge(field_table table, const void *before, const void *now, void *target) {
    for (int i = 0; i < table.count; i++) {
        const size_t at = table.fields[i].offset, size = value_size(table.fields[i].type);
        if (memcmp((const char *)before + at, (const char *)now + at, size))
            memcpy((char *)target + at, (const char *)now + at, size);
    }
}
