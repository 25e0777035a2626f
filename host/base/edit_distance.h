/* How far a misspelt word is from a known one. */
#pragma once

enum { EDIT_DISTANCE_WORD = 40 }; /* characters of the longest word that is compared */

/* Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost 1 each.
 * EDIT_DISTANCE_WORD if a word is longer than that. */
int edit_distance(const char *a, const char *b);
