/* Building blocks of a step on the device: reductions, scans, compaction, sorts and segmented minima of
 * arrays whose lengths the device stores. The host enqueues launches sized by capacities and reads nothing
 * back. Results do not depend on the device's timing nor on the number of work-groups. */
#pragma once

#include "opencl_device.h"

#include "tiles.h"

/* Entry files, those of serial devices, and options; and each kernel with its program. */
#define PRIMITIVE_PROGRAMS(X)                                                                                \
    X(scan, "scan.cl", "scan_serial.cl", NULL)                                                               \
    X(sort32, "sort.cl", "sort_serial.cl", "-DSORT_KEY=uint")                                                \
    X(sort64, "sort.cl", "sort_serial.cl", "-DSORT_KEY=ulong")                                               \
    X(grid, "grid.cl", "grid.cl", NULL)                                                                      \
    X(colours, "colours.cl", "colours.cl", NULL)                                                             \
    X(contacts, "contacts.cl", "contacts.cl", NULL)                                                          \
    X(arrange, "arrange.cl", "arrange.cl", NULL)                                                             \
    X(arrange_wide, "arrange.cl", "arrange.cl", "-DARRANGE_WIDE")                                            \
    X(links, "links.cl", "links.cl", NULL)                                                                   \
    X(rows, "rows.cl", "rows.cl", NULL)                                                                      \
    X(boxes, "boxes.cl", "boxes.cl", NULL)                                                                   \
    X(detect, "detect.cl", "detect.cl", NULL)                                                                \
    X(insert, "insert.cl", "insert.cl", NULL)                                                                \
    X(impacts, "impacts.cl", "impacts.cl", NULL)                                                             \
    X(excess, "excess.cl", "excess.cl", NULL)                                                                \
    X(work, "work.cl", "work.cl", NULL)                                                                      \
    X(weigh, "weigh.cl", "weigh.cl", NULL)                                                                   \
    X(commit, "commit.cl", "commit.cl", NULL)                                                                \
    X(sums, "step_sums.cl", "step_sums.cl", NULL)                                                            \
    X(row_bends, "row_bends.cl", "row_bends.cl", NULL)                                                       \
    X(rows_children, "rows.cl", "rows.cl", "-DROWS_CHILDREN")                                                \
    X(rows_bound, "rows_bound.cl", "rows_bound.cl", NULL)                                                    \
    X(bound_children, "rows_bound.cl", "rows_bound.cl", "-DROWS_CHILDREN")                                   \
    X(cohesion_marks, "cohesion_marks.cl", "cohesion_marks.cl", NULL)                                        \
    X(cohesion, "cohesion.cl", "cohesion.cl", NULL)                                                          \
    X(cohesion_children, "cohesion.cl", "cohesion.cl", "-DROWS_CHILDREN")                                    \
    X(bends_children, "row_bends.cl", "row_bends.cl", "-DROWS_CHILDREN")                                     \
    X(contacts_balls_boxes, "contacts_balls_boxes.cl", "contacts_balls_boxes.cl", NULL)                      \
    X(contacts_convex, "contacts_convex.cl", "contacts_convex.cl", NULL)                                     \
    X(children, "children.cl", "children.cl", NULL)                                                          \
    X(contacts_children, "contacts_children.cl", "contacts_children.cl", NULL)                               \
    X(contacts_children_convex, "contacts_children_convex.cl", "contacts_children_convex.cl", NULL)
