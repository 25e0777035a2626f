/* Ray-traced images: checks, and the launches of render.cl. */
#include "device/opencl/opencl_device.h"
#include "image_scene.h"

#include "base/finite.h"
#include "base/memory.h"

#include <limits.h>

/* A launch draws a band of about this many pixels: short enough for devices that abort long kernels, and the
 * device needs memory for one band only. Work-items of a group draw a square, so that their rays stay close
 * together. */
enum { BAND_PIXELS = 1 << 18, SQUARE = 8 };

/* Device objects of one picture. */
typedef struct drawing {
    opencl_device device;
    cl_program program;
    cl_kernel kernel;
    opencl_buffer bodies, nodes, planes, outlines, band;
    cl_uint *pixels; /* the band on the host */
    int band_rows;
    size_t square; /* side of a work-group */
} drawing;

/* Copies the scene to the device, chooses the size of a band and allocates both of its buffers. */
static scree_result upload(drawing *self, const image_scene *scene) {
    const ray_view *view = &scene->view;
    opencl_device *device = &self->device;
    TRY(opencl_buffer_write(device, &self->bodies, scene->bodies,
                            (size_t)scene->body_count * sizeof(ray_body), CL_TRUE, "the picture's bodies"));
    TRY(opencl_buffer_write(device, &self->nodes, scene->tree.nodes,
                            (size_t)view->node_count * sizeof(ray_node), CL_TRUE, "the picture's tree"));
    TRY(opencl_buffer_write(device, &self->planes, scene->planes,
                            (size_t)view->plane_count * sizeof(ray_plane), CL_TRUE,
                            "the picture's half-spaces"));
    TRY(opencl_buffer_write(device, &self->outlines, scene->outlines,
                            (size_t)view->outline_count * sizeof(ray_body), CL_TRUE,
                            "the picture's outlines"));
    self->band_rows = BAND_PIXELS / view->width;
    if (self->band_rows > view->height) self->band_rows = view->height;
    const size_t pixels = (size_t)self->band_rows * (size_t)view->width;
    TRY(opencl_buffer_reserve(device, &self->band, pixels * sizeof(cl_uint), "the picture"));
    self->pixels = memory_allocate(pixels, sizeof *self->pixels);
    return self->pixels ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for %zu pixels", pixels);
}

/* `draw_band` sets arguments 5 and 6: first row and number of rows. */
static scree_result set_arguments(drawing *self, const ray_view *view) {
    const opencl_buffer *buffers[] = {&self->bodies, &self->nodes, &self->planes, &self->outlines};
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < 4 && code == CL_SUCCESS; i++)
        code = clSetKernelArg(self->kernel, i, sizeof(cl_mem), &buffers[i]->memory);
    if (code == CL_SUCCESS) code = clSetKernelArg(self->kernel, 4, sizeof *view, view);
    if (code == CL_SUCCESS) code = clSetKernelArg(self->kernel, 7, sizeof(cl_mem), &self->band.memory);
    return code == CL_SUCCESS ? SCREE_OK : opencl_fail(code, "setting the arguments of the kernel `render`");
}

static size_t rounded_up(int count, size_t unit) { return ((size_t)count + unit - 1) / unit * unit; }

static scree_result draw_band(drawing *self, const ray_view *view, int first_row, int rows, uint8_t *out) {
    const cl_int first = first_row, band = rows;
    cl_int code = clSetKernelArg(self->kernel, 5, sizeof first, &first);
    if (code == CL_SUCCESS) code = clSetKernelArg(self->kernel, 6, sizeof band, &band);
    if (code != CL_SUCCESS) return opencl_fail(code, "setting the arguments of the kernel `render`");
    const size_t local[2] = {self->square, self->square};
    const size_t global[2] = {rounded_up(view->width, local[0]), rounded_up(rows, local[1])};
    code = clEnqueueNDRangeKernel(self->device.queue, self->kernel, 2, NULL, global, local, 0, NULL, NULL);
    if (code != CL_SUCCESS) return opencl_fail(code, "starting the kernel `render`");
    const size_t pixels = (size_t)rows * (size_t)view->width;
    TRY(opencl_buffer_read(&self->device, &self->band, self->pixels, pixels * sizeof(cl_uint), CL_TRUE,
                           "the picture"));
    for (size_t i = 0; i < pixels; i++)
        for (size_t channel = 0; channel < 3; channel++)
            out[3 * i + channel] = (uint8_t)(self->pixels[i] >> (16 - 8 * channel));
    return SCREE_OK;
}

