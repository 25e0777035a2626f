/* The report of an arrangement on a device: words that the host reads, and counts that launches read. */
#ifndef SCREE_KERNELS_ARRANGEMENT_H
#define SCREE_KERNELS_ARRANGEMENT_H

#include "contact_set.h"
#include "survey.h"

enum {
    ARRANGED_COLOURS = 32, /* most colours, without the uncoloured remainder */
    ARRANGED_ROUNDS = 8    /* most rounds of the colouring that the whole device makes */
};

/* Words of the report. Those from ARRANGED_CONTACTS on are the counts of the contact set. Exponents
 * have ARRANGED_EXPONENT added. */
enum {
    ARRANGED_CONTACTS,
    ARRANGED_ENTRIES = ARRANGED_CONTACTS + CONTACTS_COUNTS, /* 0 if contacts did not fit into their set */
    ARRANGED_PAIRS,     /* those of the entries, and those of joints alone */
    ARRANGED_ALONE,     /* pairs of joints alone */
    ARRANGED_UNLIMITED, /* 2^32 − 1: the length of an array that is full */
    ARRANGED_REFUSED, /* not 0: a pair with joints has no colour, or a pair has more than TALLY_MOST blocks */
    ARRANGED_SLOTS,   /* bodies and one more */
    ARRANGED_BLOCKS,
    ARRANGED_REMAINDER_FIRST,  /* first block of the uncoloured remainder */
    ARRANGED_REMAINDER_BODIES, /* bodies with mass in the remainder */
    ARRANGED_REMAINDER_ENDS,   /* two for each of its groups */
    ARRANGED_REMAINDER_BLOCKS, /* of these ends */
    ARRANGED_REMAINDER_POINTS, /* contacts of its groups */
    ARRANGED_ENDS,   /* bodies with mass of the other groups with blocks, each counted for each group */
    ARRANGED_EMPTY,  /* groups without blocks, of joints without active rows */
    ARRANGED_PIECES, /* of bodies with more than GATHER_PIECE blocks */
    ARRANGED_PIECES_LISTED,
    ARRANGED_INCIDENCE,
    ARRANGED_HELD,          /* a bit for each colour with joints */
    ARRANGED_CHANGED,       /* whether groups of the last plan of the sweeps differ */
    ARRANGED_OTHERS,        /* of the colours without joints: a bit for each that balls.cl cannot sweep */
    ARRANGED_MIXED,         /* of these: a bit for each with other blocks than contacts */
    ARRANGED_MASS_EXPONENT, /* of survey_unit, as the next two */
    ARRANGED_DRIVE_SPEED,   /* bits of a float, as the two below */
    ARRANGED_KILOGRAMS,
    ARRANGED_CANDIDATES,                                         /* of the colouring, before each round */
    ARRANGED_FIRSTS = ARRANGED_CANDIDATES + ARRANGED_ROUNDS + 1, /* first groups of colours 0 … limit + 1 */
    ARRANGED_SMALLEST = ARRANGED_FIRSTS + ARRANGED_COLOURS + 2,  /* from here to the end: the survey */
    ARRANGED_REPORTED, /* the host reads the words before this one */
    ARRANGED_FASTEST = ARRANGED_REPORTED,
    ARRANGED_MOVABLE,
    ARRANGED_LIGHTEST,
    ARRANGED_HEAVIEST,
    ARRANGED_KINDS, /* of accelerations in use */
    ARRANGED_ACCELERATIONS,
    ARRANGED_WORDS = ARRANGED_ACCELERATIONS + SURVEY_KINDS,
    ARRANGED_SURVEY = ARRANGED_WORDS - ARRANGED_SMALLEST,
    ARRANGED_EXPONENT = 1024
};

/* Four bits of a body's tally count its blocks of one colour. */
enum {
    TALLY_BITS = 4,
    TALLY_MOST = (1 << TALLY_BITS) - 1,
    TALLY_COLOURS = 32 / TALLY_BITS,
    TALLY_WORDS = ARRANGED_COLOURS / TALLY_COLOURS
};

/* Number of pairs with joints for arrange_pairs where pairs are runs of entries instead. */
#define PAIRS_ARE_RUNS 0xffffffffu

/* Returns the sum of the counts of a word of a tally. */
SHARED int tally_sum(unsigned int word) {
    const unsigned int pairs = (word & 0x0f0f0f0fu) + (word >> TALLY_BITS & 0x0f0f0f0fu);
    return (int)((pairs * 0x01010101u) >> 24);
}

#endif
