/* The files that the invalid inputs of test_messages.c refer to, and forged files of every kind. */
#pragma once

#include "bad_calls.h"
#include "checkpoint_scenery.h"
#include "command.h"
#include "forgeries.h"
#include "spoiled_problem.h"

#define BALL(more) "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}" more "}"
#define SCENE(more)                                                                                          \
    "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"outputs\": {\"pictures\": false}, " more "}"

static inline void write_files(void) {
    static const char *const files[][2] = {
        {"pile.json",
         SCENE("\"run\": {\"steps\": 20}, \"materials\": {\"m\": {\"density\": 1000}}, \"bodies\": [" BALL(
             ", \"material\": \"m\"") "]")},
        {"changed.json",
         SCENE("\"materials\": {\"m\": {\"density\": 7}}, \"bodies\": [" BALL(", \"material\": \"m\"") "]")},
        {"more.json", SCENE("\"materials\": {\"m\": {\"density\": 1000}}, \"bodies\": [" BALL(
                          ", \"material\": \"m\"") ", " BALL(", \"position\": [3, 0, 0]") "]")},
        {"rolling.json", SCENE("\"materials\": {\"m\": {\"rolling_friction\": 0.001}}, \"bodies\": [" BALL(
                             ", \"material\": \"m\"") "]")},
        {"duplicate.json", "{\"seed\": 1, \"seed\": 2}"},
        {"empty.json", "{}"},
        {"crowded.json", "{\"backend\": {\"maximum_bodies\": 1}, \"bodies\": [" BALL("") ", " BALL(
                             ", \"position\": [3, 0, 0]") "]}"},
        {"occupied", ""},
        {"bad.csv", "x_m,y_m,z_m,radius_m\n0,0,0,-1\n"},
        {"good.csv", "x_m,y_m,z_m,radius_m\n0,0,0,1\n"},
        {"empty.csv", "x_m,y_m,z_m,radius_m\n"},
        {"solid.obj", "v -1 -1 -1\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
        /* warnings */
        {"static.json", SCENE("\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}]")},
        {"overlapping.json", SCENE("\"bodies\": [" BALL("") ", " BALL(", \"position\": [0.15, 0, 0]") "]")},
        {"brief.json",
         SCENE("\"time_step\": 0.005, \"run\": {\"duration\": 1e-8}, \"bodies\": [" BALL("") "]")},
        {"measured.json", SCENE("\"measurements\": [{\"name\": \"still\", \"kind\": \"energy\", \"every\": "
                                "7}], \"bodies\": [" BALL("") "]")},
        {"springs.json", SCENE("\"materials\": {\"m\": {\"stiffness\": 1e4}}, \"bodies\": [" BALL(
                             ", \"material\": \"m\"") "]")},
        {"large.json", SCENE("\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 51}}]")},
        {"margin.json", SCENE("\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.0009}}]")},
        {"light.json", SCENE("\"materials\": {\"m\": {\"density\": 2.5}}, \"bodies\": [" BALL(
                           ", \"material\": \"m\"") "]")},
        {"solid.json", SCENE("\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"solid\", \"file\": "
                             "\"solid.obj\"}}, " BALL(", \"position\": [0, 0, 0.1]") "]")},
        {"cut.stl",
         "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 -9\nvertex 1 0 -9\nvertex 0 1 -9\nendloop\n"
         "endfacet\n"},
        {"cut.json", SCENE("\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"file\": "
                           "\"cut.stl\"}}, " BALL("") "]")},
        {"angle.json",
         SCENE("\"bodies\": [" BALL(
             "") "], \"joints\": [{\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0, 0], \"axes\": "
                 "{\"rotation_x\": {\"mode\": \"limited\", \"low\": -90, \"high\": 90}}}]")},
        /* steps that fail */
        {"crushed.json",
         SCENE("\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}, " BALL(
             ", \"position\": [0, 0, 0.1]") ", {\"type\": \"kinematic\", \"shape\": {\"kind\": \"box\", "
                                            "\"size\": [1, 1, 0.2]}, \"position\": [0, 0, 0.29], "
                                            "\"linear_velocity\": [0, 0, -0.5]}]")},
        {"far.json", SCENE("\"time_step\": 1, \"run\": {\"steps\": 40}, \"bodies\": [" BALL(
                         ", \"mass\": 4000, \"force\": [4e21, 0, 0]") "]")},
        {"bound.json", SCENE("\"time_step\": 0.01, \"bodies\": [" BALL(
                           "") "], \"outlets\": [{\"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, "
                               "-0.2]}, \"stops\": true}]")},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) write_text(files[i][0], files[i][1]);
    EXPECT_CODE(shell("scree run pile.json --quiet --out out && mkdir -p odd/checkpoint.h5"), 0);
    put_local("problem.hdf5", FCLIB_ROWS);
}

static inline scree_result load_forged(const char *path) {
    const scree_world_def runtime = native();
    scree_world *world = NULL;
    const scree_result result = scree_checkpoint_load(path, &runtime, &world);
    scree_world_destroy(world);
    return result;
}

static inline void forge_checkpoints(void) {
    scree_world *world = make_world();
    run(world, 20);
    CHECK(scree_checkpoint_save(world, "whole.h5"));
    scree_world_destroy(world);
    content whole = read_content("whole.h5");
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        char input[128];
        snprintf(input, sizeof input, "%s = %g", forgeries[i].dataset, forgeries[i].value);
        forge("forged.h5", whole, forgeries[i]);
        expect_call(input, load_forged("forged.h5"));
    }
    whole.bytes[whole.length / 2] ^= 1;
    write_content("forged.h5", whole.bytes, whole.length);
    expect_call("another bit", load_forged("forged.h5"));
    free(whole.bytes);
}

static inline void forge_problems(void) {
    for (size_t i = 0; i < sizeof spoiled_list / sizeof *spoiled_list; i++) {
        scree_problem *problem = NULL;
        put_local("spoiled.hdf5", FCLIB_ROWS);
        spoil("spoiled.hdf5", &spoiled_list[i]);
        expect_call(spoiled_list[i].name, scree_fclib_load("spoiled.hdf5", &problem));
    }
}

#undef BALL
#undef SCENE
