/* Entry points of the broadphase: the pairs of bodies whose boxes share a point, by a grid on levels.
 *
 * A body's box is two float4, as in host/geometry/bounds.h: lower corner, upper corner. The box of a half-space
 * is infinite; its plane stands in a list. Other boxes that are not finite meet nothing. The level of a finite
 * box has cells larger than its extents, by a power of two. A sort key is the level above the hash of the
 * cell of the lower corner. If a box meets another one of its own or of a coarser level, that one's lower
 * corner is in cells floor(lower) − 1 to floor(upper), at most 3 along an axis: floor is monotonic, products
 * with powers of two are exact, and lower + cell > upper for each box.
 *
 * In sorted order a box looks only at those after it: the later ones of its own level, and coarser levels. So
 * it meets each partner once, in one of the two. Cells that are neighbours along x have consecutive hashes: 3
 * cells are one range of keys. Distinct cells that share a hash cost comparisons and nothing else, because no
 * two of one neighbourhood do.
 *
 * Work-groups have any number of work-items, one on processors. Counts are words in memory, as for scan.cl. */
#include "half_space.h"
#include "layout.h"
#include "periodic_image.h"
#include "periodic_pairs.h"
#include "tiles.h"

enum {
    GRID_HASH_BITS = 26,
    GRID_FINEST = -40,    /* cells of level 0 are 2^GRID_FINEST m */
    GRID_PLACE_BITS = 28, /* coordinates are below 2^(1 + GRID_PLACE_BITS) cells */
    GRID_ENDLESS = 62,    /* level of half-spaces and of boxes that are too large: they are compared with all */
    GRID_FREE = 63        /* level of boxes that meet nothing: not finite, or lower > upper (free slots) */
};

/* Numbers of the hash along y and z. Cells that share a hash are at least 300 cells apart; in a plane of two
 * axes, 8000; along x, 2^26. The best of 75 s of random search. */
#define GRID_Y 0x003b79bdu
#define GRID_Z 0x02bd52d7u
/* Keeps the marks of neighbouring levels apart. */
#define GRID_LEVEL_MARK 0x9e3779b9u
#define GRID_MASK ((1u << GRID_HASH_BITS) - 1)

/* Exact comparisons, those of bounds_reach: closed intervals; false with a NaN. */
SHARED int boxes_meet(const float4 lower, const float4 upper, const float4 other_lower, const float4 other_upper) {
    return (lower.x <= other_upper.x) & (other_lower.x <= upper.x) & (lower.y <= other_upper.y) &
           (other_lower.y <= upper.y) & (lower.z <= other_upper.z) & (other_lower.z <= upper.z);
}

SHARED uint magnitude(const float x) { return as_uint(x) & 0x7fffffffu; }

/* Returns the largest magnitude of x, y, z, as bits; a NaN is the largest. */
SHARED uint largest_magnitude(const float4 v) { return max(magnitude(v.x), max(magnitude(v.y), magnitude(v.z))); }

/* Returns 1 + the index of a slot's plane, 0 if it has none. */
SHARED uint plane_number(global const body_plane *planes, const uint plane_count, const uint slot) {
    for (uint i = 0; i < plane_count; i++)
        if ((uint)planes[i].slot == slot) return i + 1;
    return 0;
}

/* As fat_pairs.c has it: a sum that overflows counts as infinite. */
SHARED int box_is_finite(const float4 lower, const float4 upper) {
    return isfinite(lower.x + lower.y + lower.z) && isfinite(upper.x + upper.y + upper.z);
}

SHARED int exponent_of(const uint bits) { return (int)(bits >> 23) - 127; }

/* A difference below 2^(e + 1) is that of numbers closer than 2^(e + 1), in spite of rounding. */
SHARED uint level_of(const float4 lower, const float4 upper) {
    if (!boxes_meet(lower, upper, lower, upper)) return GRID_FREE;
    const int size = exponent_of(largest_magnitude(upper - lower)) + 1,
              place = exponent_of(max(largest_magnitude(lower), largest_magnitude(upper))) - GRID_PLACE_BITS,
              level = (size > place ? size : place) - GRID_FINEST;
    return level < 0 ? 0 : min((uint)level, (uint)GRID_ENDLESS);
}

/* Returns 1 over a cell's length. */
SHARED float level_scale(const uint level) { return as_float((uint)(127 - GRID_FINEST - (int)level) << 23); }

SHARED int cell_of(const float x, const float scale) { return (int)floor(x * scale); }

