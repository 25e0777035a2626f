#include "messages.h"

static _Thread_local FILE *redirected;

FILE *messages(void) { return redirected ? redirected : stderr; }

void messages_redirect(FILE *to) { redirected = to; }
