/* Cost and effects of destroying or changing a body. Work is counted in pages: the pages of the world's
 * larger arrays are protected until first access, and every accessed page counts. A walk over all joints,
 * contacts or bodies of a kinematic group touches hundreds. */
#include "scenery.h"

#include "folder.h"
#include "joint_scenery.h"

#include <scree/tools/checkpoint.h>

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096, BLOCKS = 4096, LARGE = 4 * PAGE };

static struct {
    char *begin;
    size_t bytes;
} blocks[BLOCKS];
static int block_count;
static volatile int touched;

static void *paged_allocate(size_t bytes, void *user) {
    (void)user;
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    char *begin = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED || block_count == BLOCKS) return NULL;
    blocks[block_count].begin = begin, blocks[block_count++].bytes = whole;
    return begin;
}

static void paged_release(void *block, void *user) {
    (void)user;
    for (int i = 0; i < block_count; i++)
        if (blocks[i].begin == block) {
            munmap(block, blocks[i].bytes);
            blocks[i] = blocks[--block_count];
            return;
        }
}

static void count_page(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    char *at = info->si_addr;
    for (int i = 0; i < block_count; i++)
        if (at >= blocks[i].begin && at < blocks[i].begin + blocks[i].bytes) {
            touched++;
            mprotect((char *)((uintptr_t)at / PAGE * PAGE), PAGE, PROT_READ | PROT_WRITE);
            return;
        }
    signal(signal_number, SIG_DFL);
}

static void guard(int access) {
    for (int i = 0; i < block_count; i++)
        if (blocks[i].bytes >= LARGE) mprotect(blocks[i].begin, blocks[i].bytes, access);
}

/* Returns the number of pages of large arrays that `work` touches. */
static int pages_of(void (*work)(scree_world *world, const scree_body_id *bodies, int count),
                    scree_world *world, const scree_body_id *bodies, int count) {
    struct sigaction before, counting = {.sa_sigaction = count_page, .sa_flags = SA_SIGINFO};
    touched = 0;
    sigaction(SIGSEGV, &counting, &before);
    guard(PROT_NONE);
    work(world, bodies, count);
    guard(PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &before, NULL);
    return touched;
}

/* a few bodies, evenly spread over all */
enum { CHOSEN = 4 };

static void destroy_some(scree_world *world, const scree_body_id *bodies, int count) {
    for (int i = 0; i < CHOSEN; i++) CHECK(scree_body_destroy(world, bodies[count / CHOSEN * i + 7]));
}

static void change_some(scree_world *world, const scree_body_id *bodies, int count) {
    scree_body_def def;
    for (int i = 0; i < CHOSEN; i++) {
        CHECK(scree_body_get_def(world, bodies[count / CHOSEN * i + 20], &def));
        def.shape = scree_shape_sphere(0.04f);
        CHECK(scree_body_set_def(world, bodies[count / CHOSEN * i + 20], &def));
    }
}

/* Makes a row of balls on the ground, each joined to the next. */
static scree_world *row_of_balls(const scree_world_def *def, scree_body_id *bodies, int count) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    for (int i = 0; i < count; i++)
        bodies[i] = add_body(world, scree_shape_sphere(0.05f), (scree_vec3){0.1f * (float)i, 0, 0.05f},
                             (scree_vec3){0, 0, 0});
    for (int i = 0; i + 1 < count; i++) {
        const scree_joint_def link =
            joint_at(world, SCREE_JOINT_BALL, bodies[i], bodies[i + 1],
                     (scree_vec3){0.1f * (float)i + 0.05f, 0, 0.05f}, (scree_vec3){1, 0, 0});
        add_joint(world, &link);
    }
    return world;
}

static void a_body_costs_what_it_touches(void **state) {
    enum { COUNT = 8000 };
    /* A body touches some 20 arrays, and some 10 for each of its two joints. */
    const int most = CHOSEN * 40;
    static scree_body_id bodies[COUNT];
    const scree_world_def def = def_on(state);
    scree_set_allocator(&(scree_allocator){paged_allocate, paged_release, NULL});
    scree_world *world = row_of_balls(&def, bodies, COUNT);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_count(world), COUNT);
    const int joints = scree_joint_count(world);
    const int destroying = pages_of(destroy_some, world, bodies, COUNT),
              changing = pages_of(change_some, world, bodies, COUNT);
    print_message("%d bodies: %d pages to destroy %d, %d to change as many\n", COUNT, destroying, CHOSEN,
                  changing);
    assert_in_range(destroying, CHOSEN, most);
    assert_in_range(changing, CHOSEN, most);
    assert_int_equal(scree_joint_count(world), joints - 2 * CHOSEN);
    assert_int_equal(scree_contact_count(world), COUNT - 2 * CHOSEN);
    scree_world_destroy(world);
    scree_set_allocator(NULL);
    assert_int_equal(block_count, 0);
}

