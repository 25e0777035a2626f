/* The narrow phase as OpenCL kernels gives the bits of the native functions, because kernels/convex.h,
 * sphere_points.h and box_points.h are shared. Devices with other rounding of divisions and square roots
 * agree to a tolerance. */
#include "device.h"
#include "hull_pool.h"

#include "geometry/bounds.h"
#include "detect/convex_pair.h"
#include "detect/manifold.h"
#include "geometry/geometry.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <CL/cl.h>

enum { PAIRS = 600, IN = 32, PLAIN_IN = 24, OUT = 24, TABLE = POOL * POOL_POINTS };

/* Input of a pair: 16 numbers per body (kind, size, width, centre, rotation, a hull's first corner and face
 * and their counts). Output: point count, normal, and 5 numbers per point. */
static const char *const source =
    "#include \"convex.h\"\n"
    "static convex shape_of(global const double *at, global const hull_corner *corners,\n"
    "                       global const hull_side *sides) {\n"
    "    hull_table hull;\n"
    "    hull.corners = corners + (int)at[12], hull.sides = sides + (int)at[13];\n"
    "    hull.corner_count = (int)at[14], hull.side_count = (int)at[15];\n"
    "    return convex_of((int)at[0], vec3_of(at[1], at[2], at[3]), hull, at[4], vec3_of(at[5], at[6], "
    "at[7]),\n"
    "                     versor_of(at[8], at[9], at[10], at[11]));\n"
    "}\n"
    "kernel void find(global const double *in, global double *out, global const hull_corner *corners,\n"
    "                 global const hull_side *sides) {\n"
    "    const int i = get_global_id(0);\n"
    "    global const double *at = in + 32 * i;\n"
    "    global double *to = out + 24 * i;\n"
    "    manifold_points m;\n"
    "    if (at[16] == SHAPE_HALF_SPACE)\n"
    "        m = convex_over_plane(shape_of(at, corners, sides), vec3_of(at[21], at[22], at[23]),\n"
    "            rotate(rotation_normalised(versor_of(at[24], at[25], at[26], at[27])), vec3_of(0, 0, 1)), "
    "1);\n"
    "    else\n"
    "        m = convex_contact(shape_of(at, corners, sides), shape_of(at + 16, corners, sides), 1);\n"
    "    to[0] = m.count, to[1] = m.normal.x, to[2] = m.normal.y, to[3] = m.normal.z;\n"
    "    for (int k = 0; k < m.count; ++k) {\n"
    "        global double *p = to + 4 + 5 * k;\n"
    "        p[0] = m.points[k].position.x, p[1] = m.points[k].position.y, p[2] = m.points[k].position.z;\n"
    "        p[3] = m.points[k].gap, p[4] = m.points[k].feature;\n"
    "    }\n"
    "}\n";

/* Input of a pair: 12 floats per body (kind, size, position, rotation). Output as above. */
static const char *const plain_source =
    "#include \"box_points.h\"\n"
    "#include \"sphere_points.h\"\n"
    "static body_pose pose_of(global const float *at) {\n"
    "    body_pose pose;\n"
    "    pose.position = vec3_of(at[4], at[5], at[6]), pose.reserved = 0;\n"
    "    pose.rotation = versor_of(at[7], at[8], at[9], at[10]);\n"
    "    return pose;\n"
    "}\n"
    "kernel void find(global const float *in, global float *out) {\n"
    "    const int i = get_global_id(0);\n"
    "    global const float *a = in + 24 * i, *b = in + 24 * i + 12;\n"
    "    global float *to = out + 24 * i;\n"
    "    const int ball = a[0] == SHAPE_SPHERE, other = b[0];\n"
    "    const vec3s size_a = vec3_of(a[1], a[2], a[3]), size_b = vec3_of(b[1], b[2], b[3]);\n"
    "    const body_pose at_a = pose_of(a), at_b = pose_of(b);\n"
    "    manifold_points m = manifold_points_none();\n"
    "    if (ball && other == SHAPE_SPHERE)\n"
    "        m = sphere_sphere_points(size_a.x, at_a.position, size_b.x, at_b.position, 1);\n"
    "    else if (ball && other == SHAPE_BOX)\n"
    "        m = sphere_box_points(size_a.x, at_a.position, size_b, at_b, 1);\n"
    "    else if (ball && other == SHAPE_HALF_SPACE)\n"
    "        m = sphere_half_space_points(size_a.x, at_a.position, at_b, 1);\n"
    "    else if (ball)\n"
    "        m = sphere_triangle_points(size_a.x, at_a.position, size_b, at_b, 1);\n"
    "    else if (other == SHAPE_BOX)\n"
    "        m = box_box_points(size_a, at_a, size_b, at_b, 1);\n"
    "    else\n"
    "        m = box_half_space_points(size_a, at_a, at_b, 1);\n"
    "    to[0] = m.count, to[1] = m.normal.x, to[2] = m.normal.y, to[3] = m.normal.z;\n"
    "    for (int k = 0; k < m.count; ++k) {\n"
    "        global float *p = to + 4 + 5 * k;\n"
    "        p[0] = m.points[k].position.x, p[1] = m.points[k].position.y, p[2] = m.points[k].position.z;\n"
    "        p[3] = m.points[k].gap, p[4] = m.points[k].feature;\n"
    "    }\n"
    "}\n";

