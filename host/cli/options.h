/* Command-line options as a table. Parsing, checking and help use the same rows. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char * */
    OPTION_INTEGER, /* long long in min … max */
    OPTION_REAL,    /* double in min … max */
    OPTION_CHOICE,  /* int: index of the word in `choice` */
    OPTION_SIZE,    /* int[2]: WxH, each in min … max */
    OPTION_VECTOR   /* float[3]: X,Y,Z */
} option_kind;

typedef struct option_row {
    const char *name; /* without the dashes; NULL ends the table */
    option_kind kind;
    const char *placeholder; /* name of the value in the help; NULL for flags and choices */
    void *value; /* destination, of the type given at option_kind; unchanged if the option is not given */
    bool *given; /* set when the option is given; may be NULL */
    const char *unit; /* of a number; may be NULL */
    double min, max;
    const char *(*choice)(int index); /* the words, NULL after the last */
    const char *help;
    const char *hint; /* appended to the error message for a fraction; may be NULL */
} option_row;

/* A row; further members follow the help. */
#define OPTION(KIND, NAME, VALUE, HELP, ...)                                                                 \
    { .kind = OPTION_##KIND, .name = (NAME), .value = (VALUE), .help = (HELP), __VA_ARGS__ }
#define OPTION_WHOLE(NAME, VALUE, MIN, MAX, HELP, ...)                                                       \
    OPTION(INTEGER, NAME, VALUE, HELP, .placeholder = "N", .min = (MIN), .max = (MAX), __VA_ARGS__)

typedef struct option_command {
    const char *name;     /* "scree run" */
    const char *operands; /* "SCENE.json"; empty: none; "[…]": may be left out */
    int most;             /* maximum number of operands; 0: one, if there are any */
    const char *summary;  /* text for the help */
    const option_row *rows;
} option_command;

/* The last two are exit codes of the program. */
typedef enum option_outcome {
    OPTION_OK = -1,
    OPTION_HELP = 0, /* --help was given and printed */
    OPTION_WRONG = 2 /* an error message was printed to stderr */
} option_outcome;

/* Reads argv[1 … argc). Writes operands to `operands`, which must hold command->most entries, and their
 * number to `count`, which may be NULL. */
option_outcome options_parse(const option_command *command, int argc, char **argv, const char **operands,
                             int *count);

/* Returns the word of `words` (ending in NULL) that `text` is probably a misspelling of, or NULL. */
const char *options_nearest(const char *text, const char *(*words)(const void *context, int index),
                            const void *context);
