/* A game loop: frames of any length, fixed steps, spawned and removed bodies, contact events, a filtered ray,
 * and a return to an earlier step (rollback). */
#include "check.h"

enum { DEBRIS = 2, LEVEL = 1 }; /* groups */

static scree_body_id add_level(scree_world *world) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_STATIC;
    def.shape = scree_shape_half_space(); /* below z = 0 */
    def.groups = LEVEL;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static scree_body_id spawn(scree_world *world, int number) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = number % 2 ? scree_shape_box(0.2f, 0.2f, 0.2f) : scree_shape_sphere(0.2f);
    def.state.position = (scree_vec3){0.5f * (float)(number % 5), 0.5f * (float)(number / 5 % 5), 3};
    def.groups = DEBRIS;
    def.user_data = (uint64_t)number; /* the game's own number of the object */
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static int count_impacts(const scree_world *world) {
    enum { MOST = 64 };
    scree_body_pair pairs[MOST];
    const int count = scree_contact_list_begun(world, pairs, MOST);
    for (int i = 0; i < count && i < MOST; i++) {
        uint64_t object;
        CHECK(scree_body_get_user_data(world, pairs[i].b, &object)); /* play its sound here */
    }
    return count;
}

/* Returns the height of the debris under a point, without the level. */
static float height_at(scree_world *world, float x, float y) {
    const scree_ray down = {{x, y, 10}, {0, 0, -1}, 20};
    const scree_query_filter debris = {.mask = DEBRIS};
    scree_ray_hit hit;
    CHECK(scree_world_cast_ray(world, &down, &debris, &hit));
    return hit.body.index ? hit.point.z : 0;
}

int main(void) {
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    scree_world_snapshot *past;
    def.time_step = 1.0 / 60;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_world_set_contact_events(world, true));
    add_level(world);

    double pending = 0; /* simulated time that frames have asked for, s */
    int impacts = 0;
    scree_body_id first = {0};
    for (int frame = 0; frame < 300; frame++) {
        pending += frame % 7 ? 1.0 / 75 : 1.0 / 30; /* the time that the frame took */
        if (frame < 50 && frame % 2 == 0) {
            const scree_body_id id = spawn(world, frame / 2);
            if (frame == 0) first = id;
        }
        if (frame == 200) CHECK(scree_body_destroy(world, first));
        for (; pending >= def.time_step; pending -= def.time_step) {
            CHECK(scree_world_step(world, NULL));
            impacts += count_impacts(world);
        }
        /* Draw here: state + velocity × pending is the pose at the time of the frame. */
    }

    /* Rollback: go back half a second and play it again, with other input if need be. */
    CHECK(scree_world_snapshot_create(world, &past));
    for (int i = 0; i < 30; i++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_get_hash(world);
    CHECK(scree_world_snapshot_restore(past, world));
    for (int i = 0; i < 30; i++) CHECK(scree_world_step(world, NULL));
    printf("%d bodies, %d impacts, debris %.2f m high, replay %s\n", scree_body_count(world), impacts,
           (double)height_at(world, 1, 1), scree_world_get_hash(world) == hash ? "equal" : "different");
    scree_world_snapshot_destroy(past);
    scree_world_destroy(world);
    return 0;
}