SHARED uint hash_of(const int x, const int y, const int z) {
    return ((uint)x + (uint)y * GRID_Y + (uint)z * GRID_Z) & GRID_MASK;
}

SHARED uint level_of_key(const uint key) { return key >> GRID_HASH_BITS; }

/* Returns the bit that is marked for cells in use, of `bits` + 1, a power of two. Several cells share a bit. */
SHARED uint mark_of(const uint key, const uint bits) { return (key + level_of_key(key) * GRID_LEVEL_MARK) & bits; }

/* The word `w` of a sorted box's lower corner. Two bodies make a pair if one of them is dynamic and one of them
 * is wanted. */
enum { BODY_TYPE = 3, BODY_WANTED = 4, BODY_PLANE_SHIFT = 3 };

SHARED uint body_word(const uint type, const uint wanted, const uint plane) {
    return type | (wanted ? BODY_WANTED : 0) | plane << BODY_PLANE_SHIFT;
}

SHARED int is_dynamic(const uint word) { return (word & BODY_TYPE) == SLOT_DYNAMIC; }

SHARED vec3s corner_of(const float4 v) {
    const vec3s corner = {v.x, v.y, v.z};
    return corner;
}

SHARED int reaches_plane(global const body_plane *planes, const uint word, const float4 lower, const float4 upper) {
    const vec3s from = corner_of(lower);
    return plane_reached(planes[(word >> BODY_PLANE_SHIFT) - 1], from, box_extent(from, corner_of(upper)), 0,
                         PLANE_ROUNDING);
}

/* Returns whether bodies whose sorted boxes share a point are a pair. No plane is dynamic. */
SHARED int is_pair(global const body_plane *planes, const float4 lower, const float4 upper, const float4 other_lower,
                   const float4 other_upper) {
    const uint word = as_uint(lower.w), other = as_uint(other_lower.w);
    if (!((word | other) & BODY_WANTED) || !(is_dynamic(word) || is_dynamic(other))) return 0;
    if (word >> BODY_PLANE_SHIFT) return reaches_plane(planes, word, other_lower, other_upper);
    return !(other >> BODY_PLANE_SHIFT) || reaches_plane(planes, other, lower, upper);
}

/* -- Images of a periodic world ---------------------------------------------------------- */

/* Boxes of images that may meet another body (ghosts) follow those of the bodies. */
typedef struct grid_images {
    global const int2 *ghosts; /* slot and image of each such box */
    global const uchar *endless; /* of bodies: axes along which they join their images */
    uint bodies;
    int any;
} grid_images;
#define IMAGE_ARGUMENTS global const int2 *ghosts, global const uchar *endless, const uint bodies, const int periodic
#define GRID_IMAGES {ghosts, endless, bodies, periodic}
#define NO_ENDS 0xffffffffu

SHARED uint slot_of(const grid_images images, const uint box) {
    return images.any && box >= images.bodies ? (uint)images.ghosts[box - images.bodies].x : box;
}

/* Returns whether an image has a component along one of these axes. */
SHARED int image_along(const int image, const uint axes) {
    const int rest = image_rest(image);
    return (axes & 1 && image_digit(image)) || (axes & 2 && image_digit(rest)) || (axes & 4 && image_rest(rest));
}

/* Returns the slots a < b of two boxes, in a periodic world with the image of b below the bits of b; a is NO_ENDS
 * if they are no pair: another one stands for two images, and for the images of both. */
SHARED uint2 image_ends(const grid_images images, const uint one, const uint other) {
    const uint low = min(one, other), high = max(one, other);
    if (!images.any) return (uint2)(low, high);
    if (high < images.bodies) return (uint2)(low, periodic_end(high, 0));
    if (low >= images.bodies) return (uint2)(NO_ENDS, 0);
    const int2 ghost = images.ghosts[high - images.bodies];
    const uint slot = (uint)ghost.x, axes = images.endless[low] | images.endless[slot];
    if (low >= slot || image_along(ghost.y, axes)) return (uint2)(NO_ENDS, 0);
    return (uint2)(low, periodic_end(slot, ghost.y));
}

/* Returns whether two boxes are a pair; `word`: the words of both. Half-spaces have no images. */
SHARED int is_image_pair(const grid_images images, const uint word, const uint one, const uint other) {
    if (word >> BODY_PLANE_SHIFT && max(one, other) >= images.bodies) return 0;
    return image_ends(images, one, other).x != NO_ENDS;
}

