#include "text.h"

#include "file.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MOST = 128, SHOWN_MOST = 40 /* bytes */ };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* Rewrites the line ends in place. */
static void unify_line_ends(char *bytes) {
    char *out = bytes;
    for (const char *c = bytes; *c; c++) {
        const bool carriage = *c == '\r'; /* `out` may be here */
        *out++ = (char)(carriage ? '\n' : *c);
        if (carriage && c[1] == '\n') c++;
    }
    *out = 0;
}

scree_result text_begin(text *self, const char *path, char *bytes, size_t length) {
    if (strlen(bytes) != length)
        return fail(SCREE_ERROR_FORMAT, "'%s': byte %zu: a zero; must be text", path, strlen(bytes));
    unify_line_ends(bytes);
    *self = (text){.path = path, .at = bytes + file_mark_length(bytes, length), .line = 1};
    return SCREE_OK;
}

/* Returns where the next line begins, or the text ends, if a backslash at `at` ends its line; else null. */
static const char *joined_line(const text *self, const char *at) {
    if (!self->joins || *at != '\\') return NULL;
    for (at++; is_blank(*at);) at++;
    return *at ? *at == '\n' ? at + 1 : NULL : at;
}

void text_skip_blanks(text *self) {
    for (;;) {
        const bool blank = is_blank(*self->at);
        const char *next = blank ? self->at + 1 : joined_line(self, self->at);
        if (!next) return;
        self->at = next;
        self->line += !blank;
    }
}

void text_skip_lines(text *self) {
    for (text_skip_blanks(self); *self->at == '\n'; text_skip_blanks(self)) {
        self->at++;
        self->line++;
    }
}

/* A backslash at the end of a comment, such as of the path of a Windows folder, joins nothing. */
void text_skip_rest(text *self) {
    for (text_skip_blanks(self); !text_at_line_end(self) && *self->at != '#'; text_skip_blanks(self))
        self->at += text_word_length(self);
    while (!text_at_line_end(self)) self->at++;
}

bool text_at_line_end(const text *self) { return !*self->at || *self->at == '\n'; }

size_t text_word_length(const text *self) {
    size_t length = 0;
    for (const char *c = self->at; *c && *c != '\n' && !is_blank(*c) && !joined_line(self, c); c++) length++;
    return length;
}

bool text_at_word(const text *self, const char *word) {
    const size_t length = strlen(word);
    return text_word_length(self) == length && !strncasecmp(self->at, word, length);
}

bool text_number(const text *self, size_t length, double *out) {
    char copy[NUMBER_MOST], *end = NULL;
    if (!length || length >= sizeof copy) return false;
    memcpy(copy, self->at, length);
    copy[length] = 0;
    if (strspn(copy, "+-.0123456789eEdD") != length) return false;
    char *exponent = strpbrk(copy, "dD");
    if (exponent) *exponent = 'e';
    SCOPED_LOCALE before = number_locale_set();
    *out = strtod(copy, &end);
    return !*end && isfinite(*out);
}

scree_result text_expected(const text *self, size_t length, const char *what) {
    return fail(SCREE_ERROR_FORMAT, "'%s':%d: %s%.*s%s; must be %s", self->path, self->line,
                length ? "\"" : "nothing", (int)(length < SHOWN_MOST ? length : SHOWN_MOST), self->at,
                length ? "\"" : "", what);
}
