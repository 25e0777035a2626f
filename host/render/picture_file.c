#include "picture_file.h"

#include "base/memory.h"
#include "io/file.h"

#include <png.h>

scree_result picture_file_write(const char *path, int width, int height, const uint8_t *pixels) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    SCOPED void *bytes = memory_allocate(size, 1);
    if (!bytes) return fail(SCREE_ERROR_MEMORY, "out of memory encoding the picture '%s'", path);
    if (!png_image_write_to_memory(&image, bytes, &size, 0, pixels, 0, NULL))
        return fail(SCREE_ERROR_FILE, "cannot encode the picture '%s': libpng: %s", path, image.message);
    return file_replace(path, &(file_piece){bytes, (size_t)size}, 1, false);
}
