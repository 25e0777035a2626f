/* Where warnings and errors of a run go. */
#pragma once

#include <stdio.h>

/* Returns the stream of this thread: stderr, or that of messages_redirect. */
FILE *messages(void);
/* Redirects the messages of this thread; NULL: to stderr. */
void messages_redirect(FILE *to);