static scree_result draw(drawing *self, const image_scene *scene, uint8_t *pixels) {
    const ray_view *view = &scene->view;
    TRY(opencl_layout_check(&self->device));
    TRY(opencl_program_build(&self->device, "render.cl", NULL, &self->program));
    TRY(opencl_kernel_create(&self->device, self->program, "render", &self->kernel));
    size_t most = 1;
    const cl_int code = clGetKernelWorkGroupInfo(self->kernel, self->device.id, CL_KERNEL_WORK_GROUP_SIZE,
                                                 sizeof most, &most, NULL);
    if (code != CL_SUCCESS) return opencl_fail(code, "querying the work-group size of the kernel `render`");
    self->square = most >= SQUARE * SQUARE ? SQUARE : 1;
    TRY(upload(self, scene));
    TRY(set_arguments(self, view));
    for (int row = 0; row < view->height; row += self->band_rows) {
        const int rows = view->height - row < self->band_rows ? view->height - row : self->band_rows;
        TRY(draw_band(self, view, row, rows, pixels + 3 * (size_t)row * (size_t)view->width));
    }
    return SCREE_OK;
}

static scree_result trace(const image_scene *scene, const char *device, uint8_t *pixels) {
    drawing self = {0};
    TRY(opencl_device_open(device, &self.device));
    const scree_result result = draw(&self, scene, pixels);
    opencl_buffer *buffers[] = {&self.bodies, &self.nodes, &self.planes, &self.outlines, &self.band};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(&self.device, buffers[i]);
    if (self.kernel) clReleaseKernel(self.kernel);
    if (self.program) clReleaseProgram(self.program);
    opencl_device_close(&self.device);
    memory_release(self.pixels);
    return result;
}

static scree_result check_int(const char *name, int value, int least, int most) {
    if (value >= least && value <= most) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "image: %s: %d; must be %d to %d", name, value, least, most);
}

static scree_result check_positive(const char *name, float value) {
    if (value > 0 && isfinite(value)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "image: %s: %g; must be > 0 and finite", name, (double)value);
}

static scree_result check_camera(const scree_image_def *def) {
    enum { SIDE_MOST = 32768, SAMPLES_MOST = 16 };
    TRY(check_int("width", def->width, 1, SIDE_MOST));
    TRY(check_int("height", def->height, 1, SIDE_MOST));
    TRY(check_int("samples", def->samples, 1, SAMPLES_MOST));
    TRY(finite_check(def->eye, "", "image: eye"));
    TRY(finite_check(def->forward, "", "image: forward"));
    TRY(finite_check(def->right, "", "image: right"));
    TRY(finite_check(def->up, "", "image: up"));
    TRY(finite_check(def->light, "", "image: light"));
    TRY(check_positive("pixel_angle", def->pixel_angle));
    TRY(check_positive("tile", def->tile));
    TRY(check_positive("fade", def->fade));
    TRY(check_positive("reach", def->reach));
    if (!(def->light_spread >= 0) || !isfinite(def->light_spread))
        return fail(SCREE_ERROR_ARGUMENT, "image: light_spread: %g; must be >= 0 and finite",
                    (double)def->light_spread);
    return SCREE_OK;
}

/* Checks the pose of body or outline i. */
static scree_result check_pose(const char *name, int i, scree_vec3 position, scree_quat rotation) {
    const double square = (double)rotation.x * (double)rotation.x + (double)rotation.y * (double)rotation.y +
                          (double)rotation.z * (double)rotation.z + (double)rotation.w * (double)rotation.w;
    if (isfinite(position.x) && isfinite(position.y) && isfinite(position.z) && square > 0 &&
        isfinite(square))
        return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "image: %s[%d]: position and rotation must be finite, and rotation must not be 0", name, i);
}

static scree_result check_content(const scree_image_def *def) {
    TRY(check_int("body_count", def->body_count, 0, INT_MAX));
    TRY(check_int("outline_count", def->outline_count, 0, INT_MAX));
    if ((def->body_count && !def->bodies) || (def->outline_count && !def->outlines))
        return fail(SCREE_ERROR_ARGUMENT, "image: bodies or outlines: null; must be arrays");
    for (int i = 0; i < def->body_count; i++) {
        const scree_image_body *body = &def->bodies[i];
        if (!shape_is_complete(body->shape))
            return fail(SCREE_ERROR_ARGUMENT,
                        "image: bodies[%d]: shape of kind %d; must be a known kind, with its geometry", i,
                        (int)body->shape.kind);
        TRY(check_pose("bodies", i, body->position, body->rotation));
    }
    for (int i = 0; i < def->outline_count; i++)
        TRY(check_pose("outlines", i, def->outlines[i].position, def->outlines[i].rotation));
    return SCREE_OK;
}

scree_result scree_image_trace(const scree_image_def *def, uint8_t *rgb) {
    REQUIRE(def);
    REQUIRE(rgb);
    TRY(check_camera(def));
    TRY(check_content(def));
    image_scene scene = {.body_count = 0};
    scree_result result = image_scene_make(def, &scene);
    if (result == SCREE_OK) result = trace(&scene, def->device, rgb);
    image_scene_release(&scene);
    return result;
}
