/* Numbers of a detection pass on a device (detect.cl). */
#ifndef SCREE_KERNELS_DETECTION_H
#define SCREE_KERNELS_DETECTION_H

/* Words that a pass counts. DETECT_TURNED holds the bits of a float. */
enum {
    DETECT_BODIES,
    DETECT_STRAYS,    /* bodies that may need new contacts */
    DETECT_DEVIATES,  /* kinematic bodies whose displacement differs from h v */
    DETECT_TURNED,    /* largest displacement of a body's surface by rotation, m */
    DETECT_OTHERS,    /* bodies of shapes whose boxes and tests kernels do not have */
    DETECT_TESTED,    /* contacts and dropped contacts whose points at the end were found */
    DETECT_MOVED,     /* contacts that the rows do not predict */
    DETECT_WORTH,     /* those among them that justify another solve */
    DETECT_DROPPED,   /* dropped contacts that overlap */
    DETECT_ASKED,     /* contacts, dropped or not, that the host must test */
    DETECT_FEW,       /* straying bodies in the list of those that are few */
    DETECT_NEAR,      /* pairs that the grid finds for many straying bodies */
    DETECT_UNKNOWN,   /* pairs of straying bodies whose swept boxes meet, without contact */
    DETECT_MET,       /* those of them that overlap on the way or at the end */
    DETECT_LISTED,    /* contacts in the list of those that moved */
    DETECT_RECOVERED, /* dropped contacts in the list of those that overlap */
    DETECT_CHILDREN,  /* contacts of children that the rows do not predict */
    DETECT_COUNTS
};

/* Bit of a tested number that is of a dropped contact. */
#define TESTED_SKIM 0x80000000u

/* Mark of a contact that the host must test, after those of trial_news; a dropped contact that overlaps has
 * the mark TRIAL_SLIGHT. */
enum { DETECT_ASK = 3 };

/* Words that a work-group of the first launch contributes, from DETECT_STRAYS on. */
enum { DETECT_PART_WORDS = DETECT_OTHERS - DETECT_STRAYS + 1 };

#endif
