#include "png_file.h"

#include "../base/memory.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

/* What went wrong inside libpng, which reports by a long jump. */
typedef struct png_failure {
    int error; /* errno at that moment */
    char text[160];
} png_failure;

static void on_error(png_structp png, png_const_charp text) {
    png_failure *failure = png_get_error_ptr(png);
    failure->error = errno;
    snprintf(failure->text, sizeof failure->text, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/* Everything between setjmp and a possible jump back reads only parameters and memory behind pointers that do
 * not change, so nothing is indeterminate after the jump. */
static bool encode(png_structp png, png_infop info, FILE *file, int width, int height,
                   const uint8_t *pixels) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int row = 0; row < height; ++row) png_write_row(png, pixels + (size_t)row * (size_t)width * 3);
    png_write_end(png, info);
    return true;
}

static scree_result write_picture(FILE *file, const char *path, int width, int height,
                                  const uint8_t *pixels) {
    png_failure failure = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return fail(SCREE_ERROR_MEMORY, "out of memory encoding the picture %s", path);
    }
    errno = 0;
    const bool done = encode(png, info, file, width, height, pixels);
    png_destroy_write_struct(&png, &info);
    if (done) return SCREE_OK;
    if (failure.error) return fail_file(failure.error, "cannot write the picture %s", path);
    return fail(SCREE_ERROR_FILE, "cannot write the picture %s: libpng says: %s", path, failure.text);
}

/* Encodes and closes: a full disk may show only when the last bytes are flushed. */
static scree_result write_file(const char *temporary, const char *path, int width, int height,
                               const uint8_t *pixels) {
    FILE *file = fopen(temporary, "wb");
    if (!file) return fail_file(errno, "cannot create the picture %s", path);
    scree_result result = write_picture(file, path, width, height, pixels);
    if (result == SCREE_OK && (fflush(file) != 0 || ferror(file)))
        result = fail_file(errno, "cannot write the picture %s", path);
    if (fclose(file) != 0 && result == SCREE_OK)
        result = fail_file(errno, "cannot write the picture %s", path);
    return result;
}

scree_result png_file_write(const char *path, int width, int height, const uint8_t *pixels) {
    const size_t size = strlen(path) + sizeof ".part";
    char *temporary = memory_allocate(size, 1);
    if (!temporary) return fail(SCREE_ERROR_MEMORY, "out of memory writing the picture %s", path);
    snprintf(temporary, size, "%s.part", path);
    scree_result result = write_file(temporary, path, width, height, pixels);
    if (result == SCREE_OK && rename(temporary, path) != 0)
        result = fail_file(errno, "cannot name the picture %s", path);
    if (result != SCREE_OK) remove(temporary);
    memory_release(temporary);
    return result;
}
