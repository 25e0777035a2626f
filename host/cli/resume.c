#include "resume.h"

#include <string.h>

/* Prints a word as it is if a shell accepts that, otherwise in single quotes. */
static void print_word(const char *word, FILE *out) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static void print_pair(const char *option, const char *value, FILE *out) {
    fprintf(out, " %s ", option);
    print_word(value, out);
}

/* Options that the new command sets itself or that no longer apply: the bodies exist, so --add and --seed
 * would change nothing (--seed is even refused). */
static const struct {
    const char *name;
    bool has_value;
} dropped[] = {
    {"--resume", true}, {"--out", true}, {"--add", false}, {"--seed", true}, {"--dump-problem", true}};
enum { DROPPED = sizeof dropped / sizeof *dropped };

/* Returns the number of words (0, 1 or 2) at `word` that form an option to drop. */
static int words_dropped(const char *word) {
    for (int i = 0; i < DROPPED; i++) {
        const size_t length = strlen(dropped[i].name);
        if (!strcmp(word, dropped[i].name)) return dropped[i].has_value ? 2 : 1;
        if (!strncmp(word, dropped[i].name, length) && word[length] == '=') return 1;
    }
    return 0;
}

void continuation_print(const settings *given, int argc, char **argv, const char *checkpoint,
                        const char *folder, uint64_t step, FILE *out) {
    fprintf(out, "scree run%s", given->scene[0] == '-' ? " ./" : " ");
    print_word(given->scene, out);
    print_pair("--resume", checkpoint, out);
    print_pair("--out", folder, out);
    for (int at = 1; at < argc; at++) {
        const int words = words_dropped(argv[at]);
        if (words) {
            at += words - 1;
        } else if (!strcmp(argv[at], "--")) {
            break;
        } else if (argv[at] != given->scene) {
            fputc(' ', out);
            print_word(argv[at], out);
        }
    }
    char steps[4096];
    if (settings_dumps_after(given, step, steps, sizeof steps)) print_pair("--dump-problem", steps, out);
}
