/* A scene in stages, for the tests of stages. */
#pragma once

/* Grains on a gate in a pipe; the gate is removed; a wall is added, and friction changes. %s: further stages,
 * each after a comma. */
static const char stage_experiment[] =
    "{\"time_step\": 0.01, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
    " \"outputs\": {\"every\": 0, \"measurements_every\": 10, \"checkpoint_every\": 35},\n"
    " \"materials\": {\"glass\": {\"friction\": 0.5}},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"box\", \"size\": [2, 2, 0.2]}, "
    "\"position\": [0, 0, -0.1]},\n"
    "  {\"type\": \"kinematic\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [9, 0, "
    "0]},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"material\": \"glass\", \"position\": [0, 0, "
    "0.2]}],\n"
    " \"kinematic_groups\": [{\"bodies\": [1], \"motions\": []}],\n"
    " \"outlets\": [{\"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, -2]}}],\n"
    " \"stages\": [\n"
    "  {\"name\": \"land\", \"until\": {\"time\": 3, \"rest\": 1e-6, \"after\": 0.2}},\n"
    "  {\"name\": \"drive\", \"until\": {\"time\": 0.3}, \"gravity\": [1, 0, -9], \"materials\": {\"glass\": "
    "{\"friction\": 0.1}},\n"
    "   \"kinematic_groups\": {\"0\": {\"motions\": [{\"kind\": \"linear\", \"velocity\": [0, 2, 0]}]}}},\n"
    "  {\"name\": \"open\", \"until\": {\"time\": 5, \"grains_at_most\": 0}, \"bodies\": {\"0\": "
    "{\"absent\": true},\n"
    "   \"add\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"position\": [0, 0, "
    "-9]}]}}%s]}\n";
