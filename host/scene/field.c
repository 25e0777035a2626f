#include "field.h"
#include "schema.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

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

static bool in_range(field_range range, double value) {
    return (range.low_open ? value > range.low : value >= range.low) &&
           (range.high_open ? value < range.high : value <= range.high);
}

static scree_result refuse(const scene_node *node, const char *expectation) {
    char value[NODE_TEXT];
    return node_fail(node, "%s; must be %s", node_describe(node, value), expectation);
}

scree_result number_read(const scene_node *node, field_range range, const char *unit, double *out) {
    if (schema_is_made()) return schema_take_number(node, range, unit, false);
    char expectation[EXPECTATION];
    if (!json_is_number(node->value))
        return refuse(node, describe_range(range, "a number", unit, expectation));
    const double value = json_number_value(node->value);
    if (!isfinite(value) || !in_range(range, value))
        return refuse(node, describe_range(range, "a number", unit, expectation));
    *out = value;
    return SCREE_OK;
}

/* Reads a number for single precision. The value must be in range also after rounding. */
static scree_result float_read(const scene_node *node, field_range range, const char *unit, float *out) {
    double value = 0;
    TRY(number_read(node, range, unit, &value));
    if (fabs(value) > (double)FLT_MAX)
        return refuse(node, "a number within single precision (magnitude at most 3.4e38)");
    /* Included limits are rounded like the value; excluded limits must still hold after rounding. */
    const field_range single = {(float)range.low, (float)range.high, range.low_open, range.high_open};
    if (!in_range(single, (double)(float)value)) {
        char expectation[EXPECTATION];
        return refuse(node, describe_range(range, "a number, in single precision,", unit, expectation));
    }
    *out = (float)value;
    return SCREE_OK;
}

/* Reads a whole number. 1e6 counts as one, although JSON readers parse it as real. */
static scree_result whole_read(const scene_node *node, field_range range, const char *unit, double most,
                               double *out) {
    char expectation[EXPECTATION];
    const double value = json_number_value(node->value); /* 0 if it is not a number */
    const bool whole = json_is_number(node->value) && value == floor(value) && in_range(range, value);
    if (whole && value > most) range.high = most;
    if (!whole || value > most)
        return refuse(node, describe_range(range, "a whole number", unit, expectation));
    *out = value;
    return SCREE_OK;
}

scree_result int_read(const scene_node *node, field_range range, const char *unit, int *out) {
    if (schema_is_made()) return schema_take_number(node, range, unit, true);
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
    if (schema_is_made()) return schema_take_names(node, name);
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
        for (int i = 0; i < count; ++i)
            if (names[i] && !strcmp(text, names[i])) {
                *out = i;
                return SCREE_OK;
            }
        node_suggest(text, names, count, suggestion);
    }
    return node_fail(node, "%s; must be one of %s%s", node_describe(node, value), list, suggestion);
}

scree_result array_check(const scene_node *node, size_t least, size_t most) {
    if (schema_is_made()) return schema_take_array(node, least, most);
    const size_t size = json_array_size(node->value);
    if (json_is_array(node->value) && size >= least && size <= most) return SCREE_OK;
    char expectation[EXPECTATION];
    if (least == most)
        snprintf(expectation, sizeof expectation, "an array of %zu", least);
    else if (json_is_array(node->value) || least > 0)
        snprintf(expectation, sizeof expectation, "an array of %zu to %zu", least, most);
    else
        snprintf(expectation, sizeof expectation, "an array");
    return refuse(node, expectation);
}

/* Reads `size` numbers within a range; with `spread`, one number for all of them is allowed. */
static scree_result numbers_read(const scene_node *node, const field *row, size_t size, bool spread,
                                 double *out) {
    if (spread && json_is_number(node->value)) {
        TRY(number_read(node, row->range, row->unit, out));
        for (size_t i = 1; i < size; ++i) out[i] = out[0];
        return SCREE_OK;
    }
    if (!json_is_array(node->value) || json_array_size(node->value) != size) {
        char expectation[EXPECTATION], what[64];
        const bool limited = row->range.low > -INFINITY || row->range.high < INFINITY;
        snprintf(what, sizeof what, "%s%zu numbers%s", spread ? "a number, or an array of " : "an array of ",
                 size, limited ? ", each" : "");
        return refuse(node, describe_range(row->range, what, row->unit, expectation));
    }
    for (size_t i = 0; i < size; ++i) {
        const scene_node element = node_element(node, i);
        TRY(number_read(&element, row->range, row->unit, out + i));
    }
    return SCREE_OK;
}

