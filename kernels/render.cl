/* Snapshots: one work-item casts the rays of one pixel. */
#include "ray.h"

/* Bodies of one picture, and the tree over them. */
typedef struct scene {
    __global const ray_body *bodies;
    __global const ray_node *nodes;
    __global const ray_plane *planes;
    __global const ray_body *outlines;
} scene;

/* First intersection of a ray. */
typedef struct hit {
    scalar distance;
    int what; /* a body i ≥ 0, the plane ~i, or NOTHING */
} hit;

#define NOTHING 0x7fffffff

/* Returns the nearest of the bodies of a leaf except `skip`, if it is nearer than `best`. */
SHARED hit cast_leaf(scene s, ray_node leaf, vec3s origin, vec3s direction, int skip, hit best) {
    for (int body = leaf.end + leaf.child; body < leaf.end; ++body) {
        if (body == skip) continue;
        const scalar distance = ray_body_distance(origin, direction, s.bodies[body]);
        if (distance < best.distance) best.distance = distance, best.what = body;
    }
    return best;
}

/* Returns the first body within `limit`, except `skip`; with `any`, one of them. The nearer child is entered
 * first and at most one child per level is deferred, so the stack suffices for a tree of RAY_DEPTH levels
 * (guaranteed by detect/tree.h). */
SHARED hit cast(scene s, vec3s origin, vec3s direction, scalar limit, int skip, int any) {
    const vec3s inverse =
        vec3_of(ray_inverse(direction.x), ray_inverse(direction.y), ray_inverse(direction.z));
    int stack[RAY_DEPTH];
    scalar entries[RAY_DEPTH];
    int waiting = 0, next = 0;
    hit best;
    best.distance = limit, best.what = NOTHING;
    for (;;) {
        const ray_node node = s.nodes[next];
        if (node.child > 0) {
            __global const ray_node *left = s.nodes + node.child, *right = left + 1;
            const scalar left_entry = ray_bounds(origin, inverse, left->lower, left->upper, best.distance);
            const scalar right_entry = ray_bounds(origin, inverse, right->lower, right->upper, best.distance);
            const int swap = right_entry < left_entry;
            const scalar second = swap ? left_entry : right_entry;
            if (second < best.distance && waiting < RAY_DEPTH) {
                stack[waiting] = node.child + !swap;
                entries[waiting] = second;
                ++waiting;
            }
            if ((swap ? right_entry : left_entry) < best.distance) {
                next = node.child + swap;
                continue;
            }
        } else {
            best = cast_leaf(s, node, origin, direction, skip, best);
            if (any && best.what != NOTHING) return best;
        }
        while (waiting > 0 && entries[waiting - 1] >= best.distance) --waiting;
        if (waiting == 0) return best;
        next = stack[--waiting];
    }
}

SHARED vec3s plane_normal(ray_plane plane) { return rotate(plane.rotation, vec3_of(0, 0, 1)); }

/* Returns the first intersection of a ray from the eye. */
SHARED hit look(scene s, ray_view view, vec3s direction) {
    hit best;
    best.distance = RAY_FAR, best.what = NOTHING;
    for (int i = 0; i < view.plane_count; ++i) {
        const scalar distance =
            ray_half_space(view.eye, direction, s.planes[i].position, plane_normal(s.planes[i]));
        if (distance < best.distance) best.distance = distance, best.what = ~i;
    }
    if (view.node_count == 0) return best;
    const hit body = cast(s, view.eye, direction, best.distance, NOTHING, 0);
    return body.what == NOTHING ? best : body;
}

/* Returns a number in 0 … 1 for a pixel, evenly distributed over any neighbourhood of pixels: the fractional
 * part of column/p + row/p², p = 1.3247… with p³ = p + 1 (Roberts 2018, the R₂ sequence), in integers, which
 * every device computes alike. */
SHARED scalar spread_over(int column, int row) {
    return (scalar)(((uint)column * 3242174889u + (uint)row * 2447445414u) >> 8) * (scalar)0x1p-24f;
}

/* Returns the direction to the light for the sample (i, j) of a pixel. Its (u, v) in −1 … 1 differ for each
 * sample, so that the samples together see an area light. n × n samples have n² different u and n² different
 * v (Chiu, Shirley and Wang 1994). `shift` in 0 … 1, which differs from pixel to pixel, moves them within
 * their strips, so that the edge of a shadow is a ramp instead of steps. */
SHARED vec3s light_direction(ray_view view, int i, int j, scalar shift) {
    const scalar stride = (scalar)2 / view.samples, within = (scalar)1 / view.samples;
    const scalar u = (j + (i + shift) * within) * stride - 1,
                 v = (view.samples - 1 - i + (j + shift) * within) * stride - 1;
    const vec3s a = tangent_of(view.light), b = glms_vec3_cross(view.light, a);
    return ray_normalised(ray_point(ray_point(view.light, a, u * view.spread), b, v * view.spread));
}

