/* AVX-512. */
#define SCREE_WIDTH 16
#define SWEEP wide_sweep_16
#include "wide_sweep_body.h"
