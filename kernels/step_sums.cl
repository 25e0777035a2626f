/* Entry points of a step's statistics (step_sums.h). Work-groups have at most STATISTICS_LANES work-items; each takes whole chunks:
 * work-items sum lanes, then each of the numbers over the lanes. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "contact_set.h"
#include "step_report.h"
#include "step_sums.h"
#include "tiles.h"

/* The sums of lanes, number by number. */
enum { LANE_CELLS = STATISTICS_LANES * STATISTICS_NUMBERS };

SHARED void store_lane(local double *cells, const uint lane, const statistic_sums sums) {
    for (int k = 0; k < STATISTICS_NUMBERS; k++) cells[k * STATISTICS_LANES + (int)lane] = sums.of[k];
}


/* Adds the first `lanes` lanes to the sums, in order; a work-item takes a number. Intel's compiler for processors would
 * vectorise the loop and change the order. */
SHARED void add_lanes(local const double *cells, const uint lanes, global double *sums, const int fresh) {
    LOCAL_BARRIER;
    for (int k = (int)get_local_id(0); k < STATISTICS_NUMBERS; k += (int)get_local_size(0)) {
        double sum = 0;
#pragma clang loop vectorize(disable)
        for (uint lane = 0; lane < lanes; lane++) sum = number_plus(k, sum, cells[k * STATISTICS_LANES + (int)lane]);
        sums[k] = number_plus(k, fresh ? 0 : sums[k], sum);
    }
    LOCAL_BARRIER;
}

SHARED uint lanes_of(const uint items) { return (items + STATISTICS_LANE - 1) / STATISTICS_LANE; }

/* The items of a lane that are left from `first` on. */
#define FOR_LANE(i, first, end) for (uint i = (first); i < min((first) + STATISTICS_LANE, end); i++)
/* The lanes of a chunk from `first` up to `end`. */
#define FOR_LANES(lane, first, end) \
    for (uint lane = (uint)get_local_id(0); lane < lanes_of((end) - (first)); lane += (uint)get_local_size(0))

/* Returns a coordinate as body_unwrapped does (host/state/bodies.h). */
SHARED double unwrapped(const float at, const int crossed, const float length) {
    return (double)at + (double)crossed * (double)length;
}

/* Returns g·x. `cells`: periods that bodies have crossed, three numbers each, if `periodic`. */
SHARED double gravity_along(const vec3s gravity, const vec3s at, global const int *cells, const uint i, const vec3s period,
                            const int periodic) {
    const int x = periodic ? cells[3 * i] : 0, y = periodic ? cells[3 * i + 1] : 0, z = periodic ? cells[3 * i + 2] : 0;
    return (double)gravity.x * unwrapped(at.x, x, period.x) + (double)gravity.y * unwrapped(at.y, y, period.y) +
           (double)gravity.z * unwrapped(at.z, z, period.z);
}

/* Sums chunks of bodies. `motion`: gravity. `period`: lengths of the cell. */
kernel void sums_of_bodies(global const uchar *types, global const body_pose *poses, global const body_velocity *velocities,
                           global const body_mass *masses, global const record_shape *shapes, global const int *cells,
                           const int periodic, const motion_parameters motion, const motion_parameters period,
                           const double time_step, const uint bodies, global double *chunks) {
    local double lanes[LANE_CELLS];
    const tile_range range = range_of_group(bodies, STATISTICS_CHUNK);
    for (uint first = range.first; first < range.end; first += STATISTICS_CHUNK) {
        const uint end = min(first + STATISTICS_CHUNK, range.end);
        FOR_LANES(lane, first, end) {
            statistic_sums sums = sums_zero();
            FOR_LANE(i, first + lane * STATISTICS_LANE, end) {
                const int type = types[i];
                const body_velocity velocity = velocities[i];
                if (type >= SLOT_KINEMATIC) sums = sums_travel(sums, velocity, time_step, shapes[i].half_width);
                if (type == SLOT_DYNAMIC) {
                    const body_pose pose = poses[i];
                    sums = sums_dynamic(sums, pose, velocity, masses[i],
                                       gravity_along(motion.gravity, pose.position, cells, i, period.gravity, periodic));
                }
            }
            store_lane(lanes, lane, sums);
        }
        add_lanes(lanes, lanes_of(end - first), chunks + (size_t)(first / STATISTICS_CHUNK) * STATISTICS_NUMBERS, 1);
    }
}

SHARED vec3s xyz(const float4 word) { return vec3_of(word.x, word.y, word.z); }

/* Impulses and gaps of contacts. */
typedef struct contact_arrays {
    global const contact_head *heads;
    global const float4 *places, *impulses;
    global const float4 *pulls; /* of each entry, if `cohesive` */
    int cohesive;
} contact_arrays;

