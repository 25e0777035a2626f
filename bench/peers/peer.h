/* Interface of another engine for the race. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Initial or current state of a body: SI units, world axes, the quaternion's real part last. */
typedef struct peer_body {
    int kind;       /* 0 sphere (half[0] is its radius), 1 box, 2 half-space (below its own plane z = 0) */
    double half[3]; /* m */
    double mass;    /* kg; 0: static */
    double position[3], rotation[4], velocity[3];
} peer_body;

/* Settings: friction 0.5, restitution 0, no sleeping, no damping; everything else is the engine's default. */
typedef struct peer {
    const char *name, *version;
    void (*create)(int iterations, double time_step);
    void (*add)(const peer_body *body);
    int (*step)(void);                      /* returns the number of contact points */
    void (*read)(int body, peer_body *out); /* in the order of `add` */
} peer;

extern const peer this_peer;

#ifdef __cplusplus
}
#endif