#define PRIMITIVE_KERNELS(X)                                                                                 \
    X(scan, reduce_parts)                                                                                    \
    X(scan, reduce_total)                                                                                    \
    X(scan, scan_write)                                                                                      \
    X(scan, compact_write)                                                                                   \
    X(scan, segment_clear)                                                                                   \
    X(scan, segment_minimum)                                                                                 \
    X(sort32, sort_count)                                                                                    \
    X(sort32, sort_rows)                                                                                     \
    X(sort32, sort_scatter)                                                                                  \
    X(sort64, sort_count)                                                                                    \
    X(sort64, sort_rows)                                                                                     \
    X(sort64, sort_scatter)                                                                                  \
    X(grid, grid_keys)                                                                                       \
    X(grid, grid_gather)                                                                                     \
    X(grid, grid_count)                                                                                      \
    X(grid, grid_emit)                                                                                       \
    X(grid, grid_span)                                                                                       \
    X(grid, grid_image_count)                                                                                \
    X(grid, grid_image_emit)                                                                                 \
    X(grid, grid_image_split)                                                                                \
    X(grid, grid_rows)                                                                                       \
    X(colours, colours_keep)                                                                                 \
    X(colours, colours_list)                                                                                 \
    X(colours, colours_bid)                                                                                  \
    X(colours, colours_award)                                                                                \
    X(colours, colours_hold)                                                                                 \
    X(colours, colours_first)                                                                                \
    X(colours, colours_finish)                                                                               \
    X(contacts, contacts_records)                                                                            \
    X(contacts, contacts_kinds_of_balls)                                                                     \
    X(contacts, contacts_kinds)                                                                              \
    X(contacts, contacts_points)                                                                             \
    X(contacts, contacts_examine)                                                                            \
    X(contacts, contacts_store_balls)                                                                        \
    X(contacts, contacts_store)                                                                              \
    X(contacts, contacts_match)                                                                              \
    X(contacts, contacts_skims)                                                                              \
    X(arrange, arrange_clear)                                                                                \
    X(arrange, arrange_leads)                                                                                \
    X(arrange, arrange_entries)                                                                              \
    X(arrange, arrange_pairs)                                                                                \
    X(arrange, arrange_count)                                                                                \
    X(arrange, arrange_place)                                                                                \
    X(arrange, arrange_compare)                                                                              \
    X(arrange, arrange_balls)                                                                                \
    X(arrange, arrange_fill)                                                                                 \
    X(arrange, arrange_ends)                                                                                 \
    X(arrange, arrange_end_blocks)                                                                           \
    X(arrange, arrange_remainder)                                                                            \
    X(arrange, arrange_pieces)                                                                               \
    X(arrange_wide, arrange_clear)                                                                           \
    X(arrange_wide, arrange_pairs)                                                                           \
    X(arrange_wide, arrange_count)                                                                           \
    X(arrange_wide, arrange_place)                                                                           \
    X(arrange_wide, arrange_fill)                                                                            \
    X(arrange_wide, arrange_remainder)                                                                       \
    X(links, links_find)                                                                                     \
    X(links, links_pairs)                                                                                    \
    X(links, links_places)                                                                                   \
    X(links, links_place)                                                                                    \
    X(links, links_take)                                                                                     \
    X(rows, rows_fill)                                                                                       \
    X(rows, rows_fill_moving)                                                                                \
    X(rows, rows_fill_moved)                                                                                 \
    X(rows, rows_read)                                                                                       \
    X(boxes, boxes_of_step)                                                                                  \
    X(boxes, boxes_of_trial)                                                                                 \
    X(boxes, boxes_count)                                                                                    \
    X(boxes, boxes_emit)                                                                                     \
    X(boxes, boxes_unknown)                                                                                  \
    X(boxes, boxes_take)                                                                                     \
    X(detect, detect_bodies)                                                                                 \
    X(detect, detect_select)                                                                                 \
    X(detect, detect_test)                                                                                   \
    X(detect, detect_meets)                                                                                  \
    X(detect, detect_merge)                                                                                  \
    X(detect, detect_store)                                                                                  \
    X(insert, insert_contacts)                                                                               \
    X(insert, insert_crossings)                                                                              \
    X(insert, insert_settle)                                                                                 \
    X(impacts, impacts_find)                                                                                 \
    X(impacts, impacts_ends)                                                                                 \
    X(impacts, impacts_sum)                                                                                  \
    X(impacts, impacts_mark)                                                                                 \
    X(excess, excess_test)                                                                                   \
    X(excess, excess_join)                                                                                   \
    X(excess, excess_ranks)                                                                                  \
    X(excess, excess_sum)                                                                                    \
    X(excess, excess_judge)                                                                                  \
    X(work, work_points)                                                                                     \
    X(work, work_sums)                                                                                       \
    X(weigh, weigh_bodies)                                                                                   \
    X(commit, commit_prescribe)                                                                              \
    X(commit, commit_spins)                                                                                  \
    X(sums, sums_of_bodies)                                                                                  \
    X(sums, sums_of_contacts)                                                                                \
    X(sums, sums_total)                                                                                      \
    X(row_bends, bends_add)                                                                                  \
    X(rows_bound, rows_bound)                                                                                \
    X(bound_children, rows_bound)                                                                            \
    X(cohesion_marks, cohesion_mark)                                                                         \
    X(cohesion, cohesion_divide)                                                                             \
    X(cohesion, cohesion_hold)                                                                               \
    X(cohesion, cohesion_loads)                                                                              \
    X(cohesion, cohesion_settle)                                                                             \
    X(cohesion_children, cohesion_loads)                                                                     \
    X(rows_children, rows_fill)                                                                              \
    X(rows_children, rows_fill_moving)                                                                       \
    X(rows_children, rows_read)                                                                              \
    X(bends_children, bends_add_rolling)                                                                     \
    X(row_bends, bends_add_rolling)                                                                          \
    X(contacts_balls_boxes, contacts_balls_boxes)                                                            \
    X(contacts_convex, contacts_convex)                                                                      \
    X(contacts_convex, contacts_convex_examine)                                                              \
    X(contacts_convex, cohesion_near)                                                                        \
    X(children, children_count)                                                                              \
    X(children, children_emit)                                                                               \
    X(children, children_kinds)                                                                              \
    X(children, children_match)                                                                              \
    X(children, children_skims)                                                                              \
    X(children, children_thin)                                                                               \
    X(contacts_children, contacts_child_balls)                                                               \
    X(contacts_children, detect_child_balls)                                                                 \
    X(contacts_children_convex, detect_child_convexes)                                                       \
    X(contacts_children_convex, contacts_child_convexes)                                                     \
    X(contacts_children_convex, contacts_child_examine)

