/* Number of bodies, walls included, that each grain of a zone touches with a force. Grains with fewer than
 * two are rattlers: without them the mean is Thornton's mechanical coordination number (2 N_c − N_1)/(N − N_0
 * − N_1) (Thornton 2000). */
#include "measurement.h"
#include "touch.h"

#include <math.h>
#include <string.h>

enum { GRAINS, MEAN, MECHANICAL, RATTLERS, SHARES, MOST = 12 };

static const measurement_quantity quantities[] = {
    {"grains", ""},   {"coordination", ""},      {"coordination_without_rattlers", ""},
    {"rattlers", ""}, {"share_0", ""},           {"share_1", ""},
    {"share_2", ""},  {"share_3", ""},           {"share_4", ""},
    {"share_5", ""},  {"share_6", ""},           {"share_7", ""},
    {"share_8", ""},  {"share_9", ""},           {"share_10", ""},
    {"share_11", ""}, {"share_12_and_more", ""},
};

/* Counts pairs; the points of a pair are consecutive. */
static void count_touches(const measurement_view *view) {
    touch_reader contacts = touch_read_loaded(view->world);
    scree_contact pair = {0};
    memset(view->counts, 0, sizeof *view->counts * (size_t)view->bodies.count);
    for (const scree_contact *at; (at = touch_next_loaded(&contacts)); pair = *at) {
        if (touch_same_pair(&pair, at)) continue;
        view->counts[at->a.index - 1]++;
        view->counts[at->b.index - 1]++;
    }
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    double held = 0, held_touches = 0, touches = 0;
    count_touches(view);
    for (int i = 0; i < MEASUREMENT_COUNT_OF(quantities); i++) out[i] = 0;
    for (int i = 0; i < view->bodies.count; i++) {
        double at[3];
        if (!measurement_is_grain(&view->bodies, i)) continue;
        if (!self->def.everywhere &&
            !scree_zone_holds(view->world, &zone, column_vec3(view->bodies.positions, i), at))
            continue;
        const int count = view->counts[i];
        out[GRAINS]++;
        out[SHARES + (count < MOST ? count : MOST)]++;
        touches += count;
        held += count >= 2;
        held_touches += count >= 2 ? count : 0;
    }
    const double grains = out[GRAINS];
    out[RATTLERS] = grains - held;
    out[MEAN] = grains > 0 ? touches / grains : NAN;
    out[MECHANICAL] = held > 0 ? held_touches / held : NAN;
    for (int i = SHARES; i < MEASUREMENT_COUNT_OF(quantities); i++)
        out[i] = grains > 0 ? out[i] / grains : NAN;
}

const measurement_kind measurement_coordination = MEASUREMENT_KIND("coordination", quantities);
