#include "png_file.h"

#include "base/memory.h"
#include "file.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

/* The encoded file so far, and the error of libpng, which reports by longjmp. */
typedef struct encoding {
    uint8_t *bytes;
    int length, capacity;
    bool out_of_memory;
    char text[160];
} encoding;

static void on_error(png_structp png, png_const_charp text) {
    encoding *self = png_get_error_ptr(png);
    snprintf(self->text, sizeof self->text, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_bytes(png_structp png, png_bytep bytes, size_t length) {
    encoding *self = png_get_io_ptr(png);
    self->out_of_memory =
        MEMORY_RESERVE(self->bytes, self->capacity, (size_t)self->length + length, NULL) != SCREE_OK;
    if (self->out_of_memory) png_error(png, "out of memory");
    memcpy(self->bytes + self->length, bytes, length);
    self->length += (int)length;
}

static void on_flush(png_structp png) { (void)png; }

/* Code between setjmp and a possible longjmp reads only parameters and memory behind unchanging pointers,
 * so no variable is indeterminate after the jump. */
static bool encode_rows(png_structp png, png_infop info, encoding *self, int width, int height,
                        const uint8_t *pixels) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, self, on_bytes, on_flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int row = 0; row < height; ++row) png_write_row(png, pixels + (size_t)row * (size_t)width * 3);
    png_write_end(png, info);
    return true;
}

static scree_result encode(encoding *self, const char *path, int width, int height, const uint8_t *pixels) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return fail(SCREE_ERROR_MEMORY, "out of memory encoding the picture '%s'", path);
    }
    const bool done = encode_rows(png, info, self, width, height, pixels);
    png_destroy_write_struct(&png, &info);
    if (done) return SCREE_OK;
    return fail(self->out_of_memory ? SCREE_ERROR_MEMORY : SCREE_ERROR_FILE,
                "cannot encode the picture '%s': libpng: %s", path, self->text);
}

scree_result png_file_write(const char *path, int width, int height, const uint8_t *pixels) {
    encoding self = {0};
    scree_result result = encode(&self, path, width, height, pixels);
    if (result == SCREE_OK)
        result = file_replace(path, &(file_piece){self.bytes, (size_t)self.length}, 1, false);
    memory_release(self.bytes);
    return result;
}
