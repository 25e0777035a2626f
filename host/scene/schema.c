#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "solver_fields.h"

enum { READERS_MOST = 128, DEPTH_MOST = 4, PROBES = 4 };

/* One run of a reader over a probe. */
typedef struct probe {
    const scene_node *root;  /* what the reader reads */
    json_t *schema;          /* what it accepts of the innermost value; NULL: nothing recorded yet */
    bool is_map[DEPTH_MOST]; /* from there outwards: values of an object by name (true), or an array */
    int depth;
    bool array; /* the probe is an array, and its limits are known */
    size_t least, most;
    int kind;              /* to describe */
    const char *kind_name; /* NULL: the object has no kinds */
    bool last_kind;
    bool refused; /* the value has the wrong type */
} probe;

/* The state of schema_make on this thread. */
static _Thread_local struct {
    probe *now; /* NULL: no schema is made */
    json_t *definitions;
    field_reader *readers[READERS_MOST];
    char names[READERS_MOST][48];
    int reader_count;
} making;

static const char element[] = "x"; /* key and value of probes */
static const scene_source nowhere = {.name = (char *)"schema"};

bool schema_is_made(void) { return making.now != NULL; }

static void set(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

/* Records `schema` for the value at `node`, with the arrays and maps between it and the probe. */
static scree_result note(const scene_node *node, json_t *schema) {
    probe *p = making.now;
    if (p->schema) {
        json_decref(schema);
        return SCREE_ERROR_FORMAT;
    }
    p->schema = schema;
    for (const scene_node *at = node; at != p->root && at->parent && p->depth < DEPTH_MOST; at = at->parent)
        p->is_map[p->depth++] = at->key != NULL;
    return SCREE_ERROR_FORMAT;
}

/* Returns the schema of the probe whose innermost value has the schema `inner`. */
static json_t *wrapped(const probe *p, json_t *inner) {
    for (int i = 0; i < p->depth; i++) {
        inner = p->is_map[i] ? json_pack("{s:s, s:o}", "type", "object", "additionalProperties", inner)
                             : json_pack("{s:s, s:o}", "type", "array", "items", inner);
        if (p->is_map[i] || !p->array || i + 1 < p->depth) continue;
        if (p->least > 0) set(inner, "minItems", json_integer((json_int_t)p->least));
        set(inner, "maxItems", json_integer((json_int_t)p->most));
    }
    return inner;
}

static void add_range(json_t *out, field_range range) {
    if (range.low > -INFINITY)
        set(out, range.low_open ? "exclusiveMinimum" : "minimum", json_real(range.low));
    if (range.high < INFINITY)
        set(out, range.high_open ? "exclusiveMaximum" : "maximum", json_real(range.high));
}

static json_t *number_schema(field_range range, bool whole) {
    json_t *out = json_pack("{s:s}", "type", whole ? "integer" : "number");
    add_range(out, range);
    return out;
}

static json_t *numbers_schema(field_range range, size_t size) {
    return json_pack("{s:s, s:o, s:I, s:I}", "type", "array", "items", number_schema(range, false),
                     "minItems", (json_int_t)size, "maxItems", (json_int_t)size);
}

static json_t *names_schema(const char *(*name)(int)) {
    json_t *names = json_array();
    const char *next;
    for (int i = 0; (next = name(i)); i++)
        if (*next) json_array_append_new(names, json_string(next));
    return json_pack("{s:o}", "enum", names);
}

static json_t *each_schema(field_range range) {
    return json_pack("{s:[o, o]}", "anyOf", number_schema(range, false), numbers_schema(range, 3));
}

static json_t *reader_schema(const field *row, void *target, void *context);

static json_t *type_schema(const field *row, void *target, void *context) {
    switch (row->type) {
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        return number_schema(row->range, false);
    case FIELD_INT:
    case FIELD_COUNT:
        return number_schema(row->range, true);
    case FIELD_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case FIELD_ENUM:
        return names_schema(row->name);
    case FIELD_VEC3:
    case FIELD_TRIPLE:
        return numbers_schema(row->range, 3);
    case FIELD_EACH:
        return each_schema(row->range);
    case FIELD_PAIR:
        return numbers_schema(row->range, 2);
    case FIELD_OBJECT:
        break;
    }
    return row->name ? names_schema(row->name) : reader_schema(row, target, context);
}

/* Adds the sentence and the unit of a row. */
static json_t *row_schema(const field *row, void *target, void *context) {
    char text[512];
    json_t *out = type_schema(row, (char *)target + row->offset, context);
    snprintf(text, sizeof text, "%s%s%s", row->help ? row->help : "", row->help && row->unit ? "; " : "",
             row->unit ? row->unit : "");
    if (text[0]) set(out, "description", json_string(text));
    return out;
}

static void add_rows(json_t *properties, json_t *required, const field *fields, int count, void *target,
                     void *context) {
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].key, "kind") != 0 || fields[i].read != kind_skip)
            set(properties, fields[i].key, row_schema(&fields[i], target, context));
        if (fields[i].required) json_array_append_new(required, json_string(fields[i].key));
    }
}

