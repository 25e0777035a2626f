#include "snapshot_colour.h"

#include "../base/vector.h"
#include "camera.h"

/* 8-bit display colours, as their sources list them. */
static const uint8_t speed_colours[][3] = {
    {0x45, 0x75, 0xb4}, {0x74, 0xad, 0xd1}, {0xab, 0xd9, 0xe9}, {0xe0, 0xf3, 0xf8}, {0xff, 0xff, 0xbf},
    {0xfe, 0xe0, 0x90}, {0xfd, 0xae, 0x61}, {0xf4, 0x6d, 0x43}, {0xd7, 0x30, 0x27}, {0xa5, 0x00, 0x26}};
static const uint8_t height_colours[][3] = {
    {0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3e, 0x49, 0x89}, {0x31, 0x68, 0x8e}, {0x26, 0x82, 0x8e},
    {0x1f, 0x9e, 0x89}, {0x35, 0xb7, 0x79}, {0x6e, 0xce, 0x58}, {0xb5, 0xde, 0x2b}, {0xfd, 0xe7, 0x25}};
enum { SPEED_COLOURS = sizeof speed_colours / 3, HEIGHT_COLOURS = sizeof height_colours / 3 };

/* The inverse of ray_byte. */
static vec3s linear_light(vec3s display) { return glms_vec3_mul(display, display); }

static vec3s between(const uint8_t (*colours)[3], int count, scalar share) {
    const scalar place = scalar_clamp(share, 0, 1) * (scalar)(count - 1);
    const int first = place < (scalar)(count - 1) ? (int)place : count - 2;
    const scalar part = place - (scalar)first;
    vec3s display;
    for (int channel = 0; channel < 3; ++channel)
        *vec3_component(&display, channel) =
            ((1 - part) * colours[first][channel] + part * colours[first + 1][channel]) / 255;
    return linear_light(display);
}

vec3s snapshot_colour_speed(scalar share) { return between(speed_colours, SPEED_COLOURS, share); }

vec3s snapshot_colour_height(scalar share) { return between(height_colours, HEIGHT_COLOURS, share); }

/* A well-mixed 32-bit number (the finaliser of MurmurHash3). */
static uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* One channel of a hue (0 … 6) of full saturation. */
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

vec3s snapshot_colour_fixed(scree_body_type type) {
    return type == SCREE_BODY_KINEMATIC ? vec3_of(0.38f, 0.33f, 0.27f) : vec3_of(0.48f, 0.48f, 0.48f);
}

static scalar value_of(scree_colouring colouring, const scree_body_state *state) {
    return colouring == SCREE_COLOURING_SPEED ? glms_vec3_norm(vec3_in(state->linear_velocity))
                                              : state->position.z;
}

/* √(2 g d): what a body gains in a fall through the mean diameter d. Below it nothing in a pile has moved
 * far. */
static scalar settling_speed(const scree_frame *frame) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < frame->count; ++i)
        if (frame->types[i] == SCREE_BODY_DYNAMIC) sum += 2 * camera_radius(frame->shapes[i]), ++count;
    return count ? (scalar)sqrt(2 * 9.81 * sum / count) : 0;
}

snapshot_scale snapshot_scale_of(const scree_frame *frame, const scree_view *view) {
    snapshot_scale scale = {view->colouring, 0, 0};
    bool first = true;
    for (int i = 0; i < frame->count; ++i) {
        const scalar value = value_of(view->colouring, &frame->states[i]);
        if (frame->types[i] != SCREE_BODY_DYNAMIC || !isfinite(value)) continue;
        scale.low = first ? value : scalar_min(scale.low, value);
        scale.high = first ? value : scalar_max(scale.high, value);
        first = false;
    }
    if (view->colouring == SCREE_COLOURING_SPEED) {
        scale.low = 0;
        scale.high =
            view->colour_range > 0 ? view->colour_range : scalar_max(scale.high, settling_speed(frame));
    }
    return scale;
}

vec3s snapshot_colour_of(const snapshot_scale *scale, const scree_frame *frame, int body) {
    if (frame->types[body] != SCREE_BODY_DYNAMIC) return snapshot_colour_fixed(frame->types[body]);
    if (scale->colouring == SCREE_COLOURING_ID) return snapshot_colour_id(frame->ids[body].index);
    const scalar value = value_of(scale->colouring, &frame->states[body]), range = scale->high - scale->low;
    const scalar share = range > 0 ? (value - scale->low) / range : 0;
    const vec3s colour = scale->colouring == SCREE_COLOURING_SPEED ? snapshot_colour_speed(share)
                                                                   : snapshot_colour_height(share);
    /* Equal neighbours would melt into one surface: each keeps a brightness of its own. */
    return glms_vec3_scale(colour, 0.88f + 0.24f * (scalar)(mixed(frame->ids[body].index) & 255) / 255);
}