/* Returns the openness of a point to the ambient light from one ray: 0 … 1, darker the nearer a neighbour
 * within `reach` is. */
SHARED scalar openness(scene s, ray_view view, vec3s point, vec3s normal, int skip, int i, int j) {
    const scalar stride = (scalar)2 / view.samples;
    const scalar u = (i + 0.5f) * stride - 1, v = (j + 0.5f) * stride - 1;
    const vec3s a = tangent_of(normal), b = glms_vec3_cross(normal, a);
    const vec3s direction = ray_normalised(ray_point(ray_point(normal, a, u * 1.2f), b, v * 1.2f));
    const hit blocked = cast(s, point, direction, view.reach, skip, 0);
    return blocked.what == NOTHING ? 1 : blocked.distance / view.reach;
}

/* Returns the light along the ray of one sample. */
SHARED vec3s sample(scene s, ray_view view, vec3s direction, int i, int j, scalar shift) {
    const vec3s background = ray_background(direction);
    const hit seen = look(s, view, direction);
    vec3s light = background;
    if (seen.what != NOTHING) {
        const vec3s point = ray_point(view.eye, direction, seen.distance);
        const int on_plane = seen.what < 0;
        vec3s normal, colour;
        scalar gloss = 0, shown = 1;
        if (on_plane) {
            const ray_plane plane = s.planes[~seen.what];
            const vec3s flat = rotate_inverse(plane.rotation, glms_vec3_sub(point, plane.position));
            normal = plane_normal(plane);
            const scalar slant = scalar_max(-glms_vec3_dot(direction, normal), 1e-6f);
            colour = ray_ground(flat.x, flat.y, view.tile, seen.distance * view.pixel / slant);
            shown = ray_fading(seen.distance / view.fade);
        } else {
            normal = ray_body_normal(view.eye, direction, seen.distance, s.bodies[seen.what]);
            colour = s.bodies[seen.what].colour;
            gloss = s.bodies[seen.what].gloss;
        }
        const int skip = on_plane ? NOTHING : seen.what;
        const vec3s towards = light_direction(view, i, j, shift);
        scalar lit = glms_vec3_dot(normal, towards) > 0, open = 1;
        if (view.node_count > 0) {
            if (lit > 0 && cast(s, point, towards, RAY_FAR, skip, 1).what != NOTHING) lit = 0;
            open = openness(s, view, point, normal, skip, i, j);
        }
        light = vec3_mix(background, ray_shade(colour, normal, direction, towards, lit, open, gloss), shown);
    }
    for (int k = 0; k < view.outline_count; ++k)
        if (ray_outline(view.eye, direction, s.outlines[k], 2 * view.pixel) < seen.distance)
            light = vec3_mix(light, vec3_of(0.10f, 0.11f, 0.13f), 0.5f);
    return light;
}

/* Draws the rows [first_row, first_row + rows) of the picture, as 0x00RRGGBB. Work-items beyond its edges do
 * nothing. */
__kernel void render(__global const ray_body *bodies, __global const ray_node *nodes,
                     __global const ray_plane *planes, __global const ray_body *outlines, ray_view view,
                     int first_row, int rows, __global uint *pixels) {
    const int column = (int)get_global_id(0), band_row = (int)get_global_id(1), row = first_row + band_row;
    if (column >= view.width || band_row >= rows) return;
    scene s;
    s.bodies = bodies, s.nodes = nodes, s.planes = planes, s.outlines = outlines;
    const scalar stride = (scalar)1 / view.samples;
    vec3s sum = glms_vec3_zero();
    const scalar shift = view.samples > 1 ? spread_over(column, row) : (scalar)0.5f;
    for (int i = 0; i < view.samples; ++i)
        for (int j = 0; j < view.samples; ++j) {
            const scalar x = 2 * (column + (j + 0.5f) * stride) / view.width - 1;
            const scalar y = 1 - 2 * (row + (i + 0.5f) * stride) / view.height;
            const vec3s direction =
                ray_normalised(ray_point(ray_point(view.forward, view.right, x), view.up, y));
            sum = glms_vec3_add(sum, sample(s, view, direction, i, j, shift));
        }
    const vec3s mean = glms_vec3_scale(sum, stride * stride);
    pixels[band_row * view.width + column] =
        (uint)ray_byte(mean.x) << 16 | (uint)ray_byte(mean.y) << 8 | (uint)ray_byte(mean.z);
}
