/* A small pile for tests of the program from outside. */
#pragma once

#include "command.h"

/* 64 spheres falling into a box */
static const char pile[] =
    "{\"time_step\": 0.004, \"run\": {\"steps\": 40}, \"outputs\": {\"every\": 10, \"pictures\": false},\n"
    " \"solver\": {\"iterations\": 10},\n"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [0.5, 0.5, 1], \"wall_thickness\": 0.05}],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"cells\": [4, 4, 4], \"spacing\": 0.11,\n"
    "   \"jitter\": 0.004, \"position\": [0, 0, 0.01],\n"
    "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}\n";

static inline int pile_set_up(void **state) {
    if (folder_set_up(state)) return -1;
    write_text("pile.json", pile);
    return shell("sed 's/, \"pictures\": false//' pile.json > drawn.json");
}
