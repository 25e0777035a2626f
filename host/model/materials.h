/* Materials of a world and the table for pairs. */
#ifndef SCREE_MODEL_MATERIALS_H
#define SCREE_MODEL_MATERIALS_H

#include <scree/material.h>

typedef struct material_pair {
    int a, b; /* a ≤ b */
    scree_material_pair_def contact;
} material_pair;

typedef struct material_table {
    uint32_t world; /* number that the ids carry */
    int count;      /* slots in use, those of destroyed materials among them */
    int capacity, generation_capacity;
    scree_material_def *materials; /* [0] is the default material; one that was destroyed does nothing */
    uint32_t *generations;         /* odd: alive; even: destroyed */
    int pair_count, pair_capacity;
    material_pair *pairs; /* sorted by (a, b) */
} material_table;

/* What a contact between materials of index a and b has: the pair table first, else combined as material.h
 * says. */
scree_material_pair_def material_combine(const material_table *table, int a, int b);
/* Whether any two of the materials may have rolling or spinning friction. */
bool material_resists(const material_table *table);
/* Whether any two of them may bounce. */
bool material_bounces(const material_table *table);
/* The largest distance over which any two of the materials pull at each other, m; below 0 if none do. */
float material_reach(const material_table *table);
scree_result material_table_init(material_table *table, const scree_material_def *first);
void material_table_release(material_table *table);
/* Adds a material. Errors: ARGUMENT, MEMORY. */
scree_result material_table_add(material_table *table, const scree_material_def *def, scree_material_id *out);
/* What holds between the materials of index a and b, in either order. Errors: ARGUMENT, MEMORY. */
scree_result material_table_set_pair(material_table *table, int a, int b, const scree_material_pair_def *def);
/* Forgets what was set for a and b, if anything. */
void material_table_unset_pair(material_table *table, int a, int b);
/* Removes a material and its pairs. */
void material_table_remove(material_table *table, int index);
static inline bool material_alive(const material_table *table, int index) {
    return table->generations[index] & 1;
}
scree_material_id material_id_of(const material_table *table, int index);
/* Ranges of a definition: ARGUMENT with a sentence naming the field. */
scree_result material_validate(const scree_material_def *def);
scree_result material_pair_validate(const scree_material_pair_def *def);
/* The index behind an id; null is the default material. Errors: HANDLE. */
scree_result material_index(const material_table *table, scree_material_id id, int *out);

#endif