static cl_device_id device_named(const char *name) {
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS) return NULL;
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id devices[16];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS) continue;
        for (cl_uint i = 0; i < count && i < 16; i++) {
            char text[256] = "";
            clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof text, text, NULL);
            if (strcmp(text, name) == 0) return devices[i];
        }
    }
    return NULL;
}

#define CL(call) assert_int_equal(call, CL_SUCCESS)

/* The corners and faces of all hulls, one after another. */
static hull_corner corners[TABLE];
static hull_side sides[2 * TABLE];
static int first_corner[POOL + 1], first_side[POOL + 1];

static void fill_tables(void) {
    for (int i = 0; i < POOL; i++) {
        const scree_geometry *of = hull_pool[i];
        memcpy(corners + first_corner[i], of->corners, sizeof *corners * (size_t)of->corner_count);
        memcpy(sides + first_side[i], of->sides, sizeof *sides * (size_t)of->side_count);
        first_corner[i + 1] = first_corner[i] + of->corner_count;
        first_side[i + 1] = first_side[i] + of->side_count;
    }
}

/* A program's kernel `find` over all pairs. Numbers are doubles, or floats where there are no tables. */
typedef struct device_run {
    cl_device_id device;
    const char *text, *options;
    size_t number;                  /* bytes */
    size_t in_numbers, out_numbers; /* of a pair */
    bool tables;
} device_run;

static void run(device_run self, const void *in, void *out) {
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &self.device, NULL, NULL, &error);
    CL(error);
    cl_command_queue queue = clCreateCommandQueue(context, self.device, 0, &error);
    CL(error);
    cl_program program = clCreateProgramWithSource(context, 1, &self.text, NULL, &error);
    CL(error);
    if (clBuildProgram(program, 1, &self.device, self.options, NULL, NULL) != CL_SUCCESS) {
        static char log[20000];
        clGetProgramBuildInfo(program, self.device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fail_msg("%s", log);
    }
    cl_kernel kernel = clCreateKernel(program, "find", &error);
    CL(error);
    const size_t in_bytes = PAIRS * self.in_numbers * self.number,
                 out_bytes = PAIRS * self.out_numbers * self.number;
    cl_mem buffers[4] = {
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, in_bytes, (void *)(uintptr_t)in, &error),
        clCreateBuffer(context, CL_MEM_READ_WRITE, out_bytes, NULL, &error)};
    CL(error);
    if (self.tables) {
        buffers[2] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof corners, corners, &error);
        CL(error);
        buffers[3] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof sides, sides, &error);
        CL(error);
    }
    const cl_uint arguments = self.tables ? 4 : 2;
    for (cl_uint i = 0; i < arguments; i++) CL(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
    const size_t count = PAIRS, one = 1; /* PoCL puts a group's private memory on one stack */
    CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, &one, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, out_bytes, out, 0, NULL, NULL));
    for (cl_uint i = 0; i < arguments; i++) clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel), clReleaseProgram(program), clReleaseCommandQueue(queue),
        clReleaseContext(context);
}

