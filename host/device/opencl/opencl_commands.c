#include "opencl_commands.h"

#include "base/memory.h"

#include <string.h>

enum { QUAD = 4 /* words: values begin at multiples of 16 bytes */ };

static int words_of(size_t bytes) { return (int)((bytes + 15) / 16) * QUAD; }

static scree_result add(command_list *self, device_command command) {
    TRY(MEMORY_RESERVE(self->items, self->capacity, self->count + 1, NULL));
    self->items[self->count++] = command;
    return SCREE_OK;
}

/* Returns the number of words of a launch's row. */
static int row_size(const kernel_argument *arguments, int count) {
    int words = words_of(sizeof(uint32_t) * (size_t)(count + 1));
    for (int i = 0; i < count; i++) words += arguments[i].buffer ? 0 : words_of(arguments[i].bytes);
    return words;
}

static void fill_row(uint32_t *row, size_t groups, const kernel_argument *arguments, int count) {
    int end = words_of(sizeof(uint32_t) * (size_t)(count + 1));
    row[0] = (uint32_t)groups;
    for (int i = 0; i < count; i++) {
        uint64_t place;
        if (arguments[i].buffer) {
            memcpy(&place, arguments[i].value, sizeof place);
            row[i + 1] = (uint32_t)(place / COMMAND_UNIT);
            continue;
        }
        memcpy(row + end, arguments[i].value, arguments[i].bytes);
        row[i + 1] = (uint32_t)end;
        end += words_of(arguments[i].bytes);
    }
}

scree_result commands_launch(command_list *self, int kernel, size_t global, size_t local,
                             const kernel_argument *arguments, int count) {
    const int row = self->word_count, words = row_size(arguments, count);
    TRY(MEMORY_RESERVE(self->words, self->word_capacity, row + words, NULL));
    TRY(add(self, (device_command){.kind = COMMAND_LAUNCH,
                                   .kernel = kernel,
                                   .local = (uint32_t)local,
                                   .row = row,
                                   .row_words = words}));
    fill_row(self->words + row, global / local, arguments, count);
    self->word_count += words;
    return SCREE_OK;
}

scree_result commands_write(command_list *self, uint64_t to, const void *from, size_t bytes) {
    const size_t first = (size_t)self->data_count, whole = (bytes + 15) / 16 * 16;
    TRY(MEMORY_RESERVE(self->data, self->data_capacity, first + whole, NULL));
    TRY(add(self, (device_command){.kind = COMMAND_WRITE, .from = first, .to = to, .bytes = bytes}));
    memcpy(self->data + first, from, bytes);
    self->data_count += (int)whole;
    return SCREE_OK;
}

scree_result commands_move(command_list *self, device_command move) { return add(self, move); }

void commands_drop_reads(command_list *self) {
    for (int i = 0; i < self->count; i++) self->items[i].target = NULL;
}

void commands_clear(command_list *self) { self->count = self->word_count = self->data_count = 0; }

void commands_release(command_list *self) {
    memory_release(self->items);
    memory_release(self->words);
    memory_release(self->data);
    *self = (command_list){0};
}
