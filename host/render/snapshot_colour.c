#include "snapshot_colour.h"

#include "base/memory.h"
#include "base/vector.h"

#include <stdlib.h>

/* 8-bit display colours, as in their sources. */
static const uint8_t speed_colours[][3] = {
    {0x45, 0x75, 0xb4}, {0x74, 0xad, 0xd1}, {0xab, 0xd9, 0xe9}, {0xe0, 0xf3, 0xf8}, {0xff, 0xff, 0xbf},
    {0xfe, 0xe0, 0x90}, {0xfd, 0xae, 0x61}, {0xf4, 0x6d, 0x43}, {0xd7, 0x30, 0x27}, {0xa5, 0x00, 0x26}};
static const uint8_t height_colours[][3] = {
    {0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3e, 0x49, 0x89}, {0x31, 0x68, 0x8e}, {0x26, 0x82, 0x8e},
    {0x1f, 0x9e, 0x89}, {0x35, 0xb7, 0x79}, {0x6e, 0xce, 0x58}, {0xb5, 0xde, 0x2b}, {0xfd, 0xe7, 0x25}};
static const uint8_t force_colours[][3] = {{0xff, 0xff, 0xcc}, {0xff, 0xed, 0xa0}, {0xfe, 0xd9, 0x76},
                                           {0xfe, 0xb2, 0x4c}, {0xfd, 0x8d, 0x3c}, {0xfc, 0x4e, 0x2a},
                                           {0xe3, 0x1a, 0x1c}, {0xbd, 0x00, 0x26}, {0x80, 0x00, 0x26}};
static const uint8_t material_colours[][3] = {
    {0x4e, 0x79, 0xa7}, {0xf2, 0x8e, 0x2b}, {0x59, 0xa1, 0x4f}, {0xe1, 0x57, 0x59}, {0xb0, 0x7a, 0xa1},
    {0xed, 0xc9, 0x48}, {0x76, 0xb7, 0xb2}, {0xff, 0x9d, 0xa7}, {0x9c, 0x75, 0x5f}, {0xba, 0xb0, 0xac},
    {0xa0, 0xcb, 0xe8}, {0xff, 0xbe, 0x7d}, {0x8c, 0xd1, 0x7d}, {0xff, 0x7f, 0x7f}, {0xd4, 0xa6, 0xc8},
    {0xf1, 0xce, 0x63}, {0x49, 0x98, 0x94}, {0xfa, 0xbf, 0xd2}, {0xd7, 0xb5, 0xa6}, {0x79, 0x70, 0x6e}};
enum {
    SPEED_COLOURS = sizeof speed_colours / 3,
    HEIGHT_COLOURS = sizeof height_colours / 3,
    FORCE_COLOURS = sizeof force_colours / 3,
    MATERIAL_COLOURS = sizeof material_colours / 3
};

/* The inverse of ray_byte. */
static vec3s linear_light(vec3s display) { return glms_vec3_mul(display, display); }

static vec3s between(const uint8_t (*colours)[3], int count, scalar fraction) {
    const scalar place = scalar_clamp(fraction, 0, 1) * (scalar)(count - 1);
    const int first = place < (scalar)(count - 1) ? (int)place : count - 2;
    const scalar weight = place - (scalar)first;
    vec3s display;
    for (int channel = 0; channel < 3; channel++)
        *vec3_component(&display, channel) =
            ((1 - weight) * colours[first][channel] + weight * colours[first + 1][channel]) / 255;
    return linear_light(display);
}

/* Blue (0) over yellow to red (1): ColorBrewer's RdYlBu, reversed (Brewer, Hatchard and Harrower 2003). */
static vec3s colour_of_speed(scalar fraction) { return between(speed_colours, SPEED_COLOURS, fraction); }

/* Dark blue (0) over green to yellow (1), perceptually uniform: Matplotlib's viridis (Smith and van der Walt
 * 2015). */
static vec3s colour_of_height(scalar fraction) { return between(height_colours, HEIGHT_COLOURS, fraction); }

/* Pale yellow (0) over orange to dark red (1): ColorBrewer's YlOrRd. */
static vec3s colour_of_force(scalar fraction) { return between(force_colours, FORCE_COLOURS, fraction); }

vec3s snapshot_colour_material(int material) {
    const int row = (int)((unsigned)material % MATERIAL_COLOURS);
    return linear_light(vec3_of((scalar)material_colours[row][0] / 255,
                                (scalar)material_colours[row][1] / 255,
                                (scalar)material_colours[row][2] / 255));
}

