/* AVX2. */
#define SCREE_WIDTH 8
#define SWEEP wide_sweep_8
#include "wide_sweep_body.h"
