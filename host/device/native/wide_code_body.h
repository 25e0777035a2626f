/* The operations of one width; included by an object of each width, which defines SCREE_WIDTH and
 * WIDE_CODE. */
#include "wide_point_body.h"
#include "wide_sweep_body.h"
#include "wide_fill_body.h"
#include "wide_measure_body.h"
#include "wide_motion_body.h"

const wide_code WIDE_CODE = {.sweep = sweep_batches,
                             .residual = measure_batches,
                             .push = push_batches,
                             .correct = correct_batches,
                             .gather = gather_bodies,
                             .prepare = prepare_blocks,
                             .fill = fill_batch,
                             .predict = predict_bodies,
                             .integrate = integrate_bodies};
