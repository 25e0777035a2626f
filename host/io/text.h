/* The text of a file, read word by word. Errors are FORMAT and name the file and the line. */
#pragma once

#include "base/error.h"

typedef struct text {
    const char *path, *at;
    int line;
    bool joins; /* whether a backslash at the end of a line joins the next line to it */
} text;

/* Begins to read `length` bytes that a zero follows, which the text borrows and changes: drops a byte order
 * mark, and every line ends in LF whether it ended in LF, CR LF or CR. Refuses a zero among the bytes.
 * Errors: FORMAT. */
scree_result text_begin(text *self, const char *path, char *bytes, size_t length);

/* Skips blanks and joined line ends. */
void text_skip_blanks(text *self);
/* Skips blanks and line ends. */
void text_skip_lines(text *self);
/* Skips the words that are left in the line, and a comment behind #. */
void text_skip_rest(text *self);

/* Returns the length of the word at the cursor; 0 at a blank, a line end and the end of the text. */
size_t text_word_length(const text *self);
/* Returns whether the word at the cursor is `word`, in any case of letters. */
bool text_at_word(const text *self, const char *word);
/* Returns whether the line ends at the cursor. */
bool text_at_line_end(const text *self);

/* Reads a number as C writes decimal ones, or with Fortran's exponent D; returns false for other words. */
bool text_number(const text *self, size_t length, double *out);
/* Fails with the line and the next `length` bytes, and what must stand there. */
scree_result text_expected(const text *self, size_t length, const char *what);
