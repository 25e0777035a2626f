/* Open Dynamics Engine, QuickStep (projected Gauss-Seidel over a friction pyramid), as Debian builds it. */
#include "peer.h"

#include <ode/ode.h>
#include <stdlib.h>

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID *bodies;
static int body_count, points;
static double step_length;

static void create(int iterations, double time_step) {
    dInitODE2(0);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world, iterations);
    dWorldSetAutoDisableFlag(world, 0);
    step_length = time_step;
}

static void add(const peer_body *b) {
    dGeomID geom = b->kind == 0   ? dCreateSphere(space, b->half[0])
                   : b->kind == 1 ? dCreateBox(space, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2])
                                  : dCreatePlane(space, 0, 0, 1, b->position[2]);
    dBodyID body = NULL;
    const dQuaternion q = {b->rotation[3], b->rotation[0], b->rotation[1], b->rotation[2]};
    if (b->mass > 0) {
        dMass mass;
        if (b->kind == 0)
            dMassSetSphereTotal(&mass, b->mass, b->half[0]);
        else
            dMassSetBoxTotal(&mass, b->mass, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
        body = dBodyCreate(world);
        dBodySetMass(body, &mass);
        dGeomSetBody(geom, body);
        dBodySetLinearVel(body, b->velocity[0], b->velocity[1], b->velocity[2]);
    }
    if (b->kind != 2) {
        dGeomSetPosition(geom, b->position[0], b->position[1], b->position[2]);
        dGeomSetQuaternion(geom, q);
    }
    bodies = realloc(bodies, (size_t)(body_count + 1) * sizeof *bodies);
    bodies[body_count++] = body;
}

static void meet(void *data, dGeomID a, dGeomID b) {
    enum { MOST = 8 };
    dContact found[MOST];
    (void)data;
    if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
    const int count = dCollide(a, b, MOST, &found[0].geom, sizeof *found);
    for (int i = 0; i < count; ++i) {
        found[i].surface.mode = dContactApprox1;
        found[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &found[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    points += count;
}

static int step(void) {
    points = 0;
    dSpaceCollide(space, NULL, meet);
    dWorldQuickStep(world, step_length);
    dJointGroupEmpty(contacts);
    return points;
}

static void read(int i, peer_body *out) {
    if (!bodies[i]) return;
    const dReal *p = dBodyGetPosition(bodies[i]), *q = dBodyGetQuaternion(bodies[i]),
                *v = dBodyGetLinearVel(bodies[i]);
    for (int c = 0; c < 3; ++c) out->position[c] = p[c], out->velocity[c] = v[c], out->rotation[c] = q[c + 1];
    out->rotation[3] = q[0];
}

const peer this_peer = {"ODE QuickStep", "0.16", create, add, step, read};
