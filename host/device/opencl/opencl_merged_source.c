#include "opencl_merged_source.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 96, DEPTH = 32, PARAMETERS = 8192 };

/* A macro without parameters; `body` is a part of the source. */
typedef struct macro {
    const char *name, *body;
    int name_length, body_length;
} macro;

/* The text so far, the macros that are defined, and the conditions around the current line. */
typedef struct rewriting {
    const char *options;
    char *text;
    int length, capacity;
    int macro_count, macro_capacity;
    macro *macros;
    int depth;
    bool active[DEPTH]; /* whether the lines of each condition count */
} rewriting;

static const char prologue[] =
    "#define get_num_groups(dimension) merged_groups\n"
    "#define get_global_size(dimension) ((size_t)merged_groups * get_local_size(0))\n";

static scree_result append(rewriting *self, const char *text, size_t length) {
    TRY(MEMORY_RESERVE(self->text, self->capacity, (size_t)self->length + length + 1, NULL));
    memcpy(self->text + self->length, text, length);
    self->length += (int)length;
    self->text[self->length] = 0;
    return SCREE_OK;
}

static scree_result append_text(rewriting *self, const char *text) {
    return append(self, text, strlen(text));
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int word_length(const char *text) {
    int length = 0;
    while (is_word(text[length])) length++;
    return length;
}

static const char *after_spaces(const char *text) { return text + strspn(text, " \t"); }

/* Returns the end of a line that backslashes continue. */
static const char *line_end(const char *line) {
    for (;; line++) {
        line += strcspn(line, "\n");
        if (!*line || line[-1] != '\\') return line;
    }
}

static const macro *macro_find(const rewriting *self, const char *name, int length) {
    for (int i = self->macro_count - 1; i >= 0; i--)
        if (self->macros[i].name_length == length && !memcmp(self->macros[i].name, name, (size_t)length))
            return &self->macros[i];
    return NULL;
}

static bool is_option(const rewriting *self, const char *name, int length) {
    for (const char *at = self->options; at && (at = strstr(at, "-D")); at += 2)
        if (word_length(at + 2) == length && !memcmp(at + 2, name, (size_t)length)) return true;
    return false;
}

static bool is_defined(const rewriting *self, const char *name, int length) {
    static const char version[] = "__OPENCL_VERSION__";
    return macro_find(self, name, length) || is_option(self, name, length) ||
           (length == sizeof version - 1 && !memcmp(name, version, (size_t)length));
}

static bool is_active(const rewriting *self) {
    for (int i = 0; i < self->depth; i++)
        if (!self->active[i]) return false;
    return true;
}

static scree_result define(rewriting *self, const char *name, const char *end) {
    const int length = word_length(name);
    if (name[length] == '(') return SCREE_OK; /* no kernel has parameters of such macros */
    const char *body = after_spaces(name + length);
    TRY(MEMORY_RESERVE(self->macros, self->macro_capacity, self->macro_count + 1, NULL));
    self->macros[self->macro_count++] =
        (macro){name, body < end ? body : end, length, body < end ? (int)(end - body) : 0};
    return SCREE_OK;
}

static void undefine(rewriting *self, const char *name) {
    const int length = word_length(name);
    for (int i = 0; i < self->macro_count; i++)
        if (self->macros[i].name_length == length && !memcmp(self->macros[i].name, name, (size_t)length))
            self->macros[i].name_length = -1; /* no word has that length */
}

static scree_result begin_condition(rewriting *self, bool active) {
    if (self->depth == DEPTH) return fail(SCREE_ERROR_KERNEL_BUILD, "kernel source: conditions too deep");
    self->active[self->depth++] = active;
    return SCREE_OK;
}

static bool is_directive(const char *at, const char *name) {
    const size_t length = strlen(name);
    return !strncmp(at, name, length) && !is_word(at[length]);
}

/* Follows a directive. A condition other than that a name is defined counts as true. */
static scree_result follow(rewriting *self, const char *line, const char *end) {
    const char *at = after_spaces(after_spaces(line) + 1), *name = after_spaces(at + word_length(at));
    const int length = word_length(name);
    if (is_directive(at, "ifdef")) return begin_condition(self, is_defined(self, name, length));
    if (is_directive(at, "ifndef")) return begin_condition(self, !is_defined(self, name, length));
    if (is_directive(at, "if")) return begin_condition(self, true);
    if (is_directive(at, "endif") && self->depth > 0) self->depth--;
    if ((is_directive(at, "else") || is_directive(at, "elif")) && self->depth > 0)
        self->active[self->depth - 1] = !self->active[self->depth - 1];
    if (is_directive(at, "undef") && is_active(self)) undefine(self, name);
    if (is_directive(at, "define") && is_active(self)) return define(self, name, end);
    return SCREE_OK;
}

/* Parameters with their macros expanded. */
typedef struct parameters {
    char text[PARAMETERS];
    int length;
} parameters;

static scree_result too_long(void) {
    return fail(SCREE_ERROR_KERNEL_BUILD, "kernel source: the parameters of a kernel are too long");
}

static scree_result expand(const rewriting *self, const char *text, int length, int depth, parameters *out) {
    for (int i = 0; i < length;) {
        const int word = word_length(text + i);
        const macro *found = word ? macro_find(self, text + i, word) : NULL;
        if (out->length + word + 2 > PARAMETERS || depth == DEPTH) return too_long();
        if (found) {
            TRY(expand(self, found->body, found->body_length, depth + 1, out));
        } else if (word) {
            memcpy(out->text + out->length, text + i, (size_t)word);
            out->length += word;
        } else {
            const char c = text[i];
            out->text[out->length++] = c == '\n' || c == '\\' ? ' ' : c;
        }
        i += word ? word : 1;
    }
    out->text[out->length] = 0;
    return SCREE_OK;
}

/* Declares a parameter as a variable with its value from the row; it is the `number`-th, from 1. */
static scree_result declare(rewriting *self, const char *parameter, int length, int number) {
    char line[512];
    while (length > 0 && isspace((unsigned char)*parameter)) parameter++, length--;
    while (length > 0 && isspace((unsigned char)parameter[length - 1])) length--;
    int type = length; /* length of the type, with the star of a pointer */
    while (type > 0 && is_word(parameter[type - 1])) type--;
    while (type > 0 && isspace((unsigned char)parameter[type - 1])) type--;
    if (type == 0 || type == length)
        return fail(SCREE_ERROR_KERNEL_BUILD, "kernel source: parameter `%.*s` is not understood", length,
                    parameter);
    const bool pointer = parameter[type - 1] == '*';
    const int written =
        pointer
            ? snprintf(line, sizeof line,
                       " %.*s = merged_row[%d] ? (%.*s)(merged_memory + ((ulong)merged_row[%d] << 7)) : 0;",
                       length, parameter, number, type, parameter, number)
            : snprintf(line, sizeof line, " %.*s = *(global %.*s *)(merged_row + merged_row[%d]);", length,
                       parameter, type, parameter, number);
    if (written >= (int)sizeof line) return too_long();
    return append_text(self, line);
}

static scree_result declare_all(rewriting *self, const parameters *of) {
    int number = 0;
    for (const char *at = of->text; *at;) {
        const int length = (int)strcspn(at, ",");
        TRY(declare(self, at, length, ++number));
        at += length + (at[length] == ',');
    }
    return SCREE_OK;
}

static scree_result append_lines(rewriting *self, const char *from, const char *to) {
    for (; from < to; from++)
        if (*from == '\n') TRY(append(self, "\n", 1));
    return SCREE_OK;
}

/* Returns the parenthesis that closes the one before `text`; NULL: none. */
static const char *closing(const char *text) {
    for (int depth = 1; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0) return text;
    }
    return NULL;
}