/* Returns a hash of x (the finaliser of MurmurHash3). */
static uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Returns one channel of a fully saturated hue (0 … 6). */
static scalar hue_channel(scalar hue, scalar peak) {
    const scalar away = scalar_abs(hue - peak);
    return scalar_clamp(2 - scalar_min(away, 6 - away), 0, 1);
}

vec3s snapshot_colour_id(uint32_t index) {
    const uint32_t golden = 2654435769u; /* 2³² (√5 − 1)/2 */
    const scalar hue = (scalar)(index * golden >> 8) * (6 / (scalar)(1 << 24));
    const scalar value = 0.70f + 0.25f * (scalar)(mixed(index) & 255) / 255;
    const vec3s pure = vec3_of(hue_channel(hue, 0), hue_channel(hue, 2), hue_channel(hue, 4));
    const vec3s display =
        glms_vec3_add(glms_vec3_scale(pure, 0.6f * value), glms_vec3_scale(vec3_of(1, 1, 1), 0.4f * value));
    return linear_light(display);
}

/* Static bodies: grey; kinematic bodies: a little darker and warmer. */
static vec3s colour_of_fixed(scree_body_type type) {
    return type == SCREE_BODY_KINEMATIC ? vec3_of(0.38f, 0.33f, 0.27f) : vec3_of(0.48f, 0.48f, 0.48f);
}

enum {
    VELOCITY = 1 << SCREE_FRAME_VELOCITY,
    SPIN = 1 << SCREE_FRAME_ANGULAR_VELOCITY,
    MATERIAL = 1 << SCREE_FRAME_MATERIAL,
    MASS = 1 << SCREE_FRAME_MASS,
    COUNT = 1 << SCREE_FRAME_CONTACT_COUNT,
    ENERGY = 1 << SCREE_FRAME_KINETIC_ENERGY,
    IMPULSE = 1 << SCREE_FRAME_IMPULSE,
    GAP = 1 << SCREE_FRAME_GAP
};

static scalar speed_of(const scree_frame *frame, int i) {
    return glms_vec3_norm(vec3_in(frame->states[i].linear_velocity));
}
static scalar spin_of(const scree_frame *frame, int i) {
    return glms_vec3_norm(vec3_in(frame->states[i].angular_velocity));
}
static scalar height_of(const scree_frame *frame, int i) { return frame->states[i].position.z; }
static scalar size_of(const scree_frame *frame, int i) {
    return (scalar)scree_shape_get_sieve_size(frame->shapes[i]);
}
/* g, the unit that SI prefixes precede */
static scalar mass_of(const scree_frame *frame, int i) { return 1000 * frame->masses[i]; }
static scalar count_of(const scree_frame *frame, int i) { return (scalar)frame->contact_counts[i]; }
static scalar energy_of(const scree_frame *frame, int i) { return (scalar)frame->kinetic_energies[i]; }
static scalar velocity_x_of(const scree_frame *frame, int i) { return frame->states[i].linear_velocity.x; }
static scalar velocity_y_of(const scree_frame *frame, int i) { return frame->states[i].linear_velocity.y; }
static scalar velocity_z_of(const scree_frame *frame, int i) { return frame->states[i].linear_velocity.z; }

#define VELOCITY_ROW(AXIS)                                                                                   \
    {                                                                                                        \
        .name = "velocity-" #AXIS, .label = "velocity " #AXIS, .unit = "m/s", .colour = colour_of_speed,     \
        .needs = VELOCITY, .needed = "velocities", .value = velocity_##AXIS##_of, .robust = true,            \
        .signs = true                                                                                        \
    }

