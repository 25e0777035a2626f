#include "options.h"

#include "base/edit_distance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 32, SUGGESTION_DISTANCE = 2 /* largest edit distance of a suggestion */ };

const char *options_nearest(const char *text, const char *(*words)(const void *, int), const void *context) {
    const char *nearest = NULL, *word;
    int least = SUGGESTION_DISTANCE + 1;
    for (int i = 0; (word = words(context, i)); i++) {
        const int distance = edit_distance(text, word);
        if (distance >= least || distance >= (int)strlen(word)) continue;
        least = distance;
        nearest = word;
    }
    return nearest;
}

static const char *row_name(const void *context, int index) {
    return ((const option_row *)context)[index].name;
}
static const char *row_choice(const void *context, int index) {
    return ((const option_row *)context)->choice(index);
}

/* Returns the placeholder; for a choice its words: "auto|opencl|native". */
static const char *placeholder_of(const option_row *row, char *buffer, size_t size) {
    if (row->kind != OPTION_CHOICE) return row->placeholder;
    buffer[0] = 0;
    const char *word;
    for (int i = 0; (word = row->choice(i)); i++) {
        const size_t length = strlen(buffer);
        snprintf(buffer + length, size - length, "%s%s", i ? "|" : "", word);
    }
    return buffer;
}

