#include "canvas.h"

#include <string.h>

static scree_result check(const canvas *self) {
    const GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    return state == GL_FRAMEBUFFER_COMPLETE
               ? SCREE_OK
               : fail(SCREE_ERROR_DEVICE, "OpenGL has no picture of %d × %d pixels (error 0x%x)",
                      self->width * self->scale, self->height * self->scale, state);
}

static GLuint buffer_of(GLenum format, GLenum place, int width, int height) {
    GLuint out;
    glGenRenderbuffers(1, &out);
    glBindRenderbuffer(GL_RENDERBUFFER, out);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, out);
    return out;
}

void canvas_release(canvas *self) {
    glDeleteFramebuffers(1, &self->drawn);
    glDeleteFramebuffers(1, &self->shown);
    glDeleteRenderbuffers(1, &self->drawn_colour);
    glDeleteRenderbuffers(1, &self->drawn_depth);
    glDeleteRenderbuffers(1, &self->shown_colour);
    *self = (canvas){0};
}

scree_result canvas_resize(canvas *self, int width, int height, int scale) {
    if (self->width == width && self->height == height && self->scale == scale) return SCREE_OK;
    canvas_release(self);
    self->width = width;
    self->height = height;
    self->scale = scale;
    glGenFramebuffers(1, &self->drawn);
    glBindFramebuffer(GL_FRAMEBUFFER, self->drawn);
    self->drawn_colour = buffer_of(GL_RGBA8, GL_COLOR_ATTACHMENT0, width * scale, height * scale);
    self->drawn_depth = buffer_of(GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, width * scale, height * scale);
    TRY(check(self));
    glGenFramebuffers(1, &self->shown);
    glBindFramebuffer(GL_FRAMEBUFFER, self->shown);
    self->shown_colour = buffer_of(GL_RGBA8, GL_COLOR_ATTACHMENT0, width, height);
    return check(self);
}

void canvas_begin(const canvas *self) {
    glBindFramebuffer(GL_FRAMEBUFFER, self->drawn);
    glViewport(0, 0, self->width * self->scale, self->height * self->scale);
}

void canvas_end(const canvas *self) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, self->drawn);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, self->shown);
    glBlitFramebuffer(0, 0, self->width * self->scale, self->height * self->scale, 0, 0, self->width,
                      self->height, GL_COLOR_BUFFER_BIT, self->scale > 1 ? GL_LINEAR : GL_NEAREST);
}

void canvas_show(const canvas *self) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, self->shown);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, self->width, self->height, 0, 0, self->width, self->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

static void swap_rows(uint8_t *one, uint8_t *other, size_t length) {
    for (size_t k = 0; k < length; k++) {
        const uint8_t kept = one[k];
        one[k] = other[k];
        other[k] = kept;
    }
}

void canvas_read(const canvas *self, uint8_t *out) {
    const size_t row = 3 * (size_t)self->width;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, self->shown);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, self->width, self->height, GL_RGB, GL_UNSIGNED_BYTE, out);
    for (int top = 0, bottom = self->height - 1; top < bottom; top++, bottom--)
        swap_rows(out + (size_t)top * row, out + (size_t)bottom * row, row);
}
