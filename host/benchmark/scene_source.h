/* The scenes of bench/scenes/, embedded in the program (host/package/embed.cmake writes the table). */
#pragma once

typedef struct scene_source {
    const char *name; /* file name, such as "A8000.json" */
    const char *text;
} scene_source;

/* Ends with a NULL name. */
extern const scene_source scene_sources[];
