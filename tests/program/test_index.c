/* The index of a series is well-formed and complete at every moment: after every write, after a kill, on a
 * full disk; and the cost of adding does not depend on its length. */
#include "expect.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "folder.h"
#include "io/frame_index.h"

/* Replaces the library's pwrite: counts calls, and copies the file after each if `watching` names a
 * folder. */
static long written, writes;
static const folder *watching;

static void copy_file(int descriptor, const char *to) {
    char from[64], block[8192];
    snprintf(from, sizeof from, "/proc/self/fd/%d", descriptor);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    for (size_t length; (length = fread(block, 1, sizeof block, in)) > 0;) fwrite(block, 1, length, out);
    fclose(in);
    fclose(out);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    const ssize_t done = syscall(SYS_pwrite64, descriptor, bytes, length, offset);
    written += done > 0 ? done : 0;
    if (watching) {
        char name[32];
        snprintf(name, sizeof name, "state-%04ld", writes);
        copy_file(descriptor, folder_file(watching, name));
    }
    ++writes;
    return done;
}

/* a group whose grid takes `count` columns: one page, or several */
enum { WIDE = 60 };
static frame_column columns[WIDE];
static const scree_column place = {"Points", SCREE_VALUE_FLOAT, 3, 0};
static const scree_table places = {"contacts", &place, 1, 12};

static frame_group make_group(int count) {
    for (int i = 0; i < count; ++i)
        columns[i] = (frame_column){FRAME_ALWAYS, {"a_column_of_a_wide_table", SCREE_VALUE_FLOAT, 3, 0}};
    return (frame_group){.name = "grids",
                         .index = "index.xdmf",
                         .path = "contacts",
                         .arrays = "contacts/PointData",
                         .positions = &places,
                         .columns = columns,
                         .count = count,
                         .stride = 12,
                         .rows = offsetof(frame_summary, contacts)};
}

static frame_summary frame_of(int step) {
    return (frame_summary){.step = (uint64_t)step, .time = step / 30.0, .contacts = 5};
}

