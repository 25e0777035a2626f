/* Merges the commands of the worlds of a group. The commands of a world keep their order; those of different
 * worlds concern different memory. */
#include "opencl_group.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

enum { MOVE_FROM_HOST, MOVE_TO_HOST, MOVE_WITHIN, MOVE_CLEAR, MOVE_WORDS = 8 }; /* as in merge.cl */
/* Work-groups of a move: one runs through it on a processor; on a GPU each work-item moves a few words. */
enum { MOVE_LOCAL = 64, MOVE_ITEM_BYTES = 16, MOVE_GROUPS = 256 };

/* The members that take part. */
typedef struct flush {
    scree_group *group;
    merge_scratch *scratch;
    int count, keys; /* keys: kernels, and one for moves */
    opencl_member **members;
    uint64_t *data_first; /* of each, place of its data in the upload, bytes */
} flush;

static const device_command *head_of(const flush *self, int member) {
    const command_list *list = &self->members[member]->commands;
    const int at = self->scratch->at[member];
    return at < list->count ? &list->items[at] : NULL;
}

static int key_of(const flush *self, const device_command *command) {
    return command->kind == COMMAND_LAUNCH ? command->kernel : self->keys - 1;
}

static int *left_of(const flush *self, int member, int key) {
    return &self->scratch->left[member * self->keys + key];
}

/* Counts the commands with each key. Errors: MEMORY. */
static scree_result count_commands(flush *self) {
    merge_scratch *s = self->scratch;
    TRY(MEMORY_RESERVE(s->left, s->left_capacity, (size_t)self->count * (size_t)self->keys, NULL));
    TRY(MEMORY_RESERVE(s->at, s->at_capacity, self->count, NULL));
    memset(s->left, 0, (size_t)self->count * (size_t)self->keys * sizeof *s->left);
    for (int i = 0; i < self->count; i++) {
        const command_list *list = &self->members[i]->commands;
        s->at[i] = 0;
        for (int k = 0; k < list->count; k++) ++*left_of(self, i, key_of(self, &list->items[k]));
    }
    return SCREE_OK;
}

/* Chooses the command to launch next: that which fewest other worlds have only later, so that a world which
 * makes more launches than others catches up, and of these that which most worlds have now. */
static const device_command *choose(const flush *self) {
    const device_command *best = NULL;
    int fewest_later = 0, most_now = 0;
    for (int i = 0; i < self->count; i++) {
        const device_command *head = head_of(self, i);
        if (!head || (best && key_of(self, head) == key_of(self, best))) continue;
        const int key = key_of(self, head);
        int now = 0, later = 0;
        for (int k = 0; k < self->count; k++) {
            const device_command *other = head_of(self, k);
            const bool same = other && key_of(self, other) == key;
            now += same;
            later += !same && *left_of(self, k, key) > 0;
        }
        if (best && (later > fewest_later || (later == fewest_later && now <= most_now))) continue;
        best = head;
        fewest_later = later;
        most_now = now;
    }
    return best;
}