static const colouring_row rows[] = {
    [SCREE_COLOURING_SPEED] = {.name = "speed",
                               .label = "speed",
                               .unit = "m/s",
                               .colour = colour_of_speed,
                               .needs = VELOCITY,
                               .needed = "velocities",
                               .value = speed_of,
                               .from_zero = true},
    [SCREE_COLOURING_DEPTH] = {.name = "depth",
                               .label = "height",
                               .unit = "m",
                               .colour = colour_of_height,
                               .value = height_of,
                               .robust = true},
    [SCREE_COLOURING_ID] = {.name = "id"},
    [SCREE_COLOURING_SIZE] =
        {.name = "size", .label = "size", .unit = "m", .colour = colour_of_height, .value = size_of},
    [SCREE_COLOURING_MATERIAL] = {.name = "material",
                                  .label = "material",
                                  .needs = MATERIAL,
                                  .needed = "materials"},
    [SCREE_COLOURING_FORCE] = {.name = "force",
                               .label = "force",
                               .unit = "N",
                               .colour = colour_of_force,
                               .needs = IMPULSE,
                               .needed = "impulses of contacts",
                               .from_zero = true,
                               .robust = true},
    [SCREE_COLOURING_SPIN] = {.name = "spin",
                              .label = "spin",
                              .unit = "rad/s",
                              .colour = colour_of_speed,
                              .needs = SPIN,
                              .needed = "angular velocities",
                              .value = spin_of,
                              .from_zero = true},
    [SCREE_COLOURING_MASS] = {.name = "mass",
                              .label = "mass",
                              .unit = "g",
                              .colour = colour_of_height,
                              .needs = MASS,
                              .needed = "masses",
                              .value = mass_of},
    [SCREE_COLOURING_CONTACTS] = {.name = "contacts",
                                  .label = "contacts",
                                  .unit = "",
                                  .colour = colour_of_height,
                                  .needs = COUNT,
                                  .needed = "numbers of contacts",
                                  .value = count_of,
                                  .from_zero = true},
    [SCREE_COLOURING_ENERGY] = {.name = "energy",
                                .label = "energy",
                                .unit = "J",
                                .colour = colour_of_force,
                                .needs = ENERGY,
                                .needed = "kinetic energies",
                                .value = energy_of,
                                .from_zero = true,
                                .robust = true},
    [SCREE_COLOURING_OVERLAP] = {.name = "overlap",
                                 .label = "overlap",
                                 .unit = "m",
                                 .colour = colour_of_force,
                                 .needs = GAP,
                                 .needed = "gaps of contacts",
                                 .from_zero = true,
                                 .robust = true},
    [SCREE_COLOURING_VELOCITY_X] = VELOCITY_ROW(x),
    [SCREE_COLOURING_VELOCITY_Y] = VELOCITY_ROW(y),
    [SCREE_COLOURING_VELOCITY_Z] = VELOCITY_ROW(z),
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_COLOURING_COUNT, "every colouring has a row");

const colouring_row *colouring_row_of(scree_colouring colouring) { return &rows[colouring]; }

double snapshot_mean_radius(const scree_frame *frame) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < frame->count; i++)
        if (frame->types[i] == SCREE_BODY_DYNAMIC) {
            sum += scree_shape_get_radius(frame->shapes[i]);
            count++;
        }
    return count ? sum / count : 0;
}