/* Raises the six words of the span of the boxes, which are 0 before: the largest −lower and upper. */
kernel void grid_span(global const float4 *boxes, const uint bodies, global const uchar *endless, global uint *words) {
    local uint most[6];
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    for (int k = get_local_id(0); k < 6; k += (int)get_local_size(0)) most[k] = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const float4 lower = boxes[2 * i], upper = boxes[2 * i + 1];
        if (!box_is_finite(lower, upper)) continue;
        const float ends[6] = {-lower.x, -lower.y, -lower.z, upper.x, upper.y, upper.z};
        for (int k = 0; k < 6; k++)
            if (!(endless[i] >> k % 3 & 1)) atomic_max(&most[k], span_bits(ends[k]));
    }
    LOCAL_BARRIER;
    for (int k = get_local_id(0); k < 6; k += (int)get_local_size(0))
        if (most[k] > 0) atomic_max(&words[PERIODIC_SPAN + k], most[k]);
}

SHARED image_range range_of_box(global const uint *words, const float4 lower, const float4 upper, const uint endless,
                                const vec3s length) {
    image_range x, y, z;
    x = images_along(span_value(words[PERIODIC_SPAN]), span_value(words[PERIODIC_SPAN + 3]), lower.x, upper.x, length.x);
    y = images_along(span_value(words[PERIODIC_SPAN + 1]), span_value(words[PERIODIC_SPAN + 4]), lower.y, upper.y, length.y);
    z = images_along(span_value(words[PERIODIC_SPAN + 2]), span_value(words[PERIODIC_SPAN + 5]), lower.z, upper.z, length.z);
    if (endless & 1) x = images_none();
    if (endless & 2) y = images_none();
    if (endless & 4) z = images_none();
    return images_joined(x, y, z);
}

/* Writes the number of images of each body that may meet another one. */
kernel void grid_image_count(global const float4 *boxes, const uint bodies, global const uchar *endless,
                             const float length_x, const float length_y, const float length_z, global uint *words,
                             global uint *numbers) {
    const vec3s length = vec3_of(length_x, length_y, length_z);
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    if (get_global_id(0) == 0) words[PERIODIC_BODIES] = bodies;
    FOR_RANGE(i, range) {
        const float4 lower = boxes[2 * i], upper = boxes[2 * i + 1];
        uint number = 0;
        if (box_is_finite(lower, upper)) {
            const image_range of = range_of_box(words, lower, upper, endless[i], length);
            if (of.far) atomic_or(&words[PERIODIC_FAR], 1u);
            number = images_in(of);
        }
        numbers[i] = number;
    }
}

/* Writes their boxes behind those of the bodies, as far as they fit, and the number of all. */
kernel void grid_image_emit(global float4 *boxes, const uint bodies, global const uchar *endless, const float length_x,
                            const float length_y, const float length_z, global uint *words, global const uint *places,
                            const uint capacity, global int2 *ghosts) {
    const vec3s length = vec3_of(length_x, length_y, length_z);
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    if (get_global_id(0) == 0) words[PERIODIC_BOXES] = bodies + min(words[PERIODIC_IMAGES], capacity);
    FOR_RANGE(i, range) {
        const float4 lower = boxes[2 * i], upper = boxes[2 * i + 1];
        if (!box_is_finite(lower, upper)) continue;
        const image_range of = range_of_box(words, lower, upper, endless[i], length);
        uint at = places[i];
        for (int k = 0; k < PERIODIC_CODES; k++) {
            if (!image_is_in(of, k)) continue;
            const int image = image_of_code(k);
            const vec3s low = image_position(corner_of(lower), image, length), high = image_position(corner_of(upper), image, length);
            if (at >= capacity) break;
            boxes[2 * (bodies + at)] = (float4)(low.x, low.y, low.z, lower.w);
            boxes[2 * (bodies + at) + 1] = (float4)(high.x, high.y, high.z, upper.w);
            ghosts[at++] = (int2)((int)i, image);
        }
    }
}

