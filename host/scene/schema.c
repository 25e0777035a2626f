/* The JSON Schema of scenes, from the tables by which they are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene.h"

static void set(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

static json_t *reference(const char *name) {
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

static json_t *number_schema(field_range range, bool whole) {
    json_t *out = json_pack("{s:s}", "type", whole ? "integer" : "number");
    if (range.low > -INFINITY)
        set(out, range.low_open ? "exclusiveMinimum" : "minimum", json_real(range.low));
    if (range.high < INFINITY)
        set(out, range.high_open ? "exclusiveMaximum" : "maximum", json_real(range.high));
    return out;
}

static json_t *array_schema(json_t *items, int least, int most) {
    return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", items, "minItems", least, "maxItems",
                     most);
}

static json_t *names_schema(const char *(*name)(int)) {
    json_t *names = json_array();
    const char *next;
    for (int i = 0; (next = name(i)); i++)
        if (*next) json_array_append_new(names, json_string(next));
    return json_pack("{s:o}", "enum", names);
}

static json_t *any_of(json_t *one, json_t *other) { return json_pack("{s:[o, o]}", "anyOf", one, other); }

static json_t *text_schema(const field *row) {
    json_t *out = json_pack("{s:s}", "type", "string");
    if (row->most > 0) set(out, "minLength", json_integer(row->least));
    if (row->most > 0) set(out, "maxLength", json_integer(row->most));
    return out;
}

static json_t *defined(json_t *definitions, const scene_object *of, void *defaults);
static json_t *solver_schema(void);

static json_t *value_schema(json_t *definitions, const field *row, void *defaults) {
    if (row->read == solver_read) {
        set(definitions, "solver", solver_schema());
        return reference("solver");
    }
    switch (row->type) {
    case FIELD_INT:
    case FIELD_COUNT:
        return number_schema(row->range, true);
    case FIELD_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case FIELD_ENUM:
        return names_schema(row->name);
    case FIELD_VEC3:
    case FIELD_TRIPLE:
        return array_schema(number_schema(row->range, false), 3, 3);
    case FIELD_EACH:
        return any_of(number_schema(row->range, false), array_schema(number_schema(row->range, false), 3, 3));
    case FIELD_PAIR:
        return array_schema(number_schema(row->range, false), 2, 2);
    case FIELD_TEXT:
        return text_schema(row);
    case FIELD_NAMES:
        return json_pack("{s:s, s:o}", "type", "array", "items", names_schema(row->name));
    case FIELD_OBJECT:
        return defined(definitions, row->object, row->read ? NULL : defaults);
    case FIELD_LIST:
        return array_schema(defined(definitions, row->object, NULL), row->least, row->most);
    case FIELD_MAP:
        return json_pack("{s:s, s:o, s:i}", "type", "object", "additionalProperties",
                         defined(definitions, row->object, NULL), "maxProperties", row->most);
    case FIELD_WHOLES:
        return array_schema(number_schema(row->range, true), row->least, row->most);
    case FIELD_NUMBERS:
        return array_schema(number_schema(row->range, false), row->least, row->most);
    case FIELD_TEXTS:
        return array_schema(json_pack("{s:s}", "type", "string"), row->least, row->most);
    case FIELD_VECTORS:
        return array_schema(array_schema(number_schema(row->range, false), 3, 3), row->least, row->most);
    case FIELD_HEIGHTS:
        return any_of(text_schema(row), json_pack("{s:s, s:{s:s, s:o}}", "type", "array", "items", "type",
                                                  "array", "items", number_schema(row->range, false)));
    default:
        return number_schema(row->range, false);
    }
}

/* 0.3, not 0.300000012. */
static json_t *short_number(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", value);
    return json_real(strtod(text, NULL));
}

static json_t *numbers_default(field_range range, const double *values, int count) {
    json_t *out = json_array();
    for (int i = 0; i < count; i++) {
        if (!field_in_range(range, values[i])) {
            json_decref(out);
            return NULL;
        }
        json_array_append_new(out, short_number(values[i]));
    }
    return out;
}

