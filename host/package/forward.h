/* Definitions of functions of a library that is opened when the program runs. The file that includes this
 * header defines `find`, which returns the library's function of a name, NULL if there is none. */
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* A pointer to data and one to a function are not convertible in C, but have one representation wherever
 * there is dlsym. */
#define FIND_NEXT(name)                                                                                      \
    void *const found = find(#name);                                                                         \
    memcpy(&next, &found, sizeof next)

/* Defines a function that returns `absent` if the library does not have it. */
#define FORWARD(result, absent, name, parameters, arguments)                                                 \
    result name parameters {                                                                                 \
        result(*next) parameters;                                                                            \
        FIND_NEXT(name);                                                                                     \
        return found ? next arguments : (absent);                                                            \
    }

/* Defines a function without a result, which does nothing if the library does not have it. */
#define FORWARD_ACTION(name, parameters, arguments)                                                          \
    void name parameters {                                                                                   \
        void(*next) parameters;                                                                              \
        FIND_NEXT(name);                                                                                     \
        if (found) next arguments;                                                                           \
    }
