#include "snapshot_draw.h"

#include "device/opencl/opencl_layout.h"
#include "base/memory.h"

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

static scree_result upload(drawing *self, const snapshot_scene *scene) {
    const ray_view *view = &scene->view;
    opencl_device *device = &self->device;
    TRY(opencl_buffer_write(device, &self->bodies, scene->bodies,
                            (size_t)scene->body_count * sizeof(ray_body), "the picture's bodies"));
    TRY(opencl_buffer_write(device, &self->nodes, scene->tree.nodes,
                            (size_t)view->node_count * sizeof(ray_node), "the picture's tree"));
    TRY(opencl_buffer_write(device, &self->planes, scene->planes,
                            (size_t)view->plane_count * sizeof(ray_plane), "the picture's half-spaces"));
    TRY(opencl_buffer_write(device, &self->outlines, scene->outlines,
                            (size_t)view->outline_count * sizeof(ray_body), "the picture's outlines"));
    self->band_rows = BAND_PIXELS / view->width;
    if (self->band_rows > view->height) self->band_rows = view->height;
    const size_t pixels = (size_t)self->band_rows * (size_t)view->width;
    TRY(opencl_buffer_reserve(device, &self->band, pixels * sizeof(cl_uint), "the picture"));
    self->pixels = memory_allocate(pixels, sizeof *self->pixels);
    return self->pixels ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for %zu pixels", pixels);
}

static scree_result set_arguments(drawing *self, const ray_view *view) {
    const opencl_buffer *buffers[] = {&self->bodies, &self->nodes, &self->planes, &self->outlines};
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < 4 && code == CL_SUCCESS; ++i)
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
    TRY(opencl_buffer_read(&self->device, &self->band, self->pixels, pixels * sizeof(cl_uint),
                           "the picture"));
    for (size_t i = 0; i < pixels; ++i)
        for (size_t channel = 0; channel < 3; ++channel)
            out[3 * i + channel] = (uint8_t)(self->pixels[i] >> (16 - 8 * channel));
    return SCREE_OK;
}

static scree_result draw(drawing *self, const snapshot_scene *scene, uint8_t *pixels) {
    const ray_view *view = &scene->view;
    TRY(opencl_layout_check(&self->device));
    TRY(opencl_program_build(&self->device, "render.cl", NULL, &self->program));
    TRY(opencl_kernel_create(self->program, "render", &self->kernel));
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

scree_result snapshot_draw(const snapshot_scene *scene, const char *device, uint8_t *pixels) {
    drawing self = {0};
    TRY(opencl_device_open(device, &self.device));
    const scree_result result = draw(&self, scene, pixels);
    opencl_buffer *buffers[] = {&self.bodies, &self.nodes, &self.planes, &self.outlines, &self.band};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; ++i)
        opencl_buffer_release(&self.device, buffers[i]);
    if (self.kernel) clReleaseKernel(self.kernel);
    if (self.program) clReleaseProgram(self.program);
    opencl_device_close(&self.device);
    memory_release(self.pixels);
    return result;
}