/* Returns the value that a key has by default; null: there is none, or only in words. */
static json_t *default_of(const field *row, const void *at) {
    double values[3];
    uint64_t count;
    json_t *names;
    if (row->required || row->default_text || row->read) return NULL;
    switch (row->type) {
    case FIELD_FLOAT:
        return field_in_range(row->range, (double)*(const float *)at)
                   ? short_number((double)*(const float *)at)
                   : NULL;
    case FIELD_DOUBLE:
        return field_in_range(row->range, *(const double *)at) ? short_number(*(const double *)at) : NULL;
    case FIELD_INT:
        return json_integer(*(const int *)at);
    case FIELD_COUNT:
        memcpy(&count, at, sizeof count);
        return json_integer((json_int_t)count);
    case FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case FIELD_ENUM:
        return json_string(row->name(*(const int *)at));
    case FIELD_VEC3:
        for (int i = 0; i < 3; i++) values[i] = (double)((const float *)at)[i];
        return numbers_default(row->range, values, 3);
    case FIELD_TRIPLE:
    case FIELD_EACH:
        return numbers_default(row->range, at, 3);
    case FIELD_PAIR:
        return numbers_default(row->range, at, 2);
    case FIELD_NAMES:
        names = json_array();
        for (int i = 0; row->name(i); i++)
            if (*(const uint32_t *)at >> i & 1) json_array_append_new(names, json_string(row->name(i)));
        return names;
    default:
        return NULL;
    }
}

/* Describes the value of a row. The description, for editors, also states the unit and a default in words. */
static json_t *row_schema(json_t *definitions, const field *row, void *owner) {
    char *at = (char *)owner + row->offset;
    json_t *out = value_schema(definitions, row, at), *usual = default_of(row, at);
    set(out, "description",
        json_sprintf("%s%s%s%s%s", row->help, row->unit ? "; " : "", row->unit ? row->unit : "",
                     row->default_text ? "; default: " : "", row->default_text ? row->default_text : ""));
    if (row->unit) set(out, "unit", json_string(row->unit));
    if (row->default_text) set(out, "fallback", json_string(row->default_text));
    if (usual) set(out, "default", usual);
    return out;
}

static void add_rows(json_t *definitions, json_t *schema, field_table table, void *owner) {
    for (int i = 0; i < table.count; i++) {
        const field *row = &table.fields[i];
        if (row->type == FIELD_HIDDEN) continue;
        set(json_object_get(schema, "properties"), row->key, row_schema(definitions, row, owner));
        if (row->required) json_array_append_new(json_object_get(schema, "required"), json_string(row->key));
    }
}

static json_t *object_schema(void) {
    return json_pack("{s:s, s:{s:{s:s}}, s:[], s:b}", "type", "object", "properties", "description", "type",
                     "string", "required", "additionalProperties", 0);
}

static json_t *kind_schema(json_t *definitions, const scene_object *of, int kind, void *owner) {
    json_t *out = object_schema();
    if (of->begin) of->begin(owner, kind);
    if (of->kind) {
        set(json_object_get(out, "properties"), "kind", json_pack("{s:s}", "const", of->kind(kind)));
        json_array_append_new(json_object_get(out, "required"), json_string("kind"));
        if (of->kinds[kind].help) set(out, "description", json_string(of->kinds[kind].help));
    }
    add_rows(definitions, out, of->common, owner);
    if (of->kind) add_rows(definitions, out, of->kinds[kind], owner);
    return out;
}

static json_t *kinds_schema(json_t *definitions, const scene_object *of, void *owner) {
    json_t *kinds = json_array();
    for (int kind = 0; of->kind && of->kind(kind); kind++)
        if (*of->kind(kind)) json_array_append_new(kinds, kind_schema(definitions, of, kind, owner));
    if (of->other) json_array_append_new(kinds, row_schema(definitions, of->other, owner));
    if (!of->kind) json_array_insert_new(kinds, 0, kind_schema(definitions, of, 0, owner));
    if (of->kind || of->other) return json_pack("{s:o}", "anyOf", kinds);
    json_t *only = json_incref(json_array_get(kinds, 0));
    json_decref(kinds);
    return only;
}

/* Returns a reference to the definition of an object, which the first call makes. `owner` has its defaults
 * and may be null if the object sets all of them. */
static json_t *defined(json_t *definitions, const scene_object *of, void *owner) {
    if (!json_object_get(definitions, of->name)) {
        void *own = owner ? NULL : memory_allocate(1, of->size);
        set(definitions, of->name, json_null()); /* an object may contain itself */
        if (owner || own) set(definitions, of->name, kinds_schema(definitions, of, owner ? owner : own));
        memory_release(own);
    }
    return reference(of->name);
}