/* Appends words to the table. Errors: MEMORY. */
static scree_result table_add(merge_scratch *s, const uint32_t *words, int count, uint32_t *place) {
    const int first = (s->table_count + 3) / 4 * 4; /* values are aligned to 16 bytes */
    TRY(MEMORY_RESERVE(s->table, s->table_capacity, first + count, NULL));
    if (words) memcpy(s->table + first, words, (size_t)count * sizeof *words);
    s->table_count = first + count;
    *place = (uint32_t)first;
    return SCREE_OK;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Takes the command at a member's head. */
static void take(const flush *self, int member, const device_command *command) {
    --*left_of(self, member, key_of(self, command));
    self->scratch->at[member]++;
}

static bool is_launch_of(const device_command *command, const device_command *as) {
    return command && command->kind == COMMAND_LAUNCH && command->kernel == as->kernel &&
           command->local == as->local;
}

static scree_result begin_launch(flush *self, int rows, merged_launch launch) {
    merge_scratch *s = self->scratch;
    TRY(table_add(s, NULL, rows, &launch.first));
    TRY(MEMORY_RESERVE(s->launches, s->launch_capacity, s->launch_count + 1, NULL));
    s->launches[s->launch_count++] = launch;
    return SCREE_OK;
}

static scree_result add_row(flush *self, const uint32_t *words, int count, uint32_t groups) {
    merge_scratch *s = self->scratch;
    merged_launch *launch = &s->launches[s->launch_count - 1];
    uint32_t place;
    TRY(table_add(s, words, count, &place));
    s->table[launch->first + launch->rows++] = place;
    launch->groups = larger(launch->groups, groups);
    return SCREE_OK;
}

/* Launches a kernel for all worlds that have it at their head. */
static scree_result add_launch(flush *self, const device_command *first) {
    const device_command as = *first;
    TRY(begin_launch(self, self->count, (merged_launch){.kernel = as.kernel, .local = as.local}));
    for (int i = 0; i < self->count; i++) {
        const device_command *command = head_of(self, i);
        if (!is_launch_of(command, &as)) continue;
        const uint32_t *row = self->members[i]->commands.words + command->row;
        TRY(add_row(self, row, command->row_words, row[0]));
        take(self, i, command);
    }
    return SCREE_OK;
}

static bool overlap(const device_command *a, const device_command *b) {
    return a->to < b->to + b->bytes && b->to < a->to + a->bytes;
}

/* Returns the number of moves at a member's head that may run in any order: those of one kind whose targets
 * do not overlap. Copies may read what others write. */
static int moves_at(const flush *self, int member) {
    const command_list *list = &self->members[member]->commands;
    const int at = self->scratch->at[member];
    int count = 0;
    for (; at + count < list->count; count++) {
        const device_command *move = &list->items[at + count];
        if (move->kind == COMMAND_LAUNCH || (count > 0 && move->kind != list->items[at].kind)) return count;
        if (count > 0 && move->kind == COMMAND_COPY) return count;
        for (int i = 0; i < count && move->kind != COMMAND_READ; i++)
            if (overlap(move, &list->items[at + i])) return count;
    }
    return count;
}

static void put_number(uint32_t *words, uint64_t number) {
    words[0] = (uint32_t)number;
    words[1] = (uint32_t)(number >> 32);
}

static uint32_t groups_of(const flush *self, uint64_t bytes) {
    if (!self->group->device.info.gpu) return 1;
    const uint64_t groups = bytes / (MOVE_LOCAL * MOVE_ITEM_BYTES) + 1;
    return groups < MOVE_GROUPS ? (uint32_t)groups : MOVE_GROUPS;
}

static scree_result add_move(flush *self, int member, const device_command *move) {
    static const uint32_t kinds[] = {[COMMAND_WRITE] = MOVE_FROM_HOST,
                                     [COMMAND_READ] = MOVE_TO_HOST,
                                     [COMMAND_COPY] = MOVE_WITHIN,
                                     [COMMAND_CLEAR] = MOVE_CLEAR};
    merge_scratch *s = self->scratch;
    uint32_t row[MOVE_WORDS] = {kinds[move->kind]};
    const uint64_t from = move->kind == COMMAND_WRITE ? self->data_first[member] + move->from : move->from,
                   to = move->kind == COMMAND_READ ? (uint64_t)s->down_count : move->to;
    row[1] = ((from | to | move->bytes) & 3) != 0;
    put_number(row + 2, from);
    put_number(row + 4, to);
    put_number(row + 6, move->bytes);
    if (move->kind == COMMAND_READ) {
        if (move->bytes > (uint64_t)(INT_MAX - 16 - s->down_count))
            return fail(SCREE_ERROR_CAPACITY,
                        "worlds of a group: read more than 2 GB from the device at once");
        self->members[member]->commands.items[s->at[member]].to = to;
        s->down_count += (int)((move->bytes + 15) / 16 * 16);
    }
    return add_row(self, row, MOVE_WORDS, groups_of(self, move->bytes));
}

static scree_result add_moves(flush *self) {
    int rows = 0;
    for (int i = 0; i < self->count; i++) rows += moves_at(self, i);
    const uint32_t local = self->group->device.info.gpu ? MOVE_LOCAL : 1;
    TRY(begin_launch(self, rows, (merged_launch){.kernel = MERGE_MOVES, .local = local}));
    for (int i = 0; i < self->count; i++)
        for (int left = moves_at(self, i); left > 0; left--) {
            const device_command *move = head_of(self, i);
            TRY(add_move(self, i, move));
            take(self, i, move);
        }
    return SCREE_OK;
}

static scree_result schedule(flush *self) {
    merge_scratch *s = self->scratch;
    uint64_t data = 0;
    s->table_count = s->launch_count = s->down_count = 0;
    for (int i = 0; i < self->count; i++) {
        self->data_first[i] = data;
        data += (uint64_t)self->members[i]->commands.data_count;
    }
    TRY(count_commands(self));
    for (const device_command *next; (next = choose(self));)
        TRY(next->kind == COMMAND_LAUNCH ? add_launch(self, next) : add_moves(self));
    return SCREE_OK;
}

cl_int opencl_merged_buffer_grow(scree_group *self, merged_buffer *buffer, uint64_t bytes, bool keeps) {
    cl_int code = CL_SUCCESS;
    if (bytes <= buffer->bytes) return code;
    cl_mem grown = clCreateBuffer(self->device.context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &code);
    if (code != CL_SUCCESS) return code;
    if (keeps && buffer->memory)
        code = clEnqueueCopyBuffer(self->device.queue, buffer->memory, grown, 0, 0, (size_t)buffer->bytes, 0,
                                   NULL, NULL);
    if (code != CL_SUCCESS) {
        clReleaseMemObject(grown);
        return code;
    }
    if (buffer->memory) clReleaseMemObject(buffer->memory);
    *buffer = (merged_buffer){grown, bytes};
    return code;
}

/* Sends the data of the worlds and the table, whose places become those in the upload. */
static cl_int send(flush *self, uint64_t data) {
    merge_scratch *s = self->scratch;
    scree_group *group = self->group;
    const size_t bytes = (size_t)data + (size_t)s->table_count * sizeof *s->table;
    if (MEMORY_RESERVE(s->up, s->up_capacity, bytes, NULL) != SCREE_OK) return CL_OUT_OF_HOST_MEMORY;
    for (int i = 0; i < self->count; i++)
        if (self->members[i]->commands.data_count)
            memcpy(s->up + self->data_first[i], self->members[i]->commands.data,
                   (size_t)self->members[i]->commands.data_count);
    for (int i = 0; i < s->launch_count; i++)
        for (uint32_t k = 0; k < s->launches[i].rows; k++)
            s->table[s->launches[i].first + k] += (uint32_t)(data / sizeof *s->table);
    if (s->table_count) memcpy(s->up + data, s->table, (size_t)s->table_count * sizeof *s->table);
    if (bytes == 0) return CL_SUCCESS;
    const cl_int code = opencl_merged_buffer_grow(group, &s->upload, bytes + bytes / 2, false);
    if (code != CL_SUCCESS) return code;
    group->device.traffic.bytes_up += bytes;
    return clEnqueueWriteBuffer(group->device.queue, s->upload.memory, CL_FALSE, 0, bytes, s->up, 0, NULL,
                                NULL);
}

static cl_int launch(flush *self, merged_launch launch, uint64_t data) {
    scree_group *group = self->group;
    const bool moves = launch.kernel == MERGE_MOVES;
    const cl_kernel kernel = moves ? group->moves : group->kernels[launch.kernel].kernel;
    const cl_uint first = launch.first + (cl_uint)(data / sizeof(uint32_t));
    const size_t global[] = {(size_t)launch.groups * launch.local, launch.rows}, local[] = {launch.local, 1};
    cl_uint argument = 0;
    cl_int code = clSetKernelArg(kernel, argument++, sizeof(cl_mem), &group->memory.memory);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, argument++, sizeof(cl_mem), &self->scratch->upload.memory);
    if (code == CL_SUCCESS && moves)
        code = clSetKernelArg(kernel, argument++, sizeof(cl_mem), &self->scratch->download.memory);
    if (code == CL_SUCCESS) code = clSetKernelArg(kernel, argument, sizeof first, &first);
    group->device.traffic.launches++;
    group->device.traffic.work_items += global[0] * global[1];
    if (code != CL_SUCCESS) return code;
    return clEnqueueNDRangeKernel(group->device.queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
}

/* Waits, with the data that the worlds read. */
static cl_int receive(flush *self) {
    merge_scratch *s = self->scratch;
    scree_group *group = self->group;
    group->device.traffic.waits++;
    group->device.traffic.bytes_down += (uint64_t)s->down_count;
    if (!s->down_count) return clFinish(group->device.queue);
    return clEnqueueReadBuffer(group->device.queue, s->download.memory, CL_TRUE, 0, (size_t)s->down_count,
                               s->down, 0, NULL, NULL);
}

/* Gives each world what it reads; add_move has placed it at `to`. */
static void deliver(const flush *self) {
    const merge_scratch *s = self->scratch;
    for (int i = 0; i < self->count; i++) {
        const command_list *list = &self->members[i]->commands;
        for (int k = 0; k < list->count; k++)
            if (list->items[k].kind == COMMAND_READ && list->items[k].target)
                memcpy(list->items[k].target, s->down + list->items[k].to, (size_t)list->items[k].bytes);
    }
}

static cl_int execute(flush *self) {
    merge_scratch *s = self->scratch;
    uint64_t data = 0;
    if (s->launch_count == 0) return CL_SUCCESS;
    for (int i = 0; i < self->count; i++) data += (uint64_t)self->members[i]->commands.data_count;
    if (MEMORY_RESERVE(s->down, s->down_capacity, s->down_count, NULL) != SCREE_OK)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int code = opencl_merged_buffer_grow(
        self->group, &s->download, (uint64_t)s->down_count + (uint64_t)s->down_count / 2 + 16, false);
    if (code == CL_SUCCESS) code = send(self, data);
    for (int i = 0; i < s->launch_count && code == CL_SUCCESS; i++) code = launch(self, s->launches[i], data);
    if (code == CL_SUCCESS) code = receive(self);
    if (code == CL_SUCCESS) deliver(self);
    return code;
}

/* Returns what has been freed to the free memory. If the list of free memory cannot grow, it is lost. */
static void return_freed(opencl_member *member) {
    for (int i = 0; i < member->freed_count; i++)
        (void)memory_ranges_give(&member->group->free, member->freed[i]);
    member->freed_count = 0;
}

static void end_wait(opencl_member *member, cl_int code) {
    member->code = code;
    member->waiting = false;
    commands_clear(&member->commands);
    return_freed(member);
}

static bool takes_part(const opencl_member *member, const opencl_member *only) {
    return only ? member == only : member->waiting;
}

static int collect(const scree_group *self, const opencl_member *only, opencl_member **members) {
    int count = 0;
    for (opencl_member *member = self->members; member; member = member->next) {
        if (!takes_part(member, only)) continue;
        if (members) members[count] = member;
        count++;
    }
    return count;
}

void opencl_merge(scree_group *self, const opencl_member *only) {
    const int count = collect(self, only, NULL);
    SCOPED opencl_member **members = memory_allocate((size_t)count, sizeof *members);
    SCOPED uint64_t *data_first = memory_allocate((size_t)count, sizeof *data_first);
    flush of = {.group = self,
                .scratch = &self->scratch,
                .count = count,
                .keys = self->kernel_count + 1,
                .members = members,
                .data_first = data_first};
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (members && data_first) {
        collect(self, only, members);
        if (schedule(&of) == SCREE_OK) code = execute(&of);
    }
    if (code != CL_SUCCESS) clFinish(self->device.queue);
    for (opencl_member *member = self->members; member; member = member->next)
        if (takes_part(member, only)) end_wait(member, code);
}

void opencl_merge_release(scree_group *self) {
    merge_scratch *s = &self->scratch;
    if (s->upload.memory) clReleaseMemObject(s->upload.memory);
    if (s->download.memory) clReleaseMemObject(s->download.memory);
    memory_release(s->table);
    memory_release(s->launches);
    memory_release(s->up);
    memory_release(s->down);
    memory_release(s->left);
    memory_release(s->at);
}
