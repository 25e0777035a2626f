/* The numbers of one body of a frame, as text. */
#pragma once

#include <scree/tools/frame.h>

enum { NUMBER_LINES = 16, NUMBER_LINE = 64 };

typedef struct body_numbers {
    int count; /* 0: the body is not in the frame */
    char lines[NUMBER_LINES][NUMBER_LINE];
} body_numbers;

/* Returns id, kind, material, pose, velocities, mass, and contacts with their force of the body with this
 * index of its id, as far as the frame has them. */
body_numbers numbers_of(const scree_frame *frame, uint32_t index);
