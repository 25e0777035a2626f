/* Volume inside a box of the solid within a closed surface. Each triangle forms a tetrahedron with the
 * origin, whose volume is negative if the triangle is clockwise as seen from there. The signed volumes sum to
 * the solid, and their parts inside the box to its part there. A plane cuts a tetrahedron into one or three
 * on either side. */
#include "shape.h"

#include "base/vector.h"
#include "rotation.h"
#include "geometry.h"

typedef struct corner {
    double at[3];
} corner;

typedef struct tetrahedron {
    corner of[4];
} tetrahedron;

static double volume_of(const tetrahedron *t) {
    double edge[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) edge[i][k] = t->of[i + 1].at[k] - t->of[0].at[k];
    return fabs(edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) +
                edge[0][1] * (edge[1][2] * edge[2][0] - edge[1][0] * edge[2][2]) +
                edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0])) /
           6;
}

/* Returns the point where the line from a to b, at heights d and e over a plane, crosses it. */
static corner crossing(const corner *a, double d, const corner *b, double e) {
    corner out;
    for (int k = 0; k < 3; k++) out.at[k] = a->at[k] + d / (d - e) * (b->at[k] - a->at[k]);
    return out;
}

/* Returns the volume below the upper and above the lower planes from `plane` on: 2 × axis, + 1 for the
 * lower. */
static double below(const tetrahedron *t, const cut_box *box, int plane) {
    if (plane == 6) return volume_of(t);
    const int axis = plane / 2;
    corner in[4], out[4];
    double inner[4], outer[4];
    int ins = 0, outs = 0;
    for (int i = 0; i < 4; i++) {
        const double at = t->of[i].at[axis],
                     beyond = plane % 2 ? box->lower[axis] - at : at - box->upper[axis];
        if (beyond > 0)
            out[outs] = t->of[i], outer[outs++] = beyond;
        else
            in[ins] = t->of[i], inner[ins++] = beyond;
    }
    if (outs == 4) return 0;
    if (outs == 0) return below(t, box, plane + 1);
    if (ins == 1) {
        tetrahedron tip = {{in[0]}};
        for (int i = 0; i < 3; i++) tip.of[i + 1] = crossing(&in[0], inner[0], &out[i], outer[i]);
        return below(&tip, box, plane + 1);
    }
    /* A prism: triangles p and q, with edges from p[i] to q[i]. */
    corner p[3], q[3];
    if (ins == 3) {
        for (int i = 0; i < 3; i++) p[i] = in[i], q[i] = crossing(&in[i], inner[i], &out[0], outer[0]);
    } else {
        for (int i = 0; i < 2; i++) {
            corner *side = i ? q : p;
            side[0] = in[i];
            for (int k = 0; k < 2; k++) side[k + 1] = crossing(&in[i], inner[i], &out[k], outer[k]);
        }
    }
    const tetrahedron parts[3] = {
        {{p[0], p[1], p[2], q[2]}}, {{p[0], p[1], q[1], q[2]}}, {{p[0], q[0], q[1], q[2]}}};
    return below(&parts[0], box, plane + 1) + below(&parts[1], box, plane + 1) +
           below(&parts[2], box, plane + 1);
}

static corner corner_from(vec3s v) { return (corner){{(double)v.x, (double)v.y, (double)v.z}}; }

double cut_surface(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const mesh *surface = &shape.geometry->surface;
    cut_box around;
    double sum = 0;
    for (int k = 0; k < 3; k++)
        around.lower[k] = box->lower[k] - centre[k], around.upper[k] = box->upper[k] - centre[k];
    for (int i = 0; i < surface->count; i++) {
        const mesh_triangle *of = &surface->triangles[i];
        tetrahedron t = {{{{0, 0, 0}}}};
        for (int k = 0; k < 3; k++)
            t.of[k + 1] = corner_from(
                rotate(rotation, glms_vec3_scale(surface->vertices[of->corners[k]], shape.size.x)));
        const double part = below(&t, &around, 0);
        sum += glms_vec3_dot(of->normal, surface->vertices[of->corners[0]]) < 0 ? -part : part;
    }
    return sum;
}
