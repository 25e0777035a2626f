/* AVX-512. */
#define SCREE_WIDTH 16
#define BALLS wide_balls_16
#include "wide_balls_body.h"
