/* Fields of schur2 (law.h) stored as rows with all lanes in each: Coulomb's preparation of A_cc, five
 * divisions, once per solve. The inverse of A_NN is not stored, because the block has its own. That one is 0
 * instead of 1 where nothing can move; such a block is never pressed. */
#ifndef SCREE_KERNELS_SCHUR2_ROW_H
#define SCREE_KERNELS_SCHUR2_ROW_H

enum {
    SCHUR2_SWAPPED,
    SCHUR2_SLOPE,
    SCHUR2_INVERSE_PIVOT,
    SCHUR2_INVERSE_REST,
    SCHUR2_SIZE,
    SCHUR2_PIVOT,
    SCHUR2_REST,
    SCHUR2_TRACE,
    SCHUR2_NUMBERS
};

/* Load and store the fields of s by LOAD(place) and STORE(place, number). */
#define SCHUR2_LOAD(s, LOAD)                                                                                 \
    ((s).swapped = mask_of_bits(LOAD(SCHUR2_SWAPPED)), (s).slope = LOAD(SCHUR2_SLOPE),                       \
     (s).inverse_pivot = LOAD(SCHUR2_INVERSE_PIVOT), (s).inverse_rest = LOAD(SCHUR2_INVERSE_REST),           \
     (s).size = LOAD(SCHUR2_SIZE), (s).pivot = LOAD(SCHUR2_PIVOT), (s).rest = LOAD(SCHUR2_REST),             \
     (s).trace = LOAD(SCHUR2_TRACE))
#define SCHUR2_STORE(s, STORE)                                                                               \
    (STORE(SCHUR2_SWAPPED, bits_of_mask((s).swapped)), STORE(SCHUR2_SLOPE, (s).slope),                       \
     STORE(SCHUR2_INVERSE_PIVOT, (s).inverse_pivot), STORE(SCHUR2_INVERSE_REST, (s).inverse_rest),           \
     STORE(SCHUR2_SIZE, (s).size), STORE(SCHUR2_PIVOT, (s).pivot), STORE(SCHUR2_REST, (s).rest),             \
     STORE(SCHUR2_TRACE, (s).trace))

#endif
