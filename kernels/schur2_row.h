/* Fields of schur2 (law.h) stored as rows with all lanes in each: Coulomb's preparation of A_cc, five
 * divisions, once per solve. The inverse of A_NN is not stored, because the block has its own. That one is 0
 * instead of 1 where nothing can move; such a block is never pressed. */
#ifndef SCREE_KERNELS_SCHUR2_ROW_H
#define SCREE_KERNELS_SCHUR2_ROW_H

enum {
    SCHUR2_INVERSE_SIZE,
    SCHUR2_SWAPPED,
    SCHUR2_PIVOT,
    SCHUR2_REST,
    SCHUR2_OFF,
    SCHUR2_TRACE,
    SCHUR2_SLOPE,
    SCHUR2_INVERSE_DETERMINANT,
    SCHUR2_NUMBERS
};

/* Load and store the fields of s by LOAD(place) and STORE(place, number). */
#define SCHUR2_LOAD(s, LOAD)                                                                                 \
    ((s).inverse_size = LOAD(SCHUR2_INVERSE_SIZE), (s).swapped = mask_of_bits(LOAD(SCHUR2_SWAPPED)),         \
     (s).pivot = LOAD(SCHUR2_PIVOT), (s).rest = LOAD(SCHUR2_REST), (s).off = LOAD(SCHUR2_OFF),               \
     (s).trace = LOAD(SCHUR2_TRACE), (s).slope = LOAD(SCHUR2_SLOPE),                                         \
     (s).inverse_determinant = LOAD(SCHUR2_INVERSE_DETERMINANT))
#define SCHUR2_STORE(s, STORE)                                                                               \
    (STORE(SCHUR2_INVERSE_SIZE, (s).inverse_size), STORE(SCHUR2_SWAPPED, bits_of_mask((s).swapped)),         \
     STORE(SCHUR2_PIVOT, (s).pivot), STORE(SCHUR2_REST, (s).rest), STORE(SCHUR2_OFF, (s).off),               \
     STORE(SCHUR2_TRACE, (s).trace), STORE(SCHUR2_SLOPE, (s).slope),                                         \
     STORE(SCHUR2_INVERSE_DETERMINANT, (s).inverse_determinant))

#endif
