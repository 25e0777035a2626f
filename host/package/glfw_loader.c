/* The functions of GLFW that the viewer calls. Each is forwarded to libglfw.so.3, which glfwInit opens: a
 * program with the viewer runs on machines without GLFW, X11 and OpenGL. */
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>

#include "forward.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static char failure[512]; /* why there is no library */

/* Earlier versions have no glfwGetError. */
static void open_library(void) {
    library = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library && dlsym(library, "glfwGetError")) return;
    const char *reason = library ? "libglfw.so.3 is older than 3.3" : dlerror();
    snprintf(failure, sizeof failure, "GLFW 3.3 cannot be loaded; Debian has it in libglfw3: %s", reason);
    if (library) dlclose(library);
    library = NULL;
}

static void *find(const char *name) {
    pthread_once(&once, open_library);
    return library ? dlsym(library, name) : NULL;
}

static int describe_failure(const char **description) {
    if (description) *description = failure;
    return GLFW_API_UNAVAILABLE;
}

FORWARD(int, GLFW_FALSE, glfwInit, (void), ())
FORWARD(int, describe_failure(description), glfwGetError, (const char **description), (description))
FORWARD_ACTION(glfwTerminate, (void), ())
FORWARD_ACTION(glfwPollEvents, (void), ())
FORWARD_ACTION(glfwWaitEventsTimeout, (double seconds), (seconds))
FORWARD(const char *, NULL, glfwGetKeyName, (int key, int code), (key, code))

FORWARD_ACTION(glfwWindowHint, (int hint, int value), (hint, value))
FORWARD(GLFWwindow *, NULL, glfwCreateWindow,
        (int width, int height, const char *title, GLFWmonitor *monitor, GLFWwindow *share),
        (width, height, title, monitor, share))
FORWARD_ACTION(glfwDestroyWindow, (GLFWwindow * window), (window))
FORWARD_ACTION(glfwShowWindow, (GLFWwindow * window), (window))
FORWARD(int, GLFW_TRUE, glfwWindowShouldClose, (GLFWwindow * window), (window))
FORWARD_ACTION(glfwGetWindowSize, (GLFWwindow * window, int *width, int *height), (window, width, height))
FORWARD_ACTION(glfwGetFramebufferSize, (GLFWwindow * window, int *width, int *height),
               (window, width, height))
FORWARD_ACTION(glfwMakeContextCurrent, (GLFWwindow * window), (window))
FORWARD_ACTION(glfwSwapInterval, (int interval), (interval))
FORWARD_ACTION(glfwSwapBuffers, (GLFWwindow * window), (window))
FORWARD_ACTION(glfwSetClipboardString, (GLFWwindow * window, const char *text), (window, text))
FORWARD_ACTION(glfwSetWindowUserPointer, (GLFWwindow * window, void *pointer), (window, pointer))
FORWARD(void *, NULL, glfwGetWindowUserPointer, (GLFWwindow * window), (window))

#define FORWARD_CALLBACK(type, name)                                                                         \
    FORWARD(type, NULL, name, (GLFWwindow * window, type called), (window, called))
FORWARD_CALLBACK(GLFWkeyfun, glfwSetKeyCallback)
FORWARD_CALLBACK(GLFWmousebuttonfun, glfwSetMouseButtonCallback)
FORWARD_CALLBACK(GLFWcursorposfun, glfwSetCursorPosCallback)
FORWARD_CALLBACK(GLFWscrollfun, glfwSetScrollCallback)
FORWARD_CALLBACK(GLFWframebuffersizefun, glfwSetFramebufferSizeCallback)
FORWARD_CALLBACK(GLFWwindowrefreshfun, glfwSetWindowRefreshCallback)
