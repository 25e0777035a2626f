/* Ends the program with the library's message if a call fails. */
#pragma once

#include <scree/scree.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if ((call) != SCREE_OK) {                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, scree_error_get_message());                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
