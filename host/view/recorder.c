#include "recorder.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool recorder_is_there(void) {
    const char *path = getenv("PATH");
    while (path && *path) {
        char name[4096];
        const size_t length = strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/ffmpeg", (int)length, path);
        if (length && access(name, X_OK) == 0) return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Starts ffmpeg with the read end of the pipe as its input. */
static int spawn(recorder *self, const char *path, int input) {
    char size[32], rate[16];
    snprintf(size, sizeof size, "%dx%d", self->width, self->height);
    snprintf(rate, sizeof rate, "%d", RECORDER_RATE);
    /* Most players need an even size and this pixel format. */
    const char *const words[] = {
        "ffmpeg",   "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-s",       size,        "-r",    rate, "-i", "-",        "-vf",      "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt", "yuv420p",   path,    NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    const int error =
        posix_spawnp(&self->process, "ffmpeg", &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

scree_result recorder_begin(recorder *self, const char *path, int width, int height) {
    *self = (recorder){.path = path, .width = width, .height = height, .pipe = -1};
    if (!recorder_is_there())
        return fail(SCREE_ERROR_FILE,
                    "cannot record '%s': no program ffmpeg on the PATH; it must be installed "
                    "(Debian: apt install ffmpeg). Pictures need none",
                    path);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return fail_file(errno, "cannot record '%s'", path);
    signal(SIGPIPE, SIG_IGN); /* an ffmpeg that ends is an error of the write */
    const int error = spawn(self, path, ends[0]);
    close(ends[0]);
    self->pipe = ends[1];
    if (!error) return SCREE_OK;
    close(self->pipe);
    self->pipe = -1;
    return fail_file(error, "cannot start ffmpeg for '%s'", path);
}

scree_result recorder_add(recorder *self, const uint8_t *pixels) {
    const int error = file_write_all(self->pipe, pixels, 3 * (size_t)self->width * (size_t)self->height);
    if (error) return fail_file(error, "ffmpeg does not take a picture of '%s'", self->path);
    self->frames++;
    return SCREE_OK;
}

scree_result recorder_end(recorder *self) {
    if (!self->path || self->pipe < 0) return SCREE_OK;
    int status = 0;
    close(self->pipe);
    self->pipe = -1;
    while (waitpid(self->process, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return SCREE_OK;
    return fail(SCREE_ERROR_FILE, "ffmpeg could not write '%s' (its message is above)", self->path);
}
