/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define WIDE_CODE wide_code_4
#include "wide_point_body.h"
#include "wide_sweep_body.h"
#include "wide_fill_body.h"
#include "wide_measure_body.h"
#include "wide_motion_body.h"

const wide_code WIDE_CODE = {sweep_batches,  measure_batches, push_batches,   correct_batches, gather_bodies,
                             prepare_blocks, fill_batch,      predict_bodies, integrate_bodies};
