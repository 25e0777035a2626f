/* native_matrix.c with double as the dialect's scalar. */
#define SCREE_DOUBLE
#include "native_matrix.c"