#define OPTIONS "-I " SCREE_SOURCE_DIR "/kernels -cl-std=CL1.2"

static convex_body random_body(uint64_t *seed, scree_shape_kind kind, double away) {
    const vec3s size = random_vector(seed, 0.3, 1), centre = random_vector(seed, -away, away);
    const versors q = random_rotation(seed);
    const int which = random_below(seed, POOL);
    const scree_geometry *of = kind == SCREE_SHAPE_HULL ? hull_pool[which] : NULL;
    const hull_table hull = {corners + first_corner[which], sides + first_side[which],
                             first_corner[which + 1] - first_corner[which],
                             first_side[which + 1] - first_side[which]};
    const scree_shape shape = {kind, {size.x, size.y, size.z}, of};
    return (convex_body){.kind = (int)kind,
                         .size = {size.x, size.y, size.z},
                         .hull = hull,
                         .width = (float)scree_shape_get_half_width(shape),
                         .centre = {centre.x, centre.y, centre.z},
                         .rotation = {q.x, q.y, q.z, q.w}};
}

static void put(double *to, const convex_body *body) {
    to[0] = body->kind, to[4] = (double)body->width;
    for (int k = 0; k < 3; k++) to[1 + k] = (double)body->size[k], to[5 + k] = body->centre[k];
    for (int k = 0; k < 4; k++) to[8 + k] = (double)body->rotation[k];
    to[12] = (double)(body->hull.corners - corners), to[13] = (double)(body->hull.sides - sides);
    to[14] = body->hull.corner_count, to[15] = body->hull.side_count;
}

static void device_matches_native_bits(void **state) {
    (void)state;
    static const scree_shape_kind kinds[] = {
        SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX,       SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER,
        SCREE_SHAPE_CONE,   SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_HULL,    SCREE_SHAPE_HALF_SPACE};
    static double in[PAIRS * IN], out[PAIRS * OUT];
    scree_device_info info;
    if (!device_describe(&info) || !info.fp64) skip();
    const cl_device_id device = device_named(info.name);
    if (!device) skip();
    static convex_points expected[PAIRS];
    uint64_t seed = 21;
    fill_tables();
    for (int i = 0; i < PAIRS; i++) {
        const convex_body a = random_body(&seed, kinds[i % 7], 0),
                          b = random_body(&seed, kinds[i / 7 % 8], 0.9);
        put(in + IN * i, &a), put(in + IN * i + IN / 2, &b);
        (b.kind == SCREE_SHAPE_HALF_SPACE ? convex_plane_find : convex_pair_find)(&a, &b, 1, &expected[i]);
    }
    run((device_run){device, source, OPTIONS " -DSCREE_DOUBLE", sizeof *in, IN, OUT, true}, in, out);
    const bool exact = device_has_native_bits();
    int points = 0;
    for (int i = 0; i < PAIRS; i++) {
        const double *is = out + OUT * i;
        const convex_points *of = &expected[i];
        if (!exact && (int)is[0] != of->count) continue; /* a point at the edge of the margin */
        assert_int_equal((int)is[0], of->count);
        points += of->count;
        for (int k = 0; k < of->count; k++) {
            const double *p = is + 4 + 5 * k, bound = exact ? 0 : 1e-6;
            ASSERT_WITHIN(p[3], of->gap[k], bound);
            for (int axis = 0; axis < 3; axis++) {
                ASSERT_WITHIN(is[1 + axis], of->normal[axis], exact ? 0 : 1e-3);
                if (exact) ASSERT_WITHIN(p[axis], of->position[k][axis], 0);
            }
            if (exact) assert_true(p[4] == of->feature[k]);
        }
    }
    assert_true(points > PAIRS);
}

static scree_shape plain_shape(uint64_t *seed, scree_shape_kind kind) {
    const vec3s size = random_vector(seed, 0.3, 1);
    scree_shape shape = {kind, {size.x, size.y, size.z}, NULL};
    if (kind == SCREE_SHAPE_SPHERE) shape = scree_shape_sphere(size.x);
    if (kind == SCREE_SHAPE_HALF_SPACE) shape = scree_shape_half_space();
    return shape;
}