/* Returns whether each "file:least:most" parses as XML, with that many grids and steps ascending from 1. */
static bool check_files(const char *list) {
    static const char script[] =
        "import sys, xml.etree.ElementTree as E\n"
        "for item in open(sys.argv[1]).read().split():\n"
        "    path, least, most = item.split(\":\")\n"
        "    grids = E.parse(path).findall(\"./Domain/Grid/Grid\")\n"
        "    names = [g.find(\"Geometry/DataItem\").text.split(\":\")[0] for g in grids]\n"
        "    wanted = [\"frame_%08d.vtkhdf\" % (i + 1) for i in range(len(grids))]\n"
        "    assert names == wanted and int(least) <= len(grids) <= int(most), item\n";
    char command[2048];
    snprintf(command, sizeof command, "/usr/bin/python3 -I -c '%s' %s", script, list);
    const int status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void add_to_list(const char *list, const char *path, int least, int most) {
    FILE *file = fopen(list, "a");
    fprintf(file, "%s:%d:%d\n", path, least, most);
    fclose(file);
}

/* list and index of a folder; folder_file's buffers rotate */
typedef struct paths {
    char list[128], index[128];
} paths;

static paths paths_of(const folder *here) {
    paths out;
    snprintf(out.list, sizeof out.list, "%s/list", here->path);
    snprintf(out.index, sizeof out.index, "%s/index.xdmf", here->path);
    return out;
}

static void append(frame_index *self, int step) {
    const frame_summary frame = frame_of(step);
    CHECK(frame_index_append(self, &frame));
}

/* Grids of one page and of three, some removed and added again: after every write the file has its old or its
 * new content. */
static void every_write_leaves_the_index_complete(void **state) {
    (void)state;
    static const int widths[] = {3, WIDE};
    for (int w = 0; w < 3; ++w) {
        const folder here = folder_make();
        frame_group group = make_group(WIDE);
        group.count = widths[w % 2];
        ;
        const paths files = paths_of(&here);
        frame_index self;
        const frame_summary first = frame_of(1);
        CHECK(frame_index_open(&self, &group, here.path, &first, 1));
        watching = &here;
        writes = 0;
        for (int step = 2; step <= 12; ++step) {
            const frame_summary frame = frame_of(step);
            long seen = writes;
            append(&self, step);
            if (step % 3 == 0) {
                frame_index_retract(&self, &frame);
                if (w == 2) group.count = step % 2 ? WIDE : 3; /* replaced by one of another length */
                append(&self, step);
            }
            for (char name[32]; seen < writes; ++seen) {
                snprintf(name, sizeof name, "state-%04ld", seen);
                add_to_list(files.list, folder_file(&here, name), step - 1, step);
            }
        }
        watching = NULL;
        assert_true(writes > 30);
        CHECK(frame_index_close(&self));
        add_to_list(files.list, files.index, 12, 12);
        assert_true(check_files(files.list));
        folder_remove(&here);
    }
}

static void adding_costs_the_same_at_any_length(void **state) {
    (void)state;
    const folder here = folder_make();
    const frame_group group = make_group(3);
    frame_index self;
    CHECK(frame_index_open(&self, &group, here.path, NULL, 0));
    append(&self, 1);
    long cost = 0;
    for (int step = 2; step <= 3000; ++step) {
        written = 0;
        append(&self, step);
        if (step == 2) cost = written;
        assert_true(written > 0 && written == cost);
    }
    CHECK(frame_index_close(&self));
    const paths files = paths_of(&here);
    add_to_list(files.list, files.index, 3000, 3000);
    assert_true(check_files(files.list));
    folder_remove(&here);
}

/* A child adds frames until it is killed; it reports how many it added. */
static void a_kill_leaves_the_index_complete(void **state) {
    (void)state;
    const folder here = folder_make();
    frame_group group = make_group(WIDE);
    const paths files = paths_of(&here);
    for (int round = 0; round < 25; ++round) {
        char name[32];
        int tell[2], added = 0;
        snprintf(name, sizeof name, "index-%02d", round);
        assert_int_equal(pipe(tell), 0);
        const pid_t child = fork();
        if (!child) {
            frame_index self;
            group.index = name;
            if (frame_index_open(&self, &group, here.path, NULL, 0) != SCREE_OK) _exit(1);
            for (int step = 1; step < 100000; ++step) {
                const frame_summary frame = frame_of(step);
                if (frame_index_append(&self, &frame) != SCREE_OK) _exit(1);
                if (write(tell[1], &step, sizeof step) != sizeof step) _exit(1);
            }
            _exit(0);
        }
        close(tell[1]);
        assert_int_equal(read(tell[0], &added, sizeof added), sizeof added);
        const struct timespec wait = {0, 100000 + 313131 * round};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        while (read(tell[0], &added, sizeof added) == sizeof added) {
        }
        close(tell[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        add_to_list(files.list, folder_file(&here, name), added, added + 1);
    }
    assert_true(check_files(files.list));
    folder_remove(&here);
}

/* With space for this many bytes, a frame that does not fit is rejected without a trace; with more space it
 * continues. */
static void a_full_disk_leaves_the_index_complete(void **state) {
    (void)state;
    const folder here = folder_make();
    const frame_group group = make_group(WIDE);
    const paths files = paths_of(&here);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    frame_index self;
    CHECK(frame_index_open(&self, &group, here.path, NULL, 0));
    append(&self, 1);
    append(&self, 2);
    struct stat full, now;
    assert_int_equal(stat(files.index, &full), 0);
    for (int scratch = 0; scratch < 12000; scratch += 1000) {
        const frame_summary frame = frame_of(3);
        small = before;
        small.rlim_cur = (rlim_t)full.st_size + (rlim_t)scratch;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const scree_result result = frame_index_append(&self, &frame);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_true(result == SCREE_ERROR_FILE || result == SCREE_ERROR_DISK_FULL);
        assert_non_null(strstr(scree_error_get_message(), "index.xdmf"));
        assert_int_equal(stat(files.index, &now), 0);
        assert_int_equal(now.st_size, full.st_size);
        char name[32];
        snprintf(name, sizeof name, "room-%d", scratch);
        copy_file(self.descriptor, folder_file(&here, name));
        add_to_list(files.list, folder_file(&here, name), 2, 2);
    }
    append(&self, 3);
    CHECK(frame_index_close(&self));
    add_to_list(files.list, files.index, 3, 3);
    assert_true(check_files(files.list));
    folder_remove(&here);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_write_leaves_the_index_complete),
        cmocka_unit_test(adding_costs_the_same_at_any_length),
        cmocka_unit_test(a_kill_leaves_the_index_complete),
        cmocka_unit_test(a_full_disk_leaves_the_index_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
