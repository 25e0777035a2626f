/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define BALLS wide_balls_4
#include "wide_balls_body.h"
