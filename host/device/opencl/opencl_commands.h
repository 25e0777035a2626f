/* Commands of a world for a device, recorded until they are merged with those of others. */
#pragma once

#include "base/error.h"
#include "kernel_argument.h"

/* Moves are all but launches. */
typedef enum command_kind {
    COMMAND_LAUNCH,
    COMMAND_WRITE, /* data of the list → memory */
    COMMAND_READ,  /* memory → host */
    COMMAND_COPY,  /* memory → memory */
    COMMAND_CLEAR
} command_kind;

typedef struct device_command {
    command_kind kind;
    int kernel; /* of the group, for launches */
    uint32_t local;
    int row, row_words;       /* of a launch, in `words` */
    uint64_t from, to, bytes; /* of a move */
    void *target;             /* of a read; NULL: it is no longer needed */
} device_command;

/* A launch has a row of words: the number of its work-groups, and for each argument the place of a buffer in
 * units of COMMAND_UNIT bytes, 0 for a null one, or the place of a value in the row. Values begin at multiples of 16 bytes. */
enum { COMMAND_UNIT = 128 };

typedef struct command_list {
    int count, capacity;
    device_command *items;
    int word_count, word_capacity;
    uint32_t *words;
    int data_count, data_capacity; /* bytes */
    unsigned char *data;
} command_list;

/* Errors: MEMORY, CAPACITY. */
scree_result commands_launch(command_list *self, int kernel, size_t global, size_t local,
                             const kernel_argument *arguments, int count);
scree_result commands_write(command_list *self, uint64_t to, const void *from, size_t bytes);
scree_result commands_move(command_list *self, device_command move);
/* Forgets the targets of reads, which belong to the caller again. */
void commands_drop_reads(command_list *self);
void commands_clear(command_list *self);
void commands_release(command_list *self);
