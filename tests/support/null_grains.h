/* NULL arguments of calls on tables of grains: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_GRAINS_H
#define SCREE_TESTS_NULL_GRAINS_H

#include "null_fixture.h"

static void grains(const fixture *f) {
    static const char text[] = "x_m,y_m,z_m,radius_m\n0,0,0,1\n";
    const char *path = folder_file(&f->place, "grains.csv");
    scree_grains table = {0}, other = {0};
    REFUSES(scree_grains_parse(NULL, 1, "grains.csv", &table));
    REFUSES(scree_grains_parse(text, sizeof text - 1, NULL, &table));
    REFUSES(scree_grains_parse(text, sizeof text - 1, "grains.csv", NULL));
    CHECK(scree_grains_parse(text, sizeof text - 1, "grains.csv", &table));
    REFUSES(scree_grains_save(NULL, path));
    REFUSES(scree_grains_save(&table, NULL));
    CHECK(scree_grains_save(&table, path));
    REFUSES(scree_grains_load(NULL, &other));
    REFUSES(scree_grains_load(path, NULL));
    REFUSES(scree_grains_from_world(NULL, &other, NULL));
    REFUSES(scree_grains_from_world(f->world, NULL, NULL));
    TAKES(CHECK(scree_grains_from_world(f->world, &other, NULL)));
    TAKES(scree_grains_release(NULL));
    scree_grains_release(&table);
    scree_grains_release(&other);
}

#endif