/* Returns the rule that the keys of `solver` under a condition are those of a stabilisation. */
static json_t *stabilisation_rule(json_t *condition, scree_stabilisation kind) {
    const field_table tables[] = {solver_fields(), stabilisation_fields(kind)};
    json_t *names = json_pack("[s]", "description");
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < tables[t].count; i++)
            json_array_append_new(names, json_string(tables[t].fields[i].key));
    return json_pack("{s:o, s:{s:{s:o}}}", "if", condition, "then", "propertyNames", "enum", names);
}

/* Without the key, the preset decides. */
static void add_default_rules(json_t *rules) {
    static const char *const absent = "{s:[{s:{s:[s]}}, {s:{s:{s:s}}, s:[s]}]}";
    static const char *const other = "{s:[{s:{s:[s]}}, {s:{s:{s:{s:s}}}}]}";
    json_t *small = json_pack(absent, "allOf", "not", "required", "stabilisation", "properties", "preset",
                              "const", "realtime", "required", "preset"),
           *usual = json_pack(other, "allOf", "not", "required", "stabilisation", "properties", "preset",
                              "not", "const", "realtime");
    json_array_append_new(rules, stabilisation_rule(small, SCREE_STABILISATION_SUBSTEP));
    json_array_append_new(rules, stabilisation_rule(usual, SCREE_STABILISATION_SPLIT));
}

/* Describes `solver`: the keys of all stabilisations, and which of them each one has. */
static json_t *solver_schema(void) {
    json_t *out = object_schema(), *rules = json_array();
    scree_solver_def usual = scree_default_solver_def();
    add_rows(NULL, out, solver_fields(), &usual);
    for (int i = 0; i < SCREE_STABILISATION_COUNT; i++) {
        const scree_stabilisation kind = (scree_stabilisation)i;
        usual = scree_solver_def_with_stabilisation(usual, kind);
        add_rows(NULL, out, stabilisation_fields(kind), &usual);
        json_t *condition = json_pack("{s:{s:{s:s}}, s:[s]}", "properties", "stabilisation", "const",
                                      scree_stabilisation_name(kind), "required", "stabilisation");
        json_array_append_new(rules, stabilisation_rule(condition, kind));
    }
    add_default_rules(rules);
    set(out, "allOf", rules);
    return out;
}

static json_t *changes_schema(json_t *definitions, json_t *of);

/* Null removes a key. */
static json_t *nullable(json_t *schema) { return any_of(schema, json_pack("{s:s}", "type", "null")); }

static json_t *changed_properties(json_t *definitions, json_t *properties) {
    json_t *out = json_object(), *value;
    const char *key;
    json_object_foreach(properties, key, value) set(out, key, nullable(changes_schema(definitions, value)));
    return out;
}

/* An array is replaced, or changed by an object: entries by index, and new ones at the end. */
static json_t *array_changes(json_t *definitions, json_t *of) {
    json_t *items = json_object_get(of, "items");
    return any_of(json_incref(of),
                  json_pack("{s:s, s:{s:{s:s, s:O}}, s:{s:o}, s:b}", "type", "object", "properties", "add",
                            "type", "array", "items", items, "patternProperties", "^[0-9]+$",
                            changes_schema(definitions, items), "additionalProperties", 0));
}

static json_t *reference_changes(json_t *definitions, const char *name) {
    char changes[96];
    snprintf(changes, sizeof changes, "changes-of-%s", name);
    if (!json_object_get(definitions, changes)) {
        set(definitions, changes, json_null());
        set(definitions, changes, changes_schema(definitions, json_object_get(definitions, name)));
    }
    return reference(changes);
}