static void print_row(const char *name, const char *placeholder, const char *help) {
    enum { HELP_COLUMN = 36 };
    const int width = printf("  --%s%s%s", name, placeholder ? " " : "", placeholder ? placeholder : "");
    if (width >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    else
        printf("%*s", HELP_COLUMN - width, "");
    for (const char *c = help; *c; c++) {
        putchar(*c);
        if (*c == '\n') printf("%*s", HELP_COLUMN, "");
    }
    putchar('\n');
}

static void print_help(const option_command *command) {
    printf("Usage: %s [OPTIONS]%s%s\n\n%s\n\nOptions:\n", command->name, *command->operands ? " " : "",
           command->operands, command->summary);
    char words[128];
    for (const option_row *row = command->rows; row->name; row++)
        print_row(row->name, placeholder_of(row, words, sizeof words), row->help);
    print_row("help", NULL, "show this help and exit");
}

static bool wrong_value(const option_command *command, const option_row *row, const char *text,
                        const char *expected) {
    fprintf(stderr, "%s: --%s: \"%s\"; must be %s\n", command->name, row->name, text, expected);
    return false;
}

/* Reads a list of `count` numbers. */
static bool read_numbers(const char *text, char separator, int count, double *out) {
    for (int i = 0; i < count; i++) {
        char *rest;
        out[i] = strtod(text, &rest);
        if (rest == text || *rest != (i + 1 < count ? separator : 0) || !isfinite(out[i])) return false;
        text = rest + 1;
    }
    return true;
}

/* Returns whether the text is a fraction or has the unit s, such as "0.1" or "2.5s", so that the user
 * probably means seconds. */
static bool is_fraction(const char *text) {
    char *rest;
    const double number = strtod(text, &rest);
    return rest != text && isfinite(number) && (number != floor(number) || !strcmp(rest, "s"));
}

static bool read_value(const option_command *command, const option_row *row, const char *text) {
    char expected[160];
    double number[3] = {0};
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->value = true;
        return true;
    case OPTION_TEXT:
        if (!*text) return wrong_value(command, row, text, "a non-empty name");
        *(const char **)row->value = text;
        return true;
    case OPTION_INTEGER: {
        char *rest;
        errno = 0;
        const long long whole = strtoll(text, &rest, 10);
        if (rest == text || *rest || errno || (double)whole < row->min || (double)whole > row->max) {
            const bool hinted = row->hint && is_fraction(text);
            snprintf(expected, sizeof expected, "a whole number from %.0f to %.0f%s%s", row->min, row->max,
                     hinted ? ": " : "", hinted ? row->hint : "");
            return wrong_value(command, row, text, expected);
        }
        *(long long *)row->value = whole;
        return true;
    }
    case OPTION_REAL:
        if (!read_numbers(text, 0, 1, number) || number[0] < row->min || number[0] > row->max) {
            snprintf(expected, sizeof expected, "a number from %g to %g%s%s%s", row->min, row->max,
                     row->unit ? " (" : "", row->unit ? row->unit : "", row->unit ? ")" : "");
            return wrong_value(command, row, text, expected);
        }
        *(double *)row->value = number[0];
        return true;
    case OPTION_CHOICE: {
        const char *word;
        for (int i = 0; (word = row->choice(i)); i++) {
            if (strcmp(word, text)) continue;
            *(int *)row->value = i;
            return true;
        }
        char words[128];
        const char *nearest = options_nearest(text, row_choice, row);
        snprintf(expected, sizeof expected, "one of %s%s%s%s", placeholder_of(row, words, sizeof words),
                 nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
        return wrong_value(command, row, text, expected);
    }
    case OPTION_SIZE:
        if (!read_numbers(text, 'x', 2, number) || number[0] < row->min || number[0] > row->max ||
            number[1] < row->min || number[1] > row->max || number[0] != floor(number[0]) ||
            number[1] != floor(number[1])) {
            snprintf(expected, sizeof expected, "WxH in pixels, such as 960x720, each from %g to %g",
                     row->min, row->max);
            return wrong_value(command, row, text, expected);
        }
        for (int i = 0; i < 2; i++) ((int *)row->value)[i] = (int)number[i];
        return true;
    case OPTION_VECTOR:
        if (!read_numbers(text, ',', 3, number))
            return wrong_value(command, row, text, "X,Y,Z in metres, such as 1,-2,0.5");
        for (int i = 0; i < 3; i++) ((float *)row->value)[i] = (float)number[i];
        return true;
    }
    return false;
}

/* Reads the option argv[*at], with its value from "=…" or from the next argument. */
static bool read_option(const option_command *command, int argc, char **argv, int *at) {
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    char bare[LONGEST_WORD + 1];
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    snprintf(bare, sizeof bare, "%.*s", (int)(length < sizeof bare ? length : sizeof bare - 1), name);
    const option_row *row = command->rows;
    while (row->name && strcmp(row->name, bare)) ++row;
    if (!row->name) {
        const char *nearest = options_nearest(bare, row_name, command->rows);
        fprintf(stderr, "%s: unknown option --%s; %s%s%s\n", command->name, bare,
                nearest ? "did you mean --" : "`", nearest ? nearest : command->name,
                nearest ? "?" : " --help` lists them");
        return false;
    }
    const char *value = equals ? equals + 1 : NULL;
    if (row->kind == OPTION_FLAG && value) {
        fprintf(stderr, "%s: --%s takes no value\n", command->name, row->name);
        return false;
    }
    if (row->kind != OPTION_FLAG && !value) {
        if (*at + 1 >= argc || !strncmp(argv[*at + 1], "--", 2)) {
            char words[128];
            fprintf(stderr, "%s: --%s requires a value: --%s %s\n", command->name, row->name, row->name,
                    placeholder_of(row, words, sizeof words));
            return false;
        }
        value = argv[++*at];
    }
    if (row->given) *row->given = true;
    return read_value(command, row, value);
}

option_outcome options_parse(const option_command *command, int argc, char **argv, const char **operands,
                             int *count) {
    const int most = command->most ? command->most : *command->operands != 0,
              least = *command->operands && *command->operands != '[';
    bool only_operands = false;
    int found = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(command);
            return OPTION_HELP;
        }
    for (int i = 1; i < argc; i++) {
        if (!only_operands && !strcmp(argv[i], "--")) {
            only_operands = true;
        } else if (!only_operands && !strncmp(argv[i], "--", 2)) {
            if (!read_option(command, argc, argv, &i)) return OPTION_WRONG;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            fprintf(stderr, "%s: unknown option %s; options begin with two dashes\n", command->name, argv[i]);
            return OPTION_WRONG;
        } else if (found == most) {
            fprintf(stderr, "%s: unexpected argument \"%s\"; %s\n", command->name, argv[i],
                    most ? "must be one file only" : "this command takes options only");
            return OPTION_WRONG;
        } else {
            operands[found++] = argv[i];
        }
    }
    if (count) *count = found;
    if (found < least) {
        fprintf(stderr, "%s: %s is missing; `%s --help` explains the command\n", command->name,
                command->operands, command->name);
        return OPTION_WRONG;
    }
    return OPTION_OK;
}
