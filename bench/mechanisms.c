/* Three mechanisms in scree and in the Open Dynamics Engine: the distance between the two trajectories. Built
 * and run by bench/mechanisms. Arguments: the mechanism, the time step (s), the time (s); prints the largest
 * distance (m) between the two engines' bodies at any of a hundred moments. */
#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, MOMENTS = 100 };

static dWorldID peer;
static scree_world *ours;
static dBodyID theirs[MOST];
static scree_body_id ids[MOST];
static int count;

static void check(scree_result result) {
    if (result == SCREE_OK) return;
    fprintf(stderr, "%s\n", scree_error_get_message());
    exit(1);
}

/* Adds a box of mass m and half extents a, b, c at (x, 0, z), its x axis turned down about y by `angle`. */
static int add(double m, double a, double b, double c, double x, double z, double angle) {
    dMass mass;
    const dQuaternion q = {cos(angle / 2), 0, sin(angle / 2), 0};
    theirs[count] = dBodyCreate(peer);
    dMassSetBoxTotal(&mass, m, 2 * a, 2 * b, 2 * c);
    dBodySetMass(theirs[count], &mass);
    dBodySetPosition(theirs[count], x, 0, z);
    dBodySetQuaternion(theirs[count], q);
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_box((float)a, (float)b, (float)c), def.mass = (float)m;
    def.state.position = (scree_vec3){(float)x, 0, (float)z};
    def.state.rotation = (scree_quat){0, (float)q[2], 0, (float)q[0]};
    def.mask = 0; /* nothing touches */
    check(scree_body_create(ours, &def, &ids[count]));
    return count++;
}

static scree_joint_def between(scree_joint_kind kind, int a, int b, double x, double z, scree_vec3 axis) {
    scree_joint_def def = scree_default_joint_def(kind);
    if (a >= 0) def.a = ids[a];
    if (b >= 0) def.b = ids[b];
    check(
        scree_joint_get_frame(ours, &def, (scree_vec3){(float)x, 0, (float)z}, axis, (scree_vec3){0, 0, 0}));
    return def;
}

static dBodyID body_of(int i) { return i < 0 ? NULL : theirs[i]; }

/* Adds a hinge about y at (x, 0, z); −1 is the world. */
static void hinge(int a, int b, double x, double z) {
    dJointID joint = dJointCreateHinge(peer, NULL);
    const scree_joint_def def = between(SCREE_JOINT_HINGE, a, b, x, z, (scree_vec3){0, 1, 0});
    dJointAttach(joint, body_of(b), body_of(a));
    dJointSetHingeAnchor(joint, x, 0, z);
    dJointSetHingeAxis(joint, 0, 1, 0);
    check(scree_joint_create(ours, &def, NULL));
}

static void ball(int a, int b, double x, double z) {
    dJointID joint = dJointCreateBall(peer, NULL);
    const scree_joint_def def = between(SCREE_JOINT_BALL, a, b, x, z, (scree_vec3){1, 0, 0});
    dJointAttach(joint, body_of(b), body_of(a));
    dJointSetBallAnchor(joint, x, 0, z);
    check(scree_joint_create(ours, &def, NULL));
}

/* Adds a slider along x. */
static void slider(int b, double x) {
    dJointID joint = dJointCreateSlider(peer, NULL);
    const scree_joint_def def = between(SCREE_JOINT_SLIDER, -1, b, x, 0, (scree_vec3){1, 0, 0});
    dJointAttach(joint, body_of(b), NULL);
    dJointSetSliderAxis(joint, 1, 0, 0);
    check(scree_joint_create(ours, &def, NULL));
}

static void pendulum(void) { hinge(-1, add(1, 0.5, 0.02, 0.02, 0.5, 0, 0), 0, 0); }

/* A crank of 0.3 m that falls from 60°, a rod of 1 m and a slide along x. */
static void slider_crank(void) {
    const double r = 0.3, up = M_PI / 3, x = r * cos(up), z = r * sin(up), l = 1, reach = sqrt(l * l - z * z);
    const int crank = add(2, r / 2, 0.02, 0.02, x / 2, z / 2, -up),
              rod = add(1, l / 2, 0.02, 0.02, x + reach / 2, z / 2, asin(z / l)),
              slide = add(1, 0.05, 0.05, 0.05, x + reach, 0, 0);
    hinge(-1, crank, 0, 0);
    hinge(crank, rod, x, z);
    hinge(rod, slide, x + reach, 0);
    slider(slide, x + reach);
}

/* Eight links of 0.25 m between ball joints, released from the horizontal. */
static void chain(void) {
    for (int i = 0; i < 8; i++) {
        add(0.5, 0.125, 0.02, 0.02, 0.125 + 0.25 * i, 0, 0);
        ball(i - 1, i, 0.25 * i, 0);
    }
}

static double apart(void) {
    double worst = 0;
    for (int i = 0; i < count; i++) {
        scree_body_state state;
        const dReal *p = dBodyGetPosition(theirs[i]);
        check(scree_body_get_state(ours, ids[i], &state));
        worst = fmax(worst,
                     sqrt(pow((double)state.position.x - p[0], 2) + pow((double)state.position.y - p[1], 2) +
                          pow((double)state.position.z - p[2], 2)));
    }
    return worst;
}

int main(int argc, char **argv) {
    static const struct mechanism {
        const char *name;
        void (*build)(void);
    } mechanisms[] = {{"pendulum", pendulum}, {"slider-crank", slider_crank}, {"chain", chain}};
    if (argc != 4) return 2;
    const double h = atof(argv[2]), seconds = atof(argv[3]);
    scree_world_def def = scree_default_world_def();
    def.time_step = h, def.backend = SCREE_BACKEND_NATIVE, def.threads = 1;
    def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
    check(scree_world_create(&def, &ours));
    dInitODE2(0);
    peer = dWorldCreate();
    dWorldSetGravity(peer, 0, 0, -9.81);
    for (int i = 0; i < 3; i++)
        if (!strcmp(argv[1], mechanisms[i].name)) mechanisms[i].build();
    double worst = 0;
    const int steps = (int)lround(seconds / h), each = steps / MOMENTS > 0 ? steps / MOMENTS : 1;
    for (int step = 1; step <= steps; step++) {
        check(scree_world_step(ours, NULL));
        dWorldStep(peer, h);
        if (step % each == 0) worst = fmax(worst, apart());
    }
    printf("%.6g\n", worst);
    scree_world_destroy(ours);
    dWorldDestroy(peer);
    dCloseODE();
    return 0;
}
