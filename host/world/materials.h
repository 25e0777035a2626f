/* Materials of a world and the table for pairs. */
#ifndef SCREE_WORLD_MATERIALS_H
#define SCREE_WORLD_MATERIALS_H

#include <scree/material.h>

typedef struct material_pair {
    int a, b; /* a ≤ b */
    scree_material_pair_def contact;
} material_pair;

typedef struct material_table {
    int count, capacity;
    scree_material_def *materials; /* [0] is the default material */
    int pair_count, pair_capacity;
    material_pair *pairs; /* sorted by (a, b) */
} material_table;

/* What a contact between materials of index a and b has: the pair table first, else combined as material.h
 * says. */
scree_material_pair_def material_combine(const material_table *table, int a, int b);
/* Whether any two of the materials may have rolling or spinning friction. */
bool material_resists(const material_table *table);
/* The largest distance over which any two of the materials pull at each other, m; below 0 if none do. */
float material_reach(const material_table *table);
scree_result material_table_init(material_table *table, const scree_material_def *first);
void material_table_release(material_table *table);
/* Ranges of a definition: ARGUMENT with a sentence naming the field. */
scree_result material_validate(const scree_material_def *def);
scree_result material_pair_validate(const scree_material_pair_def *def);
/* The index behind an id; null is the default material. Errors: HANDLE. */
scree_result material_index(const material_table *table, scree_material_id id, int *out);

#endif
