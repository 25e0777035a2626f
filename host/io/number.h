/* Numbers as text that reads back exactly. */
#pragma once

#include <locale.h>
#include <stdio.h>

/* Prints the shortest decimal that reads back as the same double (17 digits always do), as snprintf does;
 * prints nothing for NaN. The decimal sign is that of the calling thread's locale. */
int number_print(double value, char *out, size_t size);

/* A local that switches the thread to the "C" locale, whose decimal sign is a point, up to the end of its
 * scope. */
#define SCOPED_LOCALE __attribute__((cleanup(number_locale_restore), unused)) const locale_t
/* Returns the locale before. */
locale_t number_locale_set(void);
void number_locale_restore(const locale_t *before);
