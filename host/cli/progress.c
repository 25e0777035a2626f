#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

/* Number of columns below which the short text is used. */
enum { NARROW = 120 };
static const double bar_interval = 0.1, line_interval = 5, rate_interval = 2; /* s */

progress progress_begin(bool quiet, uint64_t first, uint64_t last, uint64_t verify) {
    const double now = clock_seconds();
    const char *term = getenv("TERM");
    return (progress){.quiet = quiet,
                      .terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb"),
                      .first = first,
                      .last = last,
                      .started = now,
                      .shown = now,
                      .rate_from = now,
                      .rate_step = first,
                      .verify = verify};
}

const char *noun_of(long long count, const char *one, const char *many) { return count == 1 ? one : many; }

const char *duration_text(double seconds, char buffer[32]) {
    const long whole = (long)(seconds + 0.5);
    if (seconds < 10)
        snprintf(buffer, 32, "%.1f s", seconds);
    else if (whole < 100)
        snprintf(buffer, 32, "%ld s", whole);
    else if (whole < 3600)
        snprintf(buffer, 32, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(buffer, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return buffer;
}

static int terminal_width(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* Steps become slower as a pile settles, so the time left follows from the rate of the last seconds: sums of
 * steps and seconds, of which earlier ones count half at each update. Verified steps take many times as long
 * and are counted separately. */
static void update_rate(progress *self, uint64_t step, double now) {
    const double seconds = now - self->rate_from - (self->verified_seconds - self->rate_verified_from);
    const uint64_t steps = step - self->rate_step - (uint64_t)(self->verified - self->rate_verified);
    if (self->rate > 0 && seconds < rate_interval && step < self->last) return;
    if (seconds <= 0 || steps == 0) return;
    self->recent_steps = self->recent_steps / 2 + (double)steps;
    self->recent_seconds = self->recent_seconds / 2 + seconds;
    self->rate = self->recent_steps / self->recent_seconds;
    self->rate_from = now;
    self->rate_step = step;
    self->rate_verified = self->verified;
    self->rate_verified_from = self->verified_seconds;
}

double progress_left(const progress *self, uint64_t step) {
    const uint64_t verified = self->verify > 0 ? self->last / self->verify - step / self->verify : 0,
                   others = self->last - step - verified;
    return (self->rate > 0 ? (double)others / self->rate : 0) +
           (self->verified > 0 ? (double)verified * self->verified_seconds / self->verified : 0);
}

/* Draws a bar before the text if both fit. */
static void draw_bar(progress *self, const char *text, double fraction, int space) {
    const int bar = space - (int)strlen(text) - 3, width = bar > 40 ? 40 : bar;
    fputs("\r\033[K", stderr);
    if (width >= 5) {
        const int filled = (int)(fraction * width);
        fputc('[', stderr);
        for (int i = 0; i < width; i++) fputc(i < filled ? '#' : '.', stderr);
        fputs("] ", stderr);
    }
    fprintf(stderr, "%.*s", space, text);
    fflush(stderr);
    self->drawn = true;
}

int progress_space(const progress *self) { return self->terminal ? terminal_width() - 1 : PROGRESS_TEXT; }

bool progress_is_due(progress *self, double now) {
    if (self->quiet || now - self->shown < (self->terminal ? bar_interval : line_interval)) return false;
    self->shown = now;
    fflush(stdout); /* keeps the order of the text if both go to one file */
    return true;
}

void progress_draw(progress *self, const char *text, double fraction) {
    if (self->terminal)
        draw_bar(self, text, fraction, progress_space(self));
    else
        fprintf(stderr, "%s\n", text);
}

void progress_step(progress *self, const scree_statistics *s) {
    if (self->quiet) return;
    const double now = clock_seconds();
    self->verified += s->verified;
    self->verified_seconds += s->verified ? s->timing.total : 0;
    update_rate(self, s->step, now);
    if (s->step >= self->last) self->shown = -INFINITY; /* the last line is due */
    if (!progress_is_due(self, now)) return;
    const double fraction = (double)(s->step - self->first) / (double)(self->last - self->first);
    const unsigned long long step = s->step, last = self->last;
    char wall[32], remaining[32], text[PROGRESS_TEXT];
    duration_text(now - self->started, wall);
    duration_text(progress_left(self, s->step), remaining);
    const char *const contacts = noun_of(s->contacts, "contact", "contacts");
    if (progress_space(self) >= NARROW)
        snprintf(text, sizeof text,
                 "%3.0f %%, step %llu/%llu, %.3f s, wall %s, %.3g steps/s, left %s, residual %.1e, %d %s",
                 100 * fraction, step, last, s->time, wall, self->rate, remaining, s->solve.residual,
                 s->contacts, contacts);
    else
        snprintf(text, sizeof text, "%.0f %% %llu/%llu %.2f s wall %s %.2g/s left %s res %.0e %d %s",
                 100 * fraction, step, last, s->time, wall, self->rate, remaining, s->solve.residual,
                 s->contacts, contacts);
    progress_draw(self, text, fraction);
}

void progress_clear(progress *self) {
    if (self->drawn) fputs("\r\033[K", stderr);
    self->drawn = false;
}
