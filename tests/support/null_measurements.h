/* NULL arguments of calls on gauges: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_MEASUREMENTS_H
#define SCREE_TESTS_NULL_MEASUREMENTS_H

#include "null_fixture.h"

static void measurements(const fixture *f) {
    scree_measurement_def def = scree_default_measurement_def();
    scree_measurement_row row;
    scree_measurement_id id;
    char name[96];
    def.name = "null";
    REFUSES(scree_validate_measurement_def(NULL));
    REFUSES(scree_measurement_create(NULL, &def, &id));
    REFUSES(scree_measurement_create(f->world, NULL, &id));
    CHECK(scree_measurement_create(f->world, &def, &id));
    REFUSES(scree_measurement_get_def(NULL, id, &def));
    REFUSES(scree_measurement_get_def(f->world, id, NULL));
    def.name = "null";
    REFUSES(scree_measurement_set_def(NULL, id, &def));
    REFUSES(scree_measurement_set_def(f->world, id, NULL));
    REFUSES(scree_measurement_set_bodies(NULL, id, &f->body, 1));
    REFUSES(scree_measurement_set_bodies(f->world, id, NULL, 1));
    REFUSES(scree_measurement_end_rows(NULL));
    REFUSES(scree_measurement_get_row(NULL, id, &row));
    REFUSES(scree_measurement_get_row(f->world, id, NULL));
    REFUSES(scree_measurement_get_quantity_name(NULL, id, 0, 0, name, sizeof name));
    REFUSES(scree_measurement_get_quantity_name(f->world, id, 0, 0, NULL, 0));
    int quantity, part;
    REFUSES(scree_measurement_find_column(NULL, "force_x_N", &quantity, &part));
    REFUSES(scree_measurement_find_column(&def, NULL, &quantity, &part));
    REFUSES(scree_measurement_find_column(&def, "force_x_N", NULL, &part));
    REFUSES(scree_measurement_find_column(&def, "force_x_N", &quantity, NULL));
    REFUSES_WITH(!scree_measurement_quantity_is_total(NULL, id, 0));
    REFUSES_WITH(!scree_measurement_is_valid(NULL, id));
    REFUSES_WITH(scree_measurement_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_measurement_list(f->world, NULL, 1) == 0);
    REFUSES_WITH(scree_measurement_find(NULL, "null").index == 0);
    REFUSES_WITH(scree_measurement_find(f->world, NULL).index == 0);
    scree_measurement_file *file = NULL;
    const char *path = folder_file(&f->place, "gauge.csv");
    REFUSES(scree_measurement_file_open(NULL, f->world, id, 0, &file));
    REFUSES(scree_measurement_file_open(path, NULL, id, 0, &file));
    REFUSES(scree_measurement_file_open(path, f->world, id, 0, NULL));
    CHECK(scree_measurement_file_open(path, f->world, id, 0, &file));
    REFUSES(scree_measurement_file_write(NULL, f->world));
    REFUSES(scree_measurement_file_write(file, NULL));
    REFUSES(scree_measurement_file_set_stage(NULL, "pour"));
    TAKES(CHECK(scree_measurement_file_set_stage(file, NULL)));
    REFUSES_WITH(scree_measurement_file_get_last_step(NULL) == 0);
    REFUSES_WITH(scree_measurement_file_row_count(NULL) == 0);
    CHECK(scree_measurement_file_close(file));
    TAKES(CHECK(scree_measurement_file_close(NULL)));
    REFUSES(scree_measurement_destroy(NULL, id));
    CHECK(scree_measurement_destroy(f->world, id));
}

#endif
