/* The keys of the viewer as a table, which the help shows. */
#pragma once

#include "viewer.h"

typedef struct key_action {
    int key; /* 0: no key, but a line of the help */
    bool shift;
    const char *name, *help; /* NULL name: further key of the row before */
    void (*act)(viewer *self);
} key_action;

/* Returns the action of a key; NULL: it has none. */
const key_action *keys_find(int key, bool shift);
/* Returns the table; a row without a help ends it. */
const key_action *keys_table(void);