static const char kernel_begin[] = "kernel void ";

/* Rewrites the head of a kernel; sets *at to its end. */
static scree_result rewrite(rewriting *self, const char **at) {
    static const char head[] = "(global uchar *merged_memory, global const uint *merged_table, const uint "
                               "merged_first) { global const uint *merged_row = merged_table + "
                               "merged_table[merged_first + (uint)get_group_id(1)]; const uint "
                               "merged_groups = merged_row[0]; if (get_group_id(0) >= merged_groups) return;";
    const char *open = *at + strcspn(*at, "("), *close = *open ? closing(open + 1) : NULL,
               *body = close ? close + strcspn(close, "{") : NULL;
    SCOPED parameters *of = memory_allocate(1, sizeof *of);
    if (!of) return fail(SCREE_ERROR_MEMORY, "out of memory for a kernel source");
    if (!body || !*body) return fail(SCREE_ERROR_KERNEL_BUILD, "kernel source: a kernel has no body");
    TRY(expand(self, open + 1, (int)(close - open - 1), 0, of));
    TRY(append(self, *at, (size_t)(open - *at)));
    TRY(append_lines(self, *at, body));
    TRY(append_text(self, head));
    TRY(declare_all(self, of));
    *at = body + 1;
    return SCREE_OK;
}

static scree_result rewrite_all(rewriting *self, const char *source) {
    TRY(append_text(self, prologue));
    while (*source) {
        const char *end = line_end(source);
        if (!strncmp(source, kernel_begin, sizeof kernel_begin - 1)) {
            TRY(rewrite(self, &source));
            continue;
        }
        if (*after_spaces(source) == '#') TRY(follow(self, source, end));
        TRY(append(self, source, (size_t)(end - source) + (*end != 0)));
        source = end + (*end != 0);
    }
    return SCREE_OK;
}

scree_result opencl_source_merge(const char *source, const char *options, char **out) {
    rewriting self = {.options = options};
    const scree_result result = rewrite_all(&self, source);
    memory_release(self.macros);
    if (result == SCREE_OK)
        *out = self.text;
    else
        memory_release(self.text);
    return result;
}