int snapshot_find(const scree_frame *frame, scree_body_id id) {
    int low = 0, high = frame->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (frame->ids[middle].index < id.index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frame->count && frame->ids[low].index == id.index ? low : -1;
}

/* Adds the normal forces of each body's contacts. */
static void add_forces(const scree_frame *frame, scalar *values) {
    if (!(frame->time_step > 0)) return;
    for (int i = 0; i < frame->contact_count; i++) {
        const scree_contact *contact = &frame->contacts[i];
        const scalar push = glms_vec3_dot(vec3_in(contact->normal), vec3_in(contact->impulse));
        const scalar force = scalar_abs(push) / frame->time_step;
        const int ends[2] = {snapshot_find(frame, contact->a), snapshot_find(frame, contact->b)};
        for (int k = 0; k < 2; k++)
            if (ends[k] >= 0) values[ends[k]] += force;
    }
}

/* Sets the deepest overlap of each body's contacts. */
static void find_overlaps(const scree_frame *frame, scalar *values) {
    for (int i = 0; i < frame->contact_count; i++) {
        const scree_contact *contact = &frame->contacts[i];
        const int ends[2] = {snapshot_find(frame, contact->a), snapshot_find(frame, contact->b)};
        for (int k = 0; k < 2; k++)
            if (ends[k] >= 0) values[ends[k]] = scalar_max(values[ends[k]], -contact->gap);
    }
}

static void find_values(const scree_frame *frame, scree_colouring colouring, scalar *values) {
    const colouring_row *row = &rows[colouring];
    for (int i = 0; row->value && i < frame->count; i++) values[i] = row->value(frame, i);
    if (colouring == SCREE_COLOURING_FORCE) add_forces(frame, values);
    if (colouring == SCREE_COLOURING_OVERLAP) find_overlaps(frame, values);
}

static int compare(const void *a, const void *b) {
    const scalar x = *(const scalar *)a, y = *(const scalar *)b;
    return (x > y) - (x < y);
}

/* Finds the ends of the colour scale. A robust scale of 100 bodies or more ignores the extreme 1 %, so that
 * one body that fell out of the box or is crushed does not leave all others a single colour. */
static scree_result find_ends(const scree_frame *frame, const scree_view *view, snapshot_scale *scale) {
    SCOPED scalar *sorted = memory_allocate((size_t)frame->count, sizeof *sorted);
    if (!sorted) return fail(SCREE_ERROR_MEMORY, "out of memory for the colours of %d bodies", frame->count);
    int count = 0;
    for (int i = 0; i < frame->count; i++)
        if (frame->types[i] == SCREE_BODY_DYNAMIC && isfinite(scale->values[i]))
            sorted[count++] = scale->values[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    const colouring_row *row = &rows[scale->colouring];
    const int left_out = row->robust ? count / 100 : 0;
    if (count) {
        scale->low = sorted[left_out];
        scale->high = sorted[count - 1 - left_out];
    }
    if (row->signs) scale->high = scalar_max(scalar_abs(scale->low), scalar_abs(scale->high));
    if (row->signs) scale->low = -scale->high;
    if (row->from_zero) scale->low = 0;
    const bool ranged =
        scale->colouring == SCREE_COLOURING_SPEED || scale->colouring == SCREE_COLOURING_FORCE;
    if (ranged && view->colour_range > 0) scale->high = view->colour_range;
    /* √(2 g d) is the speed of a fall through the mean diameter d. Below it nothing in a pile has moved far.
     */
    if (scale->colouring == SCREE_COLOURING_SPEED && !(view->colour_range > 0))
        scale->high = scalar_max(scale->high, (scalar)sqrt(2 * 9.81 * 2 * snapshot_mean_radius(frame)));
    scale->beyond = count && sorted[count - 1] > scale->high;
    return SCREE_OK;
}

/* Returns the smallest material index above `last` among dynamic bodies; −1: none. */
static int next_kind(const scree_frame *frame, int last) {
    int next = -1;
    for (int i = 0; i < frame->count; i++) {
        const int kind = frame->materials[i];
        if (frame->types[i] == SCREE_BODY_DYNAMIC && kind > last && (next < 0 || kind < next)) next = kind;
    }
    return next;
}

static void find_kinds(const scree_frame *frame, snapshot_scale *scale) {
    int kind = next_kind(frame, -1);
    for (; kind >= 0 && scale->kind_count < SNAPSHOT_KINDS; kind = next_kind(frame, kind))
        scale->kinds[scale->kind_count++] = kind;
    scale->more_kinds = kind >= 0;
}

scree_result snapshot_scale_make(const scree_frame *frame, const scree_view *view, snapshot_scale *out) {
    __attribute__((cleanup(snapshot_scale_release))) snapshot_scale scale = {.colouring = view->colouring};
    const colouring_row *row = &rows[view->colouring];
    if (row->needs & ~frame->fields)
        return fail(SCREE_ERROR_ARGUMENT,
                    "frame: no %s, which the colouring %s requires; depth, id and size work with any frame",
                    row->needed, row->name);
    if (view->colouring == SCREE_COLOURING_MATERIAL) find_kinds(frame, &scale);
    if (row->colour) {
        scale.values = memory_allocate((size_t)frame->count + 1, sizeof *scale.values);
        if (!scale.values)
            return fail(SCREE_ERROR_MEMORY, "out of memory for the colours of %d bodies", frame->count);
        find_values(frame, view->colouring, scale.values);
        TRY(find_ends(frame, view, &scale));
    }
    *out = scale;
    scale.values = NULL;
    return SCREE_OK;
}

void snapshot_scale_release(snapshot_scale *scale) {
    memory_release(scale->values);
    scale->values = NULL;
}

vec3s snapshot_colour_of(const snapshot_scale *scale, const scree_frame *frame, int body) {
    if (frame->types[body] != SCREE_BODY_DYNAMIC) return colour_of_fixed(frame->types[body]);
    const colouring_row *row = &rows[scale->colouring];
    const uint32_t index = frame->ids[body].index;
    if (!row->colour && !row->label) return snapshot_colour_id(index);
    vec3s colour;
    if (row->colour) {
        const scalar range = scale->high - scale->low;
        colour = row->colour(range > 0 ? (scale->values[body] - scale->low) / range : 0);
    } else {
        colour = snapshot_colour_material(frame->materials[body]);
    }
    /* Varies the brightness of each body, so that neighbours of equal colour remain distinguishable. */
    return glms_vec3_scale(colour, 0.88f + 0.24f * (scalar)(mixed(index) & 255) / 255);
}