scree_result vector_read(const scene_node *node, field_range range, const char *unit, scree_vec3 *out) {
    if (schema_is_made()) return schema_take_numbers(node, range, unit, 3);
    const field row = {.range = range, .unit = unit};
    double numbers[3];
    TRY(numbers_read(node, &row, 3, false, numbers)); /* for its error messages */
    float *const components[3] = {&out->x, &out->y, &out->z};
    for (size_t i = 0; i < 3; ++i) {
        const scene_node element = node_element(node, i);
        TRY(float_read(&element, range, unit, components[i]));
    }
    return SCREE_OK;
}

static scree_result field_read(const scene_node *node, const field *row, void *target, void *context) {
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
        if (!json_is_boolean(node->value)) return refuse(node, "true or false");
        *(bool *)target = json_is_true(node->value);
        return SCREE_OK;
    case FIELD_ENUM:
        return enum_read(node, row->name, target);
    case FIELD_VEC3:
        return vector_read(node, row->range, row->unit, target);
    case FIELD_TRIPLE:
        return numbers_read(node, row, 3, false, target);
    case FIELD_EACH:
        return numbers_read(node, row, 3, true, target);
    case FIELD_PAIR:
        return numbers_read(node, row, 2, false, target);
    case FIELD_OBJECT:
        return row->read(node, target, context);
    }
    return fail(SCREE_ERROR_FORMAT, "field \"%s\" has no type", row->key);
}

/* Tables have at most NAMES_MOST rows. */
static scree_result unknown_key(const scene_node *member, const field *fields, int count) {
    const char *names[NAMES_MOST] = {0};
    for (int i = 0; i < count && i < NAMES_MOST; ++i) names[i] = fields[i].key;
    char suggestion[SUGGESTION_TEXT];
    node_suggest(member->key, names, count, suggestion);
    if (suggestion[0]) return node_key_fail(member, "unknown key \"%.40s\"%s", member->key, suggestion);
    char list[1024] = "";
    for (int i = 0; i < count; ++i) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", names[i]);
    }
    return node_key_fail(member, "unknown key \"%.40s\"; must be one of %s", member->key, list);
}

static scree_result check_keys(const scene_node *node, const field *fields, int count) {
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value) {
        const scene_node member = node_member(node, key);
        if (!strcmp(key, "description")) {
            if (!json_is_string(value)) return refuse(&member, "a string");
            continue;
        }
        int i = 0;
        while (i < count && strcmp(key, fields[i].key)) i++;
        if (i == count) return unknown_key(&member, fields, count);
    }
    return SCREE_OK;
}

scree_result fields_read(const scene_node *node, const field *fields, int count, void *target, void *context,
                         uint64_t *seen) {
    if (schema_is_made()) return schema_take_fields(node, fields, count, target, context);
    if (!json_is_object(node->value)) return refuse(node, "an object");
    TRY(check_keys(node, fields, count));
    uint64_t found = 0;
    for (int i = 0; i < count; ++i) {
        const scene_node member = node_member(node, fields[i].key);
        if (member.value) {
            found |= UINT64_C(1) << i;
            TRY(field_read(&member, &fields[i], (char *)target + fields[i].offset, context));
        } else if (fields[i].required)
            return node_fail(node, "the key \"%s\" is missing", fields[i].key);
    }
    if (seen) *seen = found;
    return SCREE_OK;
}

static size_t value_size(field_type type) {
    switch (type) {
    case FIELD_FLOAT:
        return sizeof(float);
    case FIELD_DOUBLE:
        return sizeof(double);
    case FIELD_INT:
    case FIELD_ENUM:
        return sizeof(int);
    case FIELD_COUNT:
        return sizeof(uint64_t);
    case FIELD_BOOL:
        return sizeof(bool);
    case FIELD_VEC3:
        return sizeof(scree_vec3);
    case FIELD_TRIPLE:
    case FIELD_EACH:
        return 3 * sizeof(double);
    case FIELD_PAIR:
        return 2 * sizeof(double);
    case FIELD_OBJECT:
        break;
    }
    return 0;
}

void fields_merge(const field *fields, int count, const void *before, const void *now, void *target) {
    for (int i = 0; i < count; ++i) {
        const size_t at = fields[i].offset, size = value_size(fields[i].type);
        if (memcmp((const char *)before + at, (const char *)now + at, size))
            memcpy((char *)target + at, (const char *)now + at, size);
    }
}

scree_result kind_skip(const scene_node *node, void *target, void *context) {
    (void)node, (void)target, (void)context;
    return SCREE_OK;
}

scree_result kind_read(const scene_node *node, const char *(*name)(int), int *out) {
    if (schema_is_made()) return schema_take_kind(name, out);
    if (!json_is_object(node->value)) return refuse(node, "an object");
    const scene_node kind = node_member(node, "kind");
    if (!kind.value) {
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
    return enum_read(&kind, name, out);
}
