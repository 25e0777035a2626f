#include "window.h"

#include "base/clock.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

_Static_assert(VIEWER_KEY_ESCAPE == GLFW_KEY_ESCAPE && VIEWER_KEY_TAB == GLFW_KEY_TAB &&
                   VIEWER_KEY_RIGHT == GLFW_KEY_RIGHT && VIEWER_KEY_LEFT == GLFW_KEY_LEFT &&
                   VIEWER_KEY_HOME == GLFW_KEY_HOME && VIEWER_KEY_END == GLFW_KEY_END &&
                   VIEWER_KEY_F1 == GLFW_KEY_F1,
               "keys have GLFW's numbers");

struct window {
    GLFWwindow *handle;
    viewer *viewer;
};

static const char *last_error(void) {
    const char *text = NULL;
    glfwGetError(&text);
    return text ? text : "no reason given";
}

scree_result window_open(int width, int height, const char *title, window **out) {
    window *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for the window");
    if (!glfwInit()) {
        memory_release(self);
        return fail(SCREE_ERROR_DEVICE, "no display (%s)", last_error());
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); /* pictures are drawn elsewhere */
    self->handle = glfwCreateWindow(width, height, title, NULL, NULL);
    if (!self->handle) {
        const scree_result result = fail(SCREE_ERROR_DEVICE, "no window with OpenGL 3.3 (%s)", last_error());
        window_close(self);
        return result;
    }
    glfwMakeContextCurrent(self->handle);
    *out = self;
    return SCREE_OK;
}

void window_close(window *self) {
    if (!self) return;
    if (self->handle) glfwDestroyWindow(self->handle);
#ifndef MEMORY_IS_WATCHED /* it unloads drivers, and a sanitizer then has no names for what they keep */
    glfwTerminate();
#endif
    memory_release(self);
}

static viewer *viewer_of(GLFWwindow *handle) { return ((window *)glfwGetWindowUserPointer(handle))->viewer; }

/* Returns the key by what the layout writes on it, as far as that is one character. */
static int key_of(int key, int code) {
    const char *name = glfwGetKeyName(key, code);
    if (!name || !name[0] || name[1])
        return key == GLFW_KEY_KP_ADD ? '=' : key == GLFW_KEY_KP_SUBTRACT ? '-' : key;
    return *name == '+' ? '=' : toupper((unsigned char)*name);
}

static void on_key(GLFWwindow *handle, int key, int code, int action, int modifiers) {
    if (action == GLFW_RELEASE) return;
    viewer_type(viewer_of(handle), key_of(key, code), modifiers & GLFW_MOD_SHIFT);
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers) {
    viewer_press(viewer_of(handle), button, action == GLFW_PRESS, modifiers & GLFW_MOD_CONTROL,
                 modifiers & GLFW_MOD_SHIFT);
}

/* GLFW's places are in units of the window, of which each may have several pixels. */
static void on_move(GLFWwindow *handle, double x, double y) {
    int width, height, columns, rows;
    glfwGetWindowSize(handle, &width, &height);
    glfwGetFramebufferSize(handle, &columns, &rows);
    if (width > 0 && height > 0) viewer_move_mouse(viewer_of(handle), x * columns / width, y * rows / height);
}

static void on_scroll(GLFWwindow *handle, double across, double by) {
    (void)across;
    viewer_scroll(viewer_of(handle), by);
}

static void on_size(GLFWwindow *handle, int width, int height) {
    viewer_resize(viewer_of(handle), width, height);
}

static void on_damage(GLFWwindow *handle) { viewer_of(handle)->redraw = true; }

static void set_clipboard(void *context, const char *text) {
    glfwSetClipboardString(((window *)context)->handle, text);
}

static void listen(window *self) {
    glfwSetWindowUserPointer(self->handle, self);
    glfwSetKeyCallback(self->handle, on_key);
    glfwSetMouseButtonCallback(self->handle, on_button);
    glfwSetCursorPosCallback(self->handle, on_move);
    glfwSetScrollCallback(self->handle, on_scroll);
    glfwSetFramebufferSizeCallback(self->handle, on_size);
    glfwSetWindowRefreshCallback(self->handle, on_damage);
    self->viewer->clipboard = set_clipboard;
    self->viewer->clipboard_context = self;
}

/* Waits for input, briefly while something moves. */
static void wait_events(const viewer *shown) {
    if (shown->redraw)
        glfwPollEvents();
    else if (shown->playing || shown->source->is_busy(shown->source))
        glfwWaitEventsTimeout(0.004);
    else
        glfwWaitEventsTimeout(0.2);
}

scree_result window_run(window *self, viewer *shown) {
    int width, height;
    self->viewer = shown;
    listen(self);
    glfwShowWindow(self->handle);
    glfwGetFramebufferSize(self->handle, &width, &height);
    viewer_resize(shown, width, height);
    glfwSwapInterval(1);
    double last = clock_seconds();
    while (!glfwWindowShouldClose(self->handle) && !shown->closing) {
        wait_events(shown);
        const double now = clock_seconds();
        viewer_pass(shown, now - last, false);
        last = now;
        if (!shown->redraw) continue;
        TRY(viewer_draw(shown));
        canvas_show(&shown->canvas);
        glfwSwapBuffers(self->handle);
    }
    return SCREE_OK;
}
