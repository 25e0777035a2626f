/** @file
 * Plots of points with error bars. */
#ifndef SCREE_TOOLS_PLOT_H
#define SCREE_TOOLS_PLOT_H

#include <scree/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A point of a plot. */
typedef struct scree_plot_point {
    double x, y;  /**< finite; a point with another number is not drawn */
    double error; /**< half of the length of the bar along y; NaN: no bar */
} scree_plot_point;

/** A plot: points in a frame with scales and labels. */
typedef struct scree_plot_def {
    int width, height;   /**< pixels, 240 … 8192 */
    const char *x_label; /**< text below the frame, ASCII; null: none */
    const char *y_label; /**< text above the frame, ASCII; null: none */
    bool x_logarithmic;  /**< true: a logarithmic x axis; all x are > 0 */
    const scree_plot_point *points;
    int count; /**< points, ≥ 0 */
} scree_plot_def;

/** Returns a plot of 960 × 720 pixels without labels and points. */
SCREE_API scree_plot_def scree_default_plot_def(void);
/** Draws a plot into a PNG file, which replaces that of the same name when it is complete. Errors: ARGUMENT
 * (outside a range), FILE, DISK_FULL, MEMORY. */
SCREE_API scree_result scree_plot_write(const char *path, const scree_plot_def *def);

#ifdef __cplusplus
}
#endif
#endif
