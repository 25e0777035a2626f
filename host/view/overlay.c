#include "overlay.h"

#include "base/memory.h"
#include "base/vector.h"
#include "render/annotation.h"

#include <string.h>

static const char vertex[] = "out vec2 spot;\n"
                             "void main() {\n"
                             "    spot = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                             "    gl_Position = vec4(spot * vec2(2, -2) + vec2(-1, 1), 0, 1);\n"
                             "}\n";
static const char fragment[] = "in vec2 spot;\n"
                               "uniform sampler2D picture;\n"
                               "out vec4 result;\n"
                               "void main() { result = texture(picture, spot); }\n";

scree_result overlay_make(overlay *self) {
    *self = (overlay){0};
    TRY(gl_program_make("of annotations", vertex, fragment, &self->program));
    glGenVertexArrays(1, &self->array);
    glGenTextures(1, &self->texture);
    glBindTexture(GL_TEXTURE_2D, self->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return SCREE_OK;
}

void overlay_release(overlay *self) {
    glDeleteTextures(1, &self->texture);
    glDeleteVertexArrays(1, &self->array);
    glDeleteProgram(self->program);
    memory_release(self->bytes);
    *self = (overlay){0};
}

/* Annotations blend with what is behind them: black shows their light, white and black their transparency. */
static void combine(const uint8_t *black, const uint8_t *white, uint8_t *out, size_t pixels) {
    for (size_t i = 0; i < pixels; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + (size_t)k] = black[3 * i + (size_t)k];
        out[4 * i + 3] = (uint8_t)(255 - (white[3 * i + 1] - black[3 * i + 1]));
    }
}

static overlay_content content_of(const scree_frame *frame, const scree_view *settled,
                                  const snapshot_scale *scale) {
    const vec3s from = glms_vec3_sub(vec3_in(settled->eye), vec3_in(settled->target));
    const scalar scope = glms_vec3_norm(from) * settled->field_of_view;
    return (overlay_content){.time = settled->time ? frame->time : 0,
                             .distance = settled->scale_bar ? (double)scope : 0,
                             .low = scale->low,
                             .high = scale->high,
                             .width = settled->width,
                             .height = settled->height,
                             .colouring = (int32_t)scale->colouring,
                             .beyond = scale->beyond,
                             .legend = settled->legend,
                             .scale_bar = settled->scale_bar,
                             .shows_time = settled->time,
                             .materials = scale->kind_count};
}

static scree_result make_texture(overlay *self, const scree_frame *frame, const scree_view *settled,
                                 const snapshot_scale *scale) {
    const size_t pixels = (size_t)settled->width * (size_t)settled->height;
    TRY(MEMORY_RESERVE(self->bytes, self->capacity, 10 * pixels, NULL));
    uint8_t *black = self->bytes, *white = black + 3 * pixels, *both = white + 3 * pixels;
    memset(black, 0, 3 * pixels);
    memset(white, 255, 3 * pixels);
    annotation_draw(frame, settled, scale, black);
    annotation_draw(frame, settled, scale, white);
    combine(black, white, both, pixels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, settled->width, settled->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 both);
    return SCREE_OK;
}

scree_result overlay_draw(overlay *self, const scree_frame *frame, const scree_view *settled,
                          const snapshot_scale *scale) {
    const overlay_content content = content_of(frame, settled, scale);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, self->texture);
    if (memcmp(&content, &self->content, sizeof content)) TRY(make_texture(self, frame, settled, scale));
    self->content = content;
    glUseProgram(self->program);
    glBindVertexArray(self->array);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    return SCREE_OK;
}