static json_t *object_schema(json_t *properties, json_t *required) {
    set(properties, "description", json_pack("{s:s}", "type", "string"));
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required", required,
                     "additionalProperties", 0);
}

scree_result schema_take_fields(const scene_node *node, const field *fields, int count, void *target,
                                void *context) {
    const probe *p = making.now;
    json_t *properties = json_object(), *required = json_array();
    if (p->kind_name) {
        set(properties, "kind", json_pack("{s:s}", "const", p->kind_name));
        json_array_append_new(required, json_string("kind"));
    }
    add_rows(properties, required, fields, count, target, context);
    return note(node, object_schema(properties, required));
}

scree_result schema_take_number(const scene_node *node, field_range range, const char *unit, bool whole) {
    json_t *out = number_schema(range, whole);
    if (unit) set(out, "description", json_string(unit));
    return note(node, out);
}

scree_result schema_take_numbers(const scene_node *node, field_range range, const char *unit, size_t size) {
    json_t *out = numbers_schema(range, size);
    if (unit) set(out, "description", json_string(unit));
    return note(node, out);
}

scree_result schema_take_names(const scene_node *node, const char *(*name)(int)) {
    return note(node, names_schema(name));
}

scree_result schema_take_array(const scene_node *node, size_t least, size_t most) {
    probe *p = making.now;
    if (!json_is_array(node->value)) {
        p->refused = true;
        return SCREE_ERROR_FORMAT;
    }
    if (node == p->root) {
        p->array = true;
        p->least = least;
        p->most = most;
    }
    return SCREE_OK;
}

scree_result schema_take_kind(const char *(*name)(int), int *out) {
    probe *p = making.now;
    *out = p->kind;
    p->kind_name = name(p->kind);
    p->last_kind = !name(p->kind + 1);
    return p->kind_name ? SCREE_OK : SCREE_ERROR_FORMAT;
}

scree_result schema_take_refusal(const char *message) {
    if (strstr(message, "the string \"x\"")) making.now->refused = true;
    return SCREE_ERROR_FORMAT;
}

/* Returns what a reader accepts of a probe that recorded nothing: anything, if it takes an object unseen; a
 * string unless it refuses its type; an array by its size. */
static json_t *untold_schema(const probe *p, scree_result result) {
    if (json_is_object(p->root->value) && result == SCREE_OK) return json_object();
    if (p->array)
        return json_pack("{s:s, s:I, s:I}", "type", "array", "minItems", (json_int_t)p->least, "maxItems",
                         (json_int_t)p->most);
    return json_is_string(p->root->value) && !p->refused ? json_pack("{s:s}", "type", "string") : NULL;
}

/* Returns `list` as one schema, which it releases. */
static json_t *any_of(json_t *list) {
    json_t *out = json_array_size(list) == 1 ? json_incref(json_array_get(list, 0)) : json_object();
    if (json_array_size(list) > 1) json_object_set(out, "anyOf", list);
    json_decref(list);
    return out;
}

/* Runs `read` over a value for one kind. */
static void run(field_reader *read, json_t *value, int kind, void *target, void *context, probe *out) {
    probe *outer = making.now;
    const scene_node object = {.source = &nowhere},
                     root = {.source = &nowhere, .value = value, .parent = &object, .key = element};
    *out = (probe){.root = &root, .kind = kind};
    making.now = out;
    const scree_result result = read(&root, target, context);
    if (!out->schema) out->schema = untold_schema(out, result);
    making.now = outer;
    out->root = NULL;
}

/* Appends `schema` to `list`, or releases it if the list has an equal one. */
static void append_new(json_t *list, json_t *schema) {
    bool known = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        known = known || json_equal(json_array_get(list, i), schema);
    if (known)
        json_decref(schema);
    else
        json_array_append_new(list, schema);
}

/* Adds what `read` accepts of a value like `value`, of each kind, to the list `out`. */
static void add_alternatives(field_reader *read, json_t *value, void *target, void *context, json_t *out) {
    json_t *kinds = json_array();
    probe p = {0}, shape = {0};
    for (int kind = 0; kind == 0 || (p.kind_name && !p.last_kind); kind++) {
        run(read, value, kind, target, context, &p);
        if (p.schema) {
            json_array_append_new(kinds, p.schema);
            shape = p;
        }
    }
    if (json_array_size(kinds) == 0)
        json_decref(kinds);
    else
        append_new(out, wrapped(&shape, any_of(kinds)));
}