/* Separates the sorted second ends of pairs from their images. */
kernel void grid_image_split(global const uint *total, const uint total_at, const uint capacity, global uint *b,
                             global int *pair_images) {
    const tile_range range = range_of_group(min(total[total_at], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const uint end = b[i];
        b[i] = end >> PERIODIC_CODE_BITS, pair_images[i] = image_of_code((int)(end & PERIODIC_CODE_MASK));
    }
}

/* Writes each box's key, and its index; clears the marks. */
kernel void grid_keys(global const float4 *boxes, global const uint *count, const uint count_at, const uint capacity,
                      global const body_plane *planes, const uint plane_count, global uint *keys, global uint *order, global uint *marks, const uint bits) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP),
                     words = range_of_group(bits / 32 + 1, TILE_GROUP);
    FOR_RANGE(i, words) marks[i] = 0;
    FOR_RANGE(i, range) {
        const float4 lower = boxes[2 * i], upper = boxes[2 * i + 1];
        const uint level = box_is_finite(lower, upper) || plane_number(planes, plane_count, i)
                               ? level_of(lower, upper)
                               : GRID_FREE;
        uint key = level << GRID_HASH_BITS;
        if (level < GRID_ENDLESS) {
            const float scale = level_scale(level);
            key |= hash_of(cell_of(lower.x, scale), cell_of(lower.y, scale), cell_of(lower.z, scale));
        }
        keys[i] = key, order[i] = i;
    }
}

/* Writes the boxes in the order of the keys, with their words, and for each level from 0 to GRID_FREE + 1 the
 * number of keys of lower ones; marks the cells in use. All bodies are wanted if `wanted` is null. */
kernel void grid_gather(global const float4 *boxes, global const uint *count, const uint count_at,
                        const uint capacity, global const body_plane *planes, const uint plane_count,
                        global const uchar *types, global const uchar *wanted, IMAGE_ARGUMENTS, global const uint *keys, global const uint *order,
                        global float4 *sorted, global uint *levels, global uint *marks, const uint bits) {
    const uint n = min(count[count_at], capacity);
    const tile_range range = range_of_group(n, TILE_GROUP);
    const grid_images images = GRID_IMAGES;
    FOR_RANGE(i, range) {
        const uint from = order[i], slot = slot_of(images, from), key = keys[i], level = level_of_key(key), mark = mark_of(key, bits);
        if (i == 0 || keys[i - 1] != key) atomic_or(&marks[mark / 32], 1u << mark % 32);
        float4 lower = boxes[2 * from];
        lower.w = as_float(body_word(types[slot], wanted ? wanted[slot] : 1,
                                     level == GRID_ENDLESS ? plane_number(planes, plane_count, from) : 0));
        sorted[2 * i] = lower, sorted[2 * i + 1] = boxes[2 * from + 1];
        for (uint k = i ? level_of_key(keys[i - 1]) + 1 : 0; k <= level; k++) levels[k] = i;
        for (uint k = level + 1; i + 1 == n && k <= GRID_FREE + 1; k++) levels[k] = n;
    }
    for (uint k = 0; n == 0 && get_global_id(0) == 0 && k <= GRID_FREE + 1; k++) levels[k] = 0;
}

SHARED int is_marked(global const uint *marks, const uint bits, const uint key) {
    const uint mark = mark_of(key, bits);
    return marks[mark / 32] >> mark % 32 & 1;
}

/* Compares box i with those from `first` to `end` whose keys are at most `last`, and returns the number that
 * meet it. If `emit`, stores their pairs from `at` on, as far as they fit. */
SHARED uint meet_range(const grid_images images, global const body_plane *planes, global const float4 *boxes, global const uint *keys, global const uint *order, const uint i,
                       const uint first, const uint end, const uint last, const int emit, const uint at,
                       const uint pair_capacity, global uint *a, global uint *b) {
    const float4 lower = boxes[2 * i], upper = boxes[2 * i + 1];
    uint found = 0;
    for (uint k = first; k < end && keys[k] <= last; k++) {
        const float4 other_lower = boxes[2 * k], other_upper = boxes[2 * k + 1];
        if (!boxes_meet(lower, upper, other_lower, other_upper)) continue;
        if (!is_pair(planes, lower, upper, other_lower, other_upper)) continue;
        if (images.any && !is_image_pair(images, as_uint(lower.w) | as_uint(other_lower.w), order[i], order[k])) continue;
        const uint place = at + found++;
        if (!emit || place >= pair_capacity) continue;
        const uint2 ends = image_ends(images, order[i], order[k]);
        a[place] = ends.x, b[place] = ends.y;
    }
    return found;
}

/* Does so for the box's neighbourhood among the keys from `first` to `end`, which are of one level, until
 * `wanted` are found. Most cells are empty where sizes differ much; marks then save the search for them. */
