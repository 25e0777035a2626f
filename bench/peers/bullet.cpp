/* Bullet, sequential impulses, as Debian builds it (single precision, one thread). */
#include "peer.h"

#include <btBulletDynamicsCommon.h>
#include <vector>

static btDiscreteDynamicsWorld *world;
static btCollisionDispatcher *dispatcher;
static std::vector<btRigidBody *> bodies;
static double step_length;

static void create(int iterations, double time_step) {
    dispatcher = new btCollisionDispatcher(new btDefaultCollisionConfiguration());
    world = new btDiscreteDynamicsWorld(dispatcher, new btDbvtBroadphase(),
                                        new btSequentialImpulseConstraintSolver(),
                                        new btDefaultCollisionConfiguration());
    world->setGravity(btVector3(0, 0, btScalar(-9.81)));
    world->getSolverInfo().m_numIterations = iterations;
    step_length = time_step;
}

static btVector3 vector_of(const double v[3]) {
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

static void add(const peer_body *b) {
    btCollisionShape *shape =
        b->kind == 0   ? static_cast<btCollisionShape *>(new btSphereShape(btScalar(b->half[0])))
        : b->kind == 1 ? static_cast<btCollisionShape *>(new btBoxShape(vector_of(b->half)))
                       : new btStaticPlaneShape(btVector3(0, 0, 1), btScalar(b->position[2]));
    btVector3 inertia(0, 0, 0);
    if (b->mass > 0) shape->calculateLocalInertia(btScalar(b->mass), inertia);
    btTransform pose(btQuaternion(btScalar(b->rotation[0]), btScalar(b->rotation[1]),
                                  btScalar(b->rotation[2]), btScalar(b->rotation[3])),
                     vector_of(b->position));
    if (b->kind == 2) pose.setIdentity();
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(b->mass), new btDefaultMotionState(pose), shape,
                                                  inertia);
    info.m_friction = btSqrt(btScalar(0.5)); /* the engine multiplies the two */
    info.m_restitution = 0;
    btRigidBody *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setLinearVelocity(vector_of(b->velocity));
    world->addRigidBody(body);
    bodies.push_back(body);
}

static int step(void) {
    world->stepSimulation(btScalar(step_length), 0, btScalar(step_length));
    int points = 0;
    for (int i = 0; i < dispatcher->getNumManifolds(); ++i)
        points += dispatcher->getManifoldByIndexInternal(i)->getNumContacts();
    return points;
}

static void read(int i, peer_body *out) {
    const btTransform &pose = bodies[size_t(i)]->getWorldTransform();
    const btQuaternion q = pose.getRotation();
    const double rotation[4] = {q.x(), q.y(), q.z(), q.w()};
    for (int c = 0; c < 3; ++c)
        out->position[c] = pose.getOrigin()[c], out->velocity[c] = bodies[size_t(i)]->getLinearVelocity()[c];
    for (int c = 0; c < 4; ++c) out->rotation[c] = rotation[c];
}

extern "C" const peer this_peer = {"Bullet", "3", create, add, step, read};