#define PROGRAM_ENUM(name, file, serial, options) PRIMITIVES_##name,
#define KERNEL_ENUM(program, name) PRIMITIVE_##program##_##name,
enum { PRIMITIVE_PROGRAMS(PROGRAM_ENUM) PRIMITIVE_PROGRAM_COUNT };
typedef enum primitive_kernel { PRIMITIVE_KERNELS(KERNEL_ENUM) PRIMITIVE_KERNEL_COUNT } primitive_kernel;
#undef PROGRAM_ENUM
#undef KERNEL_ENUM

/* A number on the device: word `at` of a buffer of unsigned words. */
typedef struct device_word {
    const opencl_buffer *buffer;
    cl_uint at;
} device_word;

/* The length of an array: min(*count, capacity). */
typedef struct device_length {
    device_word count;
    cl_uint capacity; /* of the array; < 2^31 */
} device_length;

typedef struct opencl_primitives {
    opencl_device *device;
    bool
        serial; /* work-groups of one work-item; set for processors, may be changed before the first launch */
    cl_uint largest_groups; /* most work-groups of a launch; any number gives the same results */
    cl_uint direct_groups;  /* up to this many read each other's counts of digits */
    cl_program programs[PRIMITIVE_PROGRAM_COUNT];
    cl_kernel kernels[PRIMITIVE_KERNEL_COUNT];
    opencl_buffer parts;          /* a word per work-group */
    opencl_buffer counts, totals; /* of digits */
    opencl_buffer keys, values;   /* sorts: the other side of a pass */
} opencl_primitives;

/* Programs are built when they are first launched. `device` outlives the primitives. */
void opencl_primitives_open(opencl_primitives *self, opencl_device *device);
/* A zeroed struct is allowed. */
void opencl_primitives_close(opencl_primitives *self);

/* All calls below enqueue commands and do not wait. Arrays hold unsigned 32-bit words. Errors: KERNEL_BUILD,
 * DEVICE, DEVICE_MEMORY. */

/* Reduces items by an operation of tiles.h; no items: 0, or 2^32 − 1 for the minimum. Sums wrap. */
scree_result opencl_reduce(opencl_primitives *self, int operation, const opencl_buffer *items,
                           device_length length, device_word result);
/* out[i] = the sum of items[0] to items[i − 1]; *total = the sum of all. `out` may be `items`. */
scree_result opencl_scan(opencl_primitives *self, const opencl_buffer *items, device_length length,
                         const opencl_buffer *out, device_word total);
/* Writes the increasing indices of the flags that are not zero, and their number. */
scree_result opencl_compact(opencl_primitives *self, const opencl_buffer *flags, device_length length,
                            const opencl_buffer *indices, device_word total);
/* minima[s] = the least of the values[i] with ids[i] = s, for each s of `segments`; 2^32 − 1 where there is
 * none. The ids do not decrease; values of larger ids are skipped. */
scree_result opencl_segment_minimum(opencl_primitives *self, const opencl_buffer *values,
                                    const opencl_buffer *ids, device_length length,
                                    const opencl_buffer *minima, device_length segments);

/* Sorts keys of 32 or 64 bits, and a 32-bit value with each, by the keys' lowest `bits` bits; equal keys keep
 * their order. Higher bits must be zero to be sorted. The buffers may change places with those of the
 * primitives. */
scree_result opencl_sort(opencl_primitives *self, int key_bits, opencl_buffer *keys, opencl_buffer *values,
                         device_length length, int bits);

/* Give the sorts of 32-bit keys up to a capacity that follow their other side in scratch memory, and take it
 * away. Buffers to sort must then be valid as long: two sorts of one length and number of bits leave both
 * buffers in their own memory, if the second exchanges their parts; one sort can leave them in the other's.
 */
scree_result opencl_sort_share(opencl_primitives *self, cl_uint capacity);
void opencl_sort_leave(opencl_primitives *self);

/* For the files of the primitives: enqueues a kernel over `groups` work-groups, of TILE_GROUP work-items
 * (contacts_convex: CONVEX_GROUP) or of one if the device is serial. */
scree_result primitive_launch(opencl_primitives *self, primitive_kernel kernel, cl_uint groups,
                              const kernel_argument *arguments, int argument_count);
#define PRIMITIVE_LAUNCH(self, kernel, groups, ...)                                                          \
    primitive_launch(self, kernel, groups, (const kernel_argument[]){__VA_ARGS__},                           \
                     (int)(sizeof((const kernel_argument[]){__VA_ARGS__}) / sizeof(kernel_argument)))
#define WORD(word) BUFFER(*(word).buffer), ARGUMENT((word).at)
#define LENGTH(length) WORD((length).count), ARGUMENT((length).capacity)

/* Returns the work-groups of a launch over tiles of `tile` items; at least 1. */
cl_uint primitive_groups(const opencl_primitives *self, cl_uint capacity, cl_uint tile);
