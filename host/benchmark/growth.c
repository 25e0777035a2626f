#include "growth.h"

#include <math.h>
#include <stdio.h>

const int growth_sizes[GROWTH_SIZES] = {1000, 8000, 27000, 64000, 125000, 343000, 1000000};

static const char growth_scene[] =
    "{\"time_step\": 0.008333333333333333, \"run\": {\"steps\": 40},\n"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [%.4f, %.4f, %.4f], \"wall_thickness\": 0.1}],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"count\": %d, \"cells\": [%d, %d, %d], \"spacing\": 0.1015, "
    "\"jitter\": 0.0007,\n"
    "  \"position\": [0, 0, 0.001], \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}";

int growth_run(int spheres, const measurement_options *options, measurement *out) {
    char text[1024], name[32];
    const int side = (int)lround(cbrt(spheres));
    const double width = 0.1015 * side + 0.0015;
    snprintf(text, sizeof text, growth_scene, width, width, width + 0.5, spheres, side, side, side);
    snprintf(name, sizeof name, "spheres%d", spheres);
    measurement_options ours = *options;
    ours.rates = false, ours.repeats = 1;
    return measurement_run(name, text, &ours, out);
}
