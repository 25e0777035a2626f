/* AVX2. */
#define SCREE_WIDTH 8
#define BALLS wide_balls_8
#include "wide_balls_body.h"
