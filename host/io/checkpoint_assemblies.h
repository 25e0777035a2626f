/* The assemblies of a checkpoint. */
#ifndef SCREE_IO_CHECKPOINT_ASSEMBLIES_H
#define SCREE_IO_CHECKPOINT_ASSEMBLIES_H

#include "checkpoint_state.h"

/* Counts the rows that they take; fills them; makes assemblies of them, in a world that has its bodies.
 * Errors: FORMAT with a sentence; MEMORY. */
void checkpoint_count_assemblies(const assembly_array *all, checkpoint_state *out);
void checkpoint_take_assemblies(const assembly_array *all, checkpoint_state *out);
scree_result checkpoint_give_assemblies(const checkpoint_state *self, scree_world *world);

#endif