static void leaving_an_kinematic_group_costs_little(void **state) {
    enum { COUNT = 20000 };
    static scree_body_id bodies[COUNT];
    scree_kinematic_group_id id;
    const scree_world_def def = def_on(state);
    scree_set_allocator(&(scree_allocator){paged_allocate, paged_release, NULL});
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_KINEMATIC;
    for (int i = 0; i < COUNT; i++) {
        body.state.position.x = 2 * (float)i;
        CHECK(scree_body_create(world, &body, &bodies[i]));
    }
    CHECK(scree_kinematic_group_create(
        world, &(scree_kinematic_group_def){.bodies = bodies, .body_count = COUNT}, &id));
    const int pages = pages_of(destroy_some, world, bodies, COUNT);
    print_message("a kinematic group of %d bodies: %d pages to destroy %d\n", COUNT, pages, CHOSEN);
    assert_in_range(pages, CHOSEN, CHOSEN * 25);
    assert_int_equal(scree_kinematic_group_get_bodies(world, id, NULL, 0), COUNT - CHOSEN);
    scree_body_id first[9];
    scree_kinematic_group_get_bodies(world, id, first, 9);
    assert_int_equal(first[6].index, bodies[6].index);
    assert_int_equal(first[7].index, bodies[8].index);
    scree_world_destroy(world);
    scree_set_allocator(NULL);
    assert_int_equal(block_count, 0);
}

/* Reading the contacts in between, which removes those of dead bodies, has no effect; a ball that takes a
 * dead one's slot and place inherits nothing. */
static void reading_contacts_changes_nothing(void **state) {
    enum { COUNT = 12 };
    uint64_t hashes[2];
    for (int looks = 0; looks < 2; looks++) {
        const scree_world_def def = def_on(state);
        scree_body_id bodies[COUNT];
        scree_world *world = row_of_balls(&def, bodies, COUNT);
        scree_statistics s = run_for(world, 0.1);
        assert_int_equal(s.cache_hits, COUNT);
        CHECK(scree_body_destroy(world, bodies[3]));
        CHECK(scree_body_destroy(world, bodies[8]));
        if (looks) assert_int_equal(scree_contact_count(world), COUNT - 2);
        const scree_body_id born =
            add_body(world, scree_shape_sphere(0.05f), (scree_vec3){0.8f, 0, 0.05f}, (scree_vec3){0, 0, 0});
        assert_int_equal(born.index, bodies[8].index);
        CHECK(scree_world_step(world, &s));
        assert_int_equal(s.cache_hits, COUNT - 2);
        s = run_for(world, 0.1);
        assert_int_equal(s.cache_hits, s.contacts);
        hashes[looks] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* Joints created after destroying a body with several get their ids in the same order, whatever happened
 * before, as in a resumed run. */
static void ids_do_not_depend_on_history(void **state) {
    const folder place = folder_make();
    const char *path = folder_file(&place, "row.checkpoint");
    scree_world_def def = def_on(state);
    scree_body_id bodies[8];
    scree_world *worlds[2] = {row_of_balls(&def, bodies, 8), NULL};
    scree_joint_id joints[8];
    scree_joint_def link;
    assert_int_equal(scree_joint_list(worlds[0], joints, 8), 7);
    CHECK(scree_joint_get_def(worlds[0], joints[3], &link));
    CHECK(scree_joint_set_def(worlds[0], joints[3], &link)); /* the last one created */
    CHECK(scree_checkpoint_save(worlds[0], path));
    def.device = test_device();
    CHECK(scree_checkpoint_load(path, &def, &worlds[1]));
    for (int i = 0; i < 2; i++) {
        scree_body_id here[9]; /* the ground first */
        scree_joint_id made[2];
        assert_int_equal(scree_body_list(worlds[i], here, 9), 9);
        CHECK(scree_body_destroy(worlds[i], here[4]));
        assert_int_equal(scree_joint_count(worlds[i]), 5);
        for (int k = 0; k < 2; k++) {
            link = joint_at(worlds[i], SCREE_JOINT_BALL, here[1 + k], here[6], (scree_vec3){0.3f, 0, 1},
                            (scree_vec3){1, 0, 0});
            made[k] = add_joint(worlds[i], &link);
        }
        assert_int_equal(made[0].index, joints[3].index);
        assert_int_equal(made[1].index, joints[2].index);
        scree_world_destroy(worlds[i]);
    }
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_body_costs_what_it_touches),
        ON("native", leaving_an_kinematic_group_costs_little),
        ON_EACH_BACKEND(reading_contacts_changes_nothing),
        ON("native", ids_do_not_depend_on_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
