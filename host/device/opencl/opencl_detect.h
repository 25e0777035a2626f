/* The boxes of bodies and the detection pass on the device (kernels/boxes.cl, detect.cl), as
 * detect/body_bounds.h and detect/detection_pass.h have them, for balls, boxes and half-spaces in worlds that
 * are not periodic. */
#pragma once

#include "opencl_contacts.h"

#include "detection.h"

/* A step as it would end, and the contacts of its rows. */
typedef struct device_trial {
    const device_bodies *bodies; /* at the beginning */
    const opencl_buffer *types;  /* slot_type, a byte for each body */
    const opencl_buffer *ends;   /* poses at the end */
    const opencl_buffer *planes; /* body_plane of each half-space; only the slots are read */
    cl_uint plane_count;
    const device_contacts *contacts;
    /* Dropped contacts: ascending indices of `pairs`, which are sorted; null: none. */
    const opencl_buffer *skims;
    device_word skim_count;
    cl_uint skim_capacity;
    const device_pairs *pairs;
    float margin, time_step; /* with which contacts were detected */
    float smallest;          /* bounds_smallest_half_width */
} device_trial;

/* Result of a pass. If `asks`, the pass must be made on the host, and `found` is not valid. */
typedef struct device_detection {
    bool asks;       /* a test or a search needs shapes, images or times of impact that kernels do not have */
    int straying;    /* bodies */
    bool deviates;   /* whether a kinematic body's displacement differs from h v */
    float turned;    /* largest displacement of a body's surface by rotation, m */
    int found;       /* new contacts */
    bool only_moved; /* whether all of them had contacts before */
} device_detection;

typedef struct opencl_detect {
    opencl_primitives *primitives;
    opencl_grid *grid;
    opencl_contacts narrow; /* of pairs of straying bodies */
    /* Bodies: displacement and rotation over h, trial_turn, and a byte that is 1 for straying ones. */
    opencl_buffer motions, turned, straying;
    opencl_buffer marks, skim_marks; /* words of contacts and of dropped ones: trial_news or DETECT_ASK */
    opencl_buffer counts;            /* DETECT_COUNTS words */
    cl_uint found_counts[DETECT_COUNTS], met_counts[CONTACTS_COUNTS]; /* as last read */
    opencl_buffer parts, tested;
    opencl_buffer boxes, planes, bare; /* of the trial motion: boxes, planes, shapes without half width */
    device_pairs near, unknown;        /* pairs of straying bodies; those without contact */
    device_contacts none, met;         /* no contacts; those of `unknown` */
    opencl_buffer flags, strays;       /* of bodies that stray: words, and their list if they are few */
    opencl_buffer unknown_flags, list, met_flags;
    opencl_buffer moved, recovered,
        kept; /* contacts that moved, dropped ones that overlap, entries of `met` */
    opencl_buffer slots, numbers;
    device_contacts found; /* of the last pass, sorted; nothing acts at their points */
} opencl_detect;

/* `primitives` and `grid`, which others use between calls, outlive the pass. */
void opencl_detect_open(opencl_detect *self, opencl_primitives *primitives, opencl_grid *grid);
/* A zeroed struct is allowed. */
void opencl_detect_close(opencl_detect *self);

/* Fills boxes as bounds_compute_padded does, the planes of the half-spaces with these slots, and the word
 * `count` with the number of bodies, as opencl_grid_search reads them. Boxes of shapes that are not convex
 * must have been written before. `boxes` and `planes` are reserved before; `slots` may be `planes`. Enqueues
 * commands and does not wait. Errors: KERNEL_BUILD, DEVICE. */
scree_result opencl_detect_boxes(opencl_primitives *primitives, const device_bodies *bodies,
                                 const opencl_buffer *types, float margin, float time_step,
                                 const opencl_buffer *boxes, const opencl_buffer *slots, cl_uint plane_count,
                                 const opencl_buffer *planes, device_word count);

/* Enqueues the tests of bodies, contacts and dropped contacts, which fill motions, marks and counts up to
 * DETECT_ASKED, and does not wait. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_detect_test(opencl_detect *self, const device_trial *trial);

/* Enqueues the read of the counts of the tests. Errors: DEVICE. */
scree_result opencl_detect_fetch(opencl_detect *self);
/* As opencl_detect_find, after opencl_detect_test, opencl_detect_fetch and a wait. */
scree_result opencl_detect_finish(opencl_detect *self, const device_trial *trial, device_detection *out);
/* Tests, waits for the counts, and fills `found` with new contacts as detection_pass_find does. Waits a
 * second time if bodies stray, a third time if some of them meet others without contact, and more often if
 * buffers were too small. Errors: those above, CAPACITY. */
scree_result opencl_detect_find(opencl_detect *self, const device_trial *trial, device_detection *out);
