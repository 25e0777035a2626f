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
    ARRANGED_RUNS,      /* pairs of the entries: of children several form one */
    ARRANGED_PAIRS,     /* those, and those of joints alone */
    ARRANGED_ALONE,     /* pairs of joints alone */
    ARRANGED_UNLIMITED, /* 2^32 − 1: the length of an array that is full */
    ARRANGED_REFUSED,   /* bits of the reasons why it holds not all pairs: 0 if it does */
    ARRANGED_SLOTS,     /* bodies and one more */
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

/* Reasons why an arrangement does not hold all pairs. */
enum {
    REFUSED_COLOUR = 1, /* a pair with joints has no colour */
    REFUSED_BLOCKS = 2  /* a pair has more blocks than a tally counts, or more points than PAIR_POINTS */
};

enum { PAIR_POINTS = 10000 /* most contacts of children of the same bodies that form one pair */ };

/* Bits of a body's tally that count its blocks of one colour; in programs with ARRANGE_WIDE there are more,
 * for pairs of children, which may have many blocks. */
enum { TALLY_NARROW = 4, TALLY_WIDE = 16 };
#ifdef ARRANGE_WIDE
enum { TALLY_BITS = TALLY_WIDE };
#else
enum { TALLY_BITS = TALLY_NARROW };
#endif
enum {
    TALLY_MOST = (1 << TALLY_BITS) - 1,
    TALLY_COLOURS = 32 / TALLY_BITS,
    TALLY_WORDS = ARRANGED_COLOURS / TALLY_COLOURS
};

/* Returns the words of a body's tally whose counts have that many bits. */
SHARED int tally_words(int bits) { return ARRANGED_COLOURS * bits / 32; }

/* Returns the sum of the counts of a word of a tally. */
SHARED int tally_sum(unsigned int word) {
#ifdef ARRANGE_WIDE
    return (int)((word & 0xffffu) + (word >> 16));
#else
    const unsigned int pairs = (word & 0x0f0f0f0fu) + (word >> 4 & 0x0f0f0f0fu);
    return (int)((pairs * 0x01010101u) >> 24);
#endif
}

#endif
