/* Materials of a world and the table of material pairs. */
#pragma once

#include <scree/material.h>

typedef struct material_pair {
    int a, b; /* a ≤ b */
    scree_material_pair_def contact;
} material_pair;

typedef struct material_table {
    uint32_t world; /* world number in the ids */
    int count;      /* slots in use, including those of destroyed materials */
    int capacity, generation_capacity;
    scree_material_def *materials; /* [0]: the default material; a destroyed one has no effect */
    uint32_t *generations;         /* odd: alive; even: destroyed */
    int pair_count, pair_capacity;
    material_pair *pairs; /* sorted by (a, b) */
} material_table;

/* Returns the contact parameters of materials a and b: from the pair table, else combined as material.h
 * states. */
scree_material_pair_def material_combine(const material_table *table, int a, int b);
/* Returns whether any material or pair has rolling or spinning friction. */
bool material_resists(const material_table *table);
/* Writes a bit for each two materials a, b, at a · count + b: whether their contacts have rolling or spinning
 * friction. `bits` has material_resistance_words(table) words. */
void material_resistances(const material_table *table, uint32_t *bits);
static inline size_t material_resistance_words(const material_table *table) {
    return ((size_t)table->count * (size_t)table->count + 31) / 32;
}
/* Returns whether contacts of materials a and b have rolling or spinning friction. */
bool material_pair_resists(const material_table *table, int a, int b);
/* Returns whether any material or pair has restitution. */
bool material_bounces(const material_table *table);
/* Returns the largest cohesion distance of all materials and pairs, m; below 0 if none is cohesive. */
float material_reach(const material_table *table);
scree_result material_table_init(material_table *table, const scree_material_def *first);
void material_table_release(material_table *table);
/* Adds a material. Errors: ARGUMENT, MEMORY. */
scree_result material_table_add(material_table *table, const scree_material_def *def, scree_material_id *out);
/* Sets the contact parameters of materials a and b, in either order. Errors: ARGUMENT, MEMORY. */
scree_result material_table_set_pair(material_table *table, int a, int b, const scree_material_pair_def *def);
/* Removes the entry of a and b, if any. */
void material_table_unset_pair(material_table *table, int a, int b);
/* Removes a material and its pairs. */
void material_table_remove(material_table *table, int index);
static inline bool material_alive(const material_table *table, int index) {
    return table->generations[index] & 1;
}
scree_material_id material_id_of(const material_table *table, int index);
/* Checks the ranges of a definition. Errors: ARGUMENT (the message names the field). */
scree_result material_validate(const scree_material_def *def);
scree_result material_pair_validate(const scree_material_pair_def *def);
/* Finds the index of an id; the null id is the default material. Errors: HANDLE. */
scree_result material_index(const material_table *table, scree_material_id id, int *out);
