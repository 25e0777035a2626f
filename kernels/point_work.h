/* The work of contacts on the bodies between which they act, in double precision (host/rows/contact_work.c
 * has the derivation). For the host, and for devices with double precision. */
#ifndef SCREE_KERNELS_POINT_WORK_H
#define SCREE_KERNELS_POINT_WORK_H

#include "rotation.h"
#include "layout.h"

#if SCREE_WIDTH == 1

enum { WORK_SLICES = 64, WORK_NUMBERS = 4 }; /* runs of entries whose sums are added; numbers of work_terms */

/* Energies that a point's friction, its impact and its rolling and spinning friction lose, and that the drive
 * of a body which is not dynamic supplies, J. */
typedef struct work_terms {
    double of[WORK_NUMBERS];
} work_terms;

/* A body at a contact: its velocities before and after the step, and what acts on it. */
typedef struct work_body {
    body_velocity before, after;
    versors rotation;
    vec3s surface_velocity; /* of a belt, in body axes */
    vec3s arm;              /* of the contact, m */
    vec3s force, gravity;
    scalar mass, gravity_scale;
    int dynamic;
} work_body;

/* A point: what acts on b there. */
typedef struct work_point {
    vec3s normal, impulse, torque;
    scalar gap;
    double time_step;
} work_point;

typedef struct work_vector {
    double x, y, z;
} work_vector;

SHARED work_vector work_vector_of(vec3s v) {
    work_vector out;
    out.x = (double)v.x, out.y = (double)v.y, out.z = (double)v.z;
    return out;
}

SHARED double work_dot(work_vector a, work_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

SHARED work_vector work_difference(work_vector b, work_vector a) {
    b.x -= a.x, b.y -= a.y, b.z -= a.z;
    return b;
}

SHARED work_vector work_mean(work_vector a, work_vector b) {
    a.x = (a.x + b.x) / 2, a.y = (a.y + b.y) / 2, a.z = (a.z + b.z) / 2;
    return a;
}

/* Returns the velocity of a surface at a contact, with that of a belt. */
SHARED work_vector work_velocity(work_body body, body_velocity velocity, vec3s normal) {
    const vec3s runs = rotate(body.rotation, body.surface_velocity),
                flat = glms_vec3_sub(runs, glms_vec3_scale(normal, glms_vec3_dot(normal, runs)));
    const work_vector belt = work_vector_of(flat), w = work_vector_of(velocity.angular),
                      to = work_vector_of(body.arm);
    work_vector out = work_vector_of(velocity.linear);
    out.x += belt.x + w.y * to.z - w.z * to.y;
    out.y += belt.y + w.z * to.x - w.x * to.z;
    out.z += belt.z + w.x * to.y - w.y * to.x;
    return out;
}

/* Returns the acceleration by gravity and loads, m/s². */
SHARED work_vector work_acceleration(work_body body) {
    const work_vector push = work_vector_of(body.force), gravity = work_vector_of(body.gravity);
    const double mass = (double)body.mass, scale = (double)body.gravity_scale;
    work_vector out;
    out.x = out.y = out.z = 0;
    if (!(body.mass > 0)) return out;
    out.x = gravity.x * scale + push.x / mass;
    out.y = gravity.y * scale + push.y / mass;
    out.z = gravity.z * scale + push.z / mass;
    return out;
}

/* Velocities belong to a time half a step earlier (normal_row.h). A rebound at t within the step, with c + ũ
 * t + a t²/2 = 0 and ũ = u⁻ + a h/2, reaches the surface with u⁻ + a (t + h/2) and leaves it with u⁺ − a (h/2
 * − t), so that the mean of the two is ū + a t. Returns a t, m/s; 0 if the contact does not separate or
 * overlaps. */
SHARED double work_fall(double gap, double before, double after, double acceleration, double time_step) {
    const double now = before + acceleration * time_step / 2, square = now * now - 2 * acceleration * gap;
    if (!(gap > 0 && now < 0 && after > 0 && square > 0)) return 0;
    const double time = 2 * gap / (sqrt(square) - now);
    return acceleration * (time < time_step ? time : time_step);
}

SHARED work_terms work_of_point(work_point at, work_body a, work_body b) {
    const work_vector r = work_vector_of(at.impulse), n = work_vector_of(at.normal),
                      turn = work_vector_of(at.torque), a_before = work_velocity(a, a.before, at.normal),
                      a_after = work_velocity(a, a.after, at.normal),
                      b_before = work_velocity(b, b.before, at.normal),
                      b_after = work_velocity(b, b.after, at.normal),
                      spin_a = work_mean(work_vector_of(a.before.angular), work_vector_of(a.after.angular)),
                      spin_b = work_mean(work_vector_of(b.before.angular), work_vector_of(b.after.angular)),
                      mean_a = work_mean(a_before, a_after), mean_b = work_mean(b_before, b_after),
                      u = work_difference(mean_b, mean_a);
    const double fall =
        work_fall((double)at.gap, work_dot(n, b_before) - work_dot(n, a_before),
                  work_dot(n, b_after) - work_dot(n, a_after),
                  work_dot(n, work_acceleration(b)) - work_dot(n, work_acceleration(a)), at.time_step);
    work_terms out;
    out.of[0] = work_dot(r, u) - work_dot(r, n) * work_dot(u, n);
    out.of[1] = work_dot(r, n) * (work_dot(u, n) + fall);
    out.of[2] = work_dot(turn, work_difference(spin_b, spin_a));
    out.of[3] = 0;
    if (!a.dynamic) out.of[3] += work_dot(r, mean_a) + work_dot(turn, spin_a);
    if (!b.dynamic) out.of[3] -= work_dot(r, mean_b) + work_dot(turn, spin_b);
    return out;
}

/* Returns the sum with another point's work. */
SHARED double work_added(double sum, double more, int number) { return number < 3 ? sum - more : sum + more; }

#endif

#endif