/* Returns what a stage may write to change a value with the schema `of`. */
static json_t *changes_schema(json_t *definitions, json_t *of) {
    static const char *const dropped[] = {"required", "allOf",    "default",
                                          "unit",     "fallback", "maxProperties"};
    const char *name = json_string_value(json_object_get(of, "$ref"));
    json_t *alternative, *rest = json_object_get(of, "additionalProperties");
    size_t i;
    if (name) return reference_changes(definitions, name + strlen("#/$defs/"));
    if (json_object_get(of, "items")) return array_changes(definitions, of);
    json_t *out = json_copy(of), *alternatives = json_array();
    for (i = 0; i < sizeof dropped / sizeof *dropped; i++) json_object_del(out, dropped[i]);
    json_array_foreach(json_object_get(of, "anyOf"), i, alternative)
        json_array_append_new(alternatives, changes_schema(definitions, alternative));
    if (json_array_size(alternatives)) json_object_set(out, "anyOf", alternatives);
    json_decref(alternatives);
    if (json_object_get(of, "properties"))
        set(out, "properties", changed_properties(definitions, json_object_get(of, "properties")));
    if (json_is_object(rest)) set(out, "additionalProperties", nullable(changes_schema(definitions, rest)));
    return out;
}

/* Completes the definition of a stage by the keys that it changes. */
static void add_changes(json_t *definitions, json_t *root) {
    json_t *stage = json_object_get(json_object_get(definitions, "stage"), "properties"), *value;
    const char *key;
    json_object_foreach(json_object_get(root, "properties"), key,
                        value) if (strcmp(key, "stages") != 0 && strcmp(key, "run") != 0 &&
                                   strcmp(key, "seed") != 0 && strcmp(key, "worlds") != 0 &&
                                   strcmp(key, "description") != 0)
        set(stage, key, nullable(changes_schema(definitions, value)));
}

/* Keys of which an object has at most one, or exactly one. */
static const struct {
    const char *object, *one, *other;
    bool required;
} alternatives[] = {
    {"inlet", "rate", "mass_rate", true},
    {"figure", "below", "above", true},
    {"row", "below", "above", true},
    {"scene", "run", "stages", false},
    {"run", "steps", "duration", false},
    {"outputs", "every", "every_seconds", false},
    {"outputs", "snapshot_every", "snapshot_every_seconds", false},
    {"outputs", "checkpoint_every", "checkpoint_every_seconds", false},
    {"outputs", "measurements_every", "measurements_every_seconds", false},
    {"measurement", "every", "every_seconds", false},
};

static json_t *has_key(const char *key) { return json_pack("{s:[s]}", "required", key); }

static void add_rule(json_t *object, json_t *rule) {
    if (!json_object_get(object, "allOf")) set(object, "allOf", json_array());
    json_array_append_new(json_object_get(object, "allOf"), rule);
}

static void add_alternatives(json_t *definitions, json_t *root) {
    for (size_t i = 0; i < sizeof alternatives / sizeof *alternatives; i++) {
        const char *one = alternatives[i].one, *other = alternatives[i].other;
        json_t *object = json_object_get(definitions, alternatives[i].object);
        if (!object) object = root; /* the scene itself */
        add_rule(object, json_pack("{s:{s:[s, s]}}", "not", "required", one, other));
        if (alternatives[i].required) add_rule(object, any_of(has_key(one), has_key(other)));
    }
}

/* Forbids keys for bodies of some types. */
static void forbid(json_t *object, json_t *types, const char *const *keys, size_t count) {
    json_t *present = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(present, has_key(keys[i]));
    add_rule(object, json_pack("{s:{s:{s:{s:o}}, s:[s]}, s:{s:{s:o}}}", "if", "properties", "type", "enum",
                               types, "required", "type", "then", "not", "anyOf", present));
}

static void add_body_rules(json_t *object) {
    static const char *const of_dynamic[] = {"mass", "inertia", "locks", "force", "torque", "servo"},
                             *const of_moving[] = {"linear_velocity", "angular_velocity"};
    forbid(object, json_pack("[s, s]", "static", "kinematic"), of_dynamic,
           sizeof of_dynamic / sizeof *of_dynamic);
    forbid(object, json_pack("[s]", "static"), of_moving, sizeof of_moving / sizeof *of_moving);
}

json_t *schema_make(const scene_object *root) {
    json_t *definitions = json_object();
    json_decref(defined(definitions, root, NULL));
    json_t *out = json_incref(json_object_get(definitions, root->name));
    json_object_del(definitions, root->name);
    add_changes(definitions, out);
    add_alternatives(definitions, out);
    add_body_rules(json_object_get(definitions, "body"));
    add_body_rules(json_object_get(definitions, "template"));
    set(out, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
    set(out, "title", json_string("scree scene"));
    set(out, "$defs", definitions);
    return out;
}
