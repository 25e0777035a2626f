/* Command-line options as a table: parsing, checking and help come from the same rows. */
#ifndef SCREE_CLI_OPTIONS_H
#define SCREE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char * */
    OPTION_INTEGER, /* long long, lowest … highest */
    OPTION_REAL,    /* double, lowest … highest */
    OPTION_CHOICE,  /* int: index of the word in `choice` */
    OPTION_SIZE,    /* int[2]: WxH, each lowest … highest */
    OPTION_VECTOR   /* float[3]: X,Y,Z */
} option_kind;

typedef struct option_row {
    const char *name; /* without the dashes; a null name ends the table */
    option_kind kind;
    const char *placeholder; /* what the help calls the value; null for flags and choices */
    void *value;             /* what the kind says; keeps its value when the option is not given */
    bool *given;             /* set when the option is given; may be null */
    const char *unit;        /* of a number; may be null */
    double min, max;
    const char *(*choice)(int index); /* the words, null after the last */
    const char *help;
    const char *hint; /* what to say to a number that is not whole; may be null */
} option_row;

typedef struct option_command {
    const char *name;     /* "scree run" */
    const char *operands; /* "SCENE.json"; empty: none */
    int least, most;      /* number of operands */
    const char *summary;  /* sentences for the help */
    const option_row *rows;
} option_command;

typedef enum option_outcome {
    OPTION_OK,
    OPTION_HELP, /* --help was given and printed */
    OPTION_WRONG /* one sentence was printed to stderr */
} option_outcome;

/* Reads argv[1 … argc). Operands go to `operands` (room for command->most) and their number to `count`. */
option_outcome options_parse(const option_command *command, int argc, char **argv, const char **operands,
                             int *count);

/* The word of `words` (ending in null) that `text` is a slip of the pen away from, or null. */
const char *options_nearest(const char *text, const char *(*words)(const void *context, int index),
                            const void *context);

#endif