SHARED uint meet_level(const grid_images images, global const body_plane *planes, global const float4 *boxes, global const uint *keys, global const uint *order,
                       global const uint *marks, const uint bits, const uint i, const uint first, const uint end,
                       const int emit, const uint at, const uint wanted, const uint pair_capacity, global uint *a,
                       global uint *b) {
    const float4 lower = boxes[2 * i], upper = boxes[2 * i + 1];
    const uint level = level_of_key(keys[first]), base = level << GRID_HASH_BITS;
    if (level == GRID_ENDLESS)
        return meet_range(images, planes, boxes, keys, order, i, first, end, base, emit, at, pair_capacity, a, b);
    const float scale = level_scale(level);
    const int x = cell_of(lower.x, scale) - 1, last_x = cell_of(upper.x, scale), last_y = cell_of(upper.y, scale),
              last_z = cell_of(upper.z, scale);
    uint found = 0;
    for (int z = cell_of(lower.z, scale) - 1; z <= last_z && found < wanted; z++)
        for (int y = cell_of(lower.y, scale) - 1; y <= last_y && found < wanted; y++) {
            uint hash = hash_of(x, y, z);
            for (uint left = (uint)(last_x - x) + 1; left > 0;) { /* twice if the hashes wrap around */
                const uint cells = min(left, GRID_MASK + 1 - hash);
                uint low = base + hash, high = low + cells;
                left -= cells, hash = 0;
                if (high <= keys[first]) continue;
                while (low < high && !is_marked(marks, bits, low)) low++;
                if (low < high)
                    found += meet_range(images, planes, boxes, keys, order, i, lower_bound(keys, first, end, low), end, high - 1,
                                        emit, at + found, pair_capacity, a, b);
            }
        }
    return found;
}

/* Does so for all later boxes, level after level. */
SHARED uint meet_later(const grid_images images, global const body_plane *planes, global const float4 *boxes, global const uint *keys, global const uint *order,
                       global const uint *levels, global const uint *marks, const uint bits, const uint i,
                       const uint n, const int emit, const uint at, const uint wanted, const uint pair_capacity,
                       global uint *a, global uint *b) {
    uint found = 0;
    for (uint first = i + 1; first < n && found < wanted;) {
        const uint end = levels[level_of_key(keys[first]) + 1];
        found += meet_level(images, planes, boxes, keys, order, marks, bits, i, first, end, emit, at + found, wanted - found,
                            pair_capacity, a, b);
        first = end;
    }
    return found;
}

/* Writes the number of pairs of each sorted box with later ones. */
kernel void grid_count(global const body_plane *planes, global const float4 *sorted, global const uint *keys, global const uint *order, IMAGE_ARGUMENTS, global const uint *levels,
                       global const uint *marks, const uint bits, global uint *found) {
    const uint n = levels[GRID_FREE];
    const grid_images images = GRID_IMAGES;
    const tile_range range = range_of_group(n, TILE_GROUP);
    FOR_RANGE(i, range)
        found[i] = meet_later(images, planes, sorted, keys, order, levels, marks, bits, i, n, 0, 0, 0xffffffffu, 0, 0, 0);
}

/* Writes the pairs, a < b, of each sorted box from its place on. A total of 2^32 or more, which the places
 * cannot hold, becomes 2^32 − 1. */
kernel void grid_emit(global const body_plane *planes, global const float4 *sorted, global const uint *keys, global const uint *order, IMAGE_ARGUMENTS,
                      global const uint *levels, global const uint *marks, const uint bits,
                      global const uint *places, const uint pair_capacity, global uint *a, global uint *b,
                      global uint *total, const uint total_at) {
    const uint n = levels[GRID_FREE];
    const grid_images images = GRID_IMAGES;
    const tile_range range = range_of_group(n, TILE_GROUP);
    FOR_RANGE(i, range) {
        const uint at = places[i], wanted = i + 1 < n ? places[i + 1] - at : 0xffffffffu;
        const uint found =
            meet_later(images, planes, sorted, keys, order, levels, marks, bits, i, n, 1, at, wanted, pair_capacity, a, b);
        if (at + found < at) atomic_max(&total[total_at], 0xffffffffu);
    }
}

/* Writes for each of `rows` slots, and one more, the number of pairs of lower ones; a[0 … total) is sorted. */
kernel void grid_rows(global const uint *a, global const uint *total, const uint total_at, const uint capacity,
                      const uint rows, global uint *first) {
    const uint n = min(total[total_at], capacity);
    const tile_range range = range_of_group(rows + 1, TILE_GROUP);
    FOR_RANGE(i, range) first[i] = lower_bound(a, 0, n, i);
}