/* Returns the impulse on b at a point of entry i. */
SHARED vec3s impulse_at(const contact_arrays all, const uint i, const contact_head head, const int point) {
    const vec3s impulse = xyz(all.impulses[head.first + point]);
    return all.cohesive ? impulse_pulled(impulse, head.normal, ((global const float *)(all.pulls + i))[point]) : impulse;
}

SHARED int entry_touches(const contact_arrays all, const uint i, const contact_head head) {
    int touches = 0;
    for (int k = 0; k < head_count(head) && !touches; k++)
        touches = point_touches(all.places[head.first + k].w, impulse_at(all, i, head, k));
    return touches;
}

/* Returns whether the bodies of entry i touch there and at no earlier entry. */
SHARED int touches_first(const contact_arrays all, uint i, const contact_head head) {
    if (!entry_touches(all, i, head)) return 0;
    while (i-- > 0) {
        const contact_head other = all.heads[i];
        if (other.a != head.a || other.b != head.b) return 1;
        if (entry_touches(all, i, other)) return 0;
    }
    return 1;
}

SHARED statistic_sums impulses_added(statistic_sums sums, const contact_arrays all, const uint i, const contact_head head,
                                     const double sign) {
    for (int k = 0; k < head_count(head); k++)
        sums = sums_vector(sums, SUM_OF_IMPULSE, impulse_at(all, i, head, k), sign);
    return sums;
}

SHARED statistic_sums entry_added(statistic_sums sums, const contact_arrays all, const uint i, const int hits,
                                  global const uchar *types) {
    const contact_head head = all.heads[i];
    sums.of[SUM_OF_POINTS] += (double)head_count(head);
    sums.of[SUM_OF_TOUCHING] += (double)touches_first(all, i, head);
    sums.of[SUM_OF_HITS] += (double)hits;
    for (int k = 0; k < head_count(head); k++) sums = sums_depth(sums, all.places[head.first + k].w);
    if (types[head.a] != SLOT_DYNAMIC) sums = impulses_added(sums, all, i, head, -1);
    if (types[head.b] != SLOT_DYNAMIC) sums = impulses_added(sums, all, i, head, 1);
    return sums;
}

/* Sums chunks of contacts. `pulls`: of cohesion at the points of each entry, if `cohesive`. */
kernel void sums_of_contacts(global const contact_head *heads, global const contact_tag *tags, global const float4 *places,
                             global const float4 *impulses, global const float4 *pulls, const int cohesive,
                             global const uchar *types, global const uint *count, const uint count_at, const uint capacity,
                             global double *chunks) {
    local double lanes[LANE_CELLS];
    const tile_range range = range_of_group(min(count[count_at], capacity), STATISTICS_CHUNK);
    contact_arrays all;
    all.heads = heads, all.places = places, all.impulses = impulses, all.pulls = pulls, all.cohesive = cohesive;
    for (uint first = range.first; first < range.end; first += STATISTICS_CHUNK) {
        const uint end = min(first + STATISTICS_CHUNK, range.end);
        FOR_LANES(lane, first, end) {
            statistic_sums sums = sums_zero();
            FOR_LANE(i, first + lane * STATISTICS_LANE, end)
            sums = entry_added(sums, all, i, tag_hits(tags[i].bits), types);
            store_lane(lanes, lane, sums);
        }
        add_lanes(lanes, lanes_of(end - first), chunks + (size_t)(first / STATISTICS_CHUNK) * STATISTICS_NUMBERS, 1);
    }
}

/* Adds the sums of the chunks of n items to `total`, in chunks of chunks. */
SHARED void add_chunks(global const double *chunks, const uint n, global double *total, local double *lanes) {
    const uint all = (n + STATISTICS_CHUNK - 1) / STATISTICS_CHUNK;
    if (all == 0) add_lanes(lanes, 0, total, 1);
    for (uint first = 0; first < all; first += STATISTICS_CHUNK) {
        const uint end = min(first + STATISTICS_CHUNK, all);
        FOR_LANES(lane, first, end) {
            statistic_sums sums = sums_zero();
            FOR_LANE(i, first + lane * STATISTICS_LANE, end)
            for (int k = 0; k < STATISTICS_NUMBERS; k++)
                sums.of[k] = number_plus(k, sums.of[k], chunks[(size_t)i * STATISTICS_NUMBERS + k]);
            store_lane(lanes, lane, sums);
        }
        add_lanes(lanes, lanes_of(end - first), total, first == 0);
    }
}

/* Writes the sums over bodies and contacts to the report. One work-group. */
kernel void sums_total(global const double *of_bodies, const uint bodies, global const double *of_contacts,
                       global const uint *count, const uint count_at, const uint capacity, global double *report) {
    local double lanes[LANE_CELLS];
    global double *sums = report + REPORT_WORDS / 2;
    add_chunks(of_bodies, bodies, sums, lanes);
    add_chunks(of_contacts, min(count[count_at], capacity), sums + STATISTICS_NUMBERS, lanes);
}
