/* The contacts of a step on a device: entries sorted by (a, b, image), and their points. */
#ifndef SCREE_KERNELS_CONTACT_SET_H
#define SCREE_KERNELS_CONTACT_SET_H

#include "layout.h"

/* A pair's manifold and load, as in detect/contacts.h. */
typedef struct contact_head {
    int a, b;
    int image_count; /* 8 · image of b + number of points */
    int first;       /* index of its first point */
    vec3s normal;    /* unit, from a to b */
    scalar load;     /* N s */
} WORDS contact_head;

/* Data of a pair that few readers need. */
typedef struct contact_tag {
    int children; /* number of the two children that touch */
    int bits;     /* below */
} contact_tag;

/* Bits of a tag: the colour in the last step; the number of points whose impulse came from it, and flags. */
enum {
    TAG_COLOUR_MASK = 0xffff, /* as a short; −1: none */
    TAG_HITS_SHIFT = 16,
    TAG_HITS_MASK = 7,
    TAG_DEFERRED = 1 << 20,
    TAG_PREDICTED = 1 << 21
};

/* Normal row of a point as it was solved. */
typedef struct contact_row {
    scalar bias, compliance;
} contact_row;

enum { HEAD_COUNT_BITS = 3, HEAD_COUNT_MASK = 7 };

SHARED int head_count(contact_head head) { return head.image_count & HEAD_COUNT_MASK; }
/* Images are below 2^28 in magnitude. */
SHARED int head_image(contact_head head) { return (head.image_count - head_count(head)) / 8; }
SHARED int head_image_count(int image, int count) { return image * 8 + count; }

SHARED int tag_bits(int colour, int hits) {
    return (colour & TAG_COLOUR_MASK) | (hits & TAG_HITS_MASK) << TAG_HITS_SHIFT;
}
SHARED int tag_colour(int bits) { return (short)(bits & TAG_COLOUR_MASK); }
SHARED int tag_hits(int bits) { return bits >> TAG_HITS_SHIFT & TAG_HITS_MASK; }

#if SCREE_WIDTH == 1

/* Returns the impulse on b at a point, cohesion included: `pull` is that of cohesion along the normal, on a.
 */
SHARED vec3s impulse_pulled(vec3s impulse, vec3s normal, scalar pull) {
    return pull > 0 ? glms_vec3_sub(impulse, glms_vec3_scale(normal, pull)) : impulse;
}

/* Returns whether bodies touch at a point: its impulse is not zero, or its gap is at most 0. */
SHARED int point_touches(scalar gap, vec3s impulse) {
    return !(gap > 0) || impulse.x != 0 || impulse.y != 0 || impulse.z != 0;
}

#endif

/* Numbers that a search counts, also those of what did not fit. */
enum {
    CONTACTS_PAIRS,    /* entries */
    CONTACTS_POINTS,   /* their points */
    CONTACTS_LEFT,     /* pairs that the host must test */
    CONTACTS_SLOTS,    /* pairs whose points are held until they have their places */
    CONTACTS_EXAMINED, /* bodies that may pass each other */
    CONTACTS_SKIMS,    /* those among them that do, and have no entry */
    CONTACTS_ITEMS,    /* pairs of bodies without children, and of children that are near each other */
    CONTACTS_CLASHES,  /* pairs of bodies that are both made of triangles */
    CONTACTS_COUNTS
};

#ifdef __OPENCL_VERSION__
/* Returns the number of entries, or 0 if contacts did not fit into a set of these capacities. */
SHARED uint pairs_that_fit(global const uint *counts, const uint pairs, const uint points, const uint slots) {
    const int fits = counts[CONTACTS_PAIRS] <= pairs && counts[CONTACTS_POINTS] <= points &&
                     counts[CONTACTS_SLOTS] <= slots;
    return fits ? counts[CONTACTS_PAIRS] : 0;
}
#endif

/* Words of four scalars of such a slot: normal and count, points, features. */
enum { CONTACT_SLOT_WORDS = 6 };

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(contact_head) == 4 * sizeof(scalar) + 16, "contact_head");
STATIC_ASSERT(sizeof(contact_tag) == 8, "contact_tag");
STATIC_ASSERT(sizeof(contact_row) == 2 * sizeof(scalar), "contact_row");
#endif

#endif