static json_t *alternatives_schema(field_reader *read, void *target, void *context) {
    json_t *list = json_array(), *values[PROBES] = {json_pack("{s:{}}", element), json_pack("[{}]"),
                                                    json_string(element), json_real(1)};
    for (int i = 0; i < PROBES; i++) {
        add_alternatives(read, values[i], target, context, list);
        json_decref(values[i]);
    }
    return any_of(list);
}

static json_t *reference(int reader) {
    char path[64];
    snprintf(path, sizeof path, "#/$defs/%s", making.names[reader]);
    return json_pack("{s:s}", "$ref", path);
}

/* Returns the condition that `solver` has a stabilisation, and the names of its keys. */
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

/* Returns the value of a number, name or boolean of `def`, which the row describes. */
static json_t *value_at(const field *row, const scree_solver_def *def) {
    const char *at = (const char *)def + row->offset;
    char text[32];
    switch (row->type) {
    case FIELD_FLOAT:
        snprintf(text, sizeof text, "%.7g", (double)*(const float *)at); /* 0.3, not 0.300000012 */
        return json_real(strtod(text, NULL));
    case FIELD_INT:
        return json_integer(*(const int *)at);
    case FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case FIELD_ENUM:
        return json_string(row->name(*(const int *)at));
    default:
        return NULL;
    }
}

static void add_defaults(json_t *properties, field_table table, const scree_solver_def *def) {
    for (int i = 0; i < table.count; i++) {
        json_t *value = value_at(&table.fields[i], def);
        if (value) set(json_object_get(properties, table.fields[i].key), "default", value);
    }
}

/* Describes `solver`: the keys of all stabilisations, and which of them each one has. */
static json_t *solver_schema(void *target) {
    json_t *properties = json_object(), *rules = json_array(), *required = json_array();
    const field_table common = solver_fields();
    scree_solver_def usual = scree_default_solver_def();
    add_rows(properties, required, common.fields, common.count, target, NULL);
    add_defaults(properties, common, &usual);
    for (int i = 0; i < SCREE_STABILISATION_COUNT; i++) {
        const field_table own = stabilisation_fields((scree_stabilisation)i);
        add_rows(properties, required, own.fields, own.count, target, NULL);
        usual = scree_solver_def_with_stabilisation(usual, (scree_stabilisation)i);
        add_defaults(properties, own, &usual);
        json_t *condition =
            json_pack("{s:{s:{s:s}}, s:[s]}", "properties", "stabilisation", "const",
                      scree_stabilisation_name((scree_stabilisation)i), "required", "stabilisation");
        json_array_append_new(rules, stabilisation_rule(condition, (scree_stabilisation)i));
    }
    add_default_rules(rules);
    json_t *out = object_schema(properties, required);
    set(out, "allOf", rules);
    return out;
}

/* Describes what the reader of a row accepts. The keys of `solver` depend on each other, and `shapes` reads
 * each name once. */
static json_t *definition(const field *row, void *target, void *context) {
    static const field shape = {.key = "shape", .type = FIELD_OBJECT, .read = shape_read};
    scree_shape made;
    if (row->read == solver_read) return solver_schema(target);
    if (row->read != shapes_read) return alternatives_schema(row->read, target, context);
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                     reader_schema(&shape, &made, context));
}

/* Makes a definition of each reader once, so that shapes may contain shapes. */
static json_t *reader_schema(const field *row, void *target, void *context) {
    int i = 0;
    while (i < making.reader_count && making.readers[i] != row->read) i++;
    if (row->read == kind_skip) return json_object();
    if (i < making.reader_count) return reference(i);
    if (i == READERS_MOST) return json_object();
    making.readers[i] = row->read;
    making.reader_count++;
    snprintf(making.names[i], sizeof making.names[i], "%.40s-%d", row->key, i);
    set(making.definitions, making.names[i], definition(row, target, context));
    return reference(i);
}

json_t *schema_make(field_reader *read, void *target, void *context) {
    json_t *list = json_array(), *probe_value = json_object(), *out = NULL;
    making.definitions = json_object();
    making.reader_count = 0;
    add_alternatives(read, probe_value, target, context, list);
    json_decref(probe_value);
    if (json_array_size(list) == 1) {
        out = json_incref(json_array_get(list, 0));
        set(out, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
        set(out, "title", json_string("scree scene"));
        json_object_set(out, "$defs", making.definitions);
    }
    json_decref(making.definitions);
    json_decref(list);
    return out;
}