/* Randomly rotated, or not at all, so that faces, edges and corners meet. */
static body_pose plain_pose(uint64_t *seed, double away) {
    const versors q = random_below(seed, 3) ? random_rotation(seed) : versor_of(0, 0, 0, 1);
    return (body_pose){.position = random_vector(seed, -away, away), .rotation = q};
}

static void put_plain(float *to, scree_shape shape, body_pose pose) {
    const float numbers[] = {(float)shape.kind, shape.size.x,    shape.size.y,    shape.size.z,
                             pose.position.x,   pose.position.y, pose.position.z, pose.rotation.x,
                             pose.rotation.y,   pose.rotation.z, pose.rotation.w};
    memcpy(to, numbers, sizeof numbers);
}

/* In single precision, like worlds. The device's numbers are compared as bits: +0 is not −0. */
static void plain_pairs_match_native_bits(void **state) {
    (void)state;
    static const scree_shape_kind kinds[][2] = {
        {SCREE_SHAPE_SPHERE, SCREE_SHAPE_SPHERE},     {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX},
        {SCREE_SHAPE_SPHERE, SCREE_SHAPE_HALF_SPACE}, {SCREE_SHAPE_SPHERE, SCREE_SHAPE_TRIANGLE},
        {SCREE_SHAPE_BOX, SCREE_SHAPE_BOX},           {SCREE_SHAPE_BOX, SCREE_SHAPE_BOX},
        {SCREE_SHAPE_BOX, SCREE_SHAPE_HALF_SPACE}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static float in[PAIRS * PLAIN_IN], out[PAIRS * OUT];
    static manifold expected[PAIRS];
    scree_device_info info;
    if (!device_describe(&info)) skip();
    const cl_device_id device = device_named(info.name);
    if (!device) skip();
    uint64_t seed = 22;
    for (int i = 0; i < PAIRS; i++) {
        const scree_shape a = plain_shape(&seed, kinds[i % KINDS][0]),
                          b = plain_shape(&seed, kinds[i % KINDS][1]);
        const body_pose pose_a = plain_pose(&seed, 0.1), pose_b = plain_pose(&seed, 1);
        put_plain(in + PLAIN_IN * i, a, pose_a), put_plain(in + PLAIN_IN * i + PLAIN_IN / 2, b, pose_b);
        expected[i] = manifold_of(a, pose_a, b, pose_b, 1);
    }
    run((device_run){device, plain_source,
                     info.correctly_rounded ? OPTIONS " -cl-fp32-correctly-rounded-divide-sqrt" : OPTIONS,
                     sizeof *in, PLAIN_IN, OUT, false},
        in, out);
    const bool exact = device_has_native_bits();
    int points[KINDS] = {0};
    for (int i = 0; i < PAIRS; i++) {
        const float *is = out + OUT * i;
        const manifold *of = &expected[i];
        if (!exact && (int)is[0] != of->count) continue; /* a point at the edge of the margin */
        assert_int_equal((int)is[0], of->count);
        points[i % KINDS] += of->count;
        if (of->count == 0) continue;
        if (exact) assert_memory_equal(&is[1], &of->normal, sizeof of->normal);
        for (int k = 0; k < of->count; k++) {
            const float *p = is + 4 + 5 * k;
            ASSERT_WITHIN(p[3], of->points[k].gap, 1e-5);
            if (!exact) continue;
            assert_memory_equal(p, &of->points[k].position, sizeof of->points[k].position);
            assert_memory_equal(&p[3], &of->points[k].gap, sizeof of->points[k].gap);
            assert_true(p[4] == (float)of->points[k].feature);
        }
    }
    for (int kind = 0; kind < KINDS; kind++) assert_true(points[kind] > PAIRS / KINDS / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(device_matches_native_bits),
                                       cmocka_unit_test(plain_pairs_match_native_bits)};
    return cmocka_run_group_tests(tests, hull_pool_make, hull_pool_release);
}
