/* The wheel has these functions instead of libraries that Debian's archive of HDF5 needs (make_wheel).
 *
 * HDF5 reads files from S3 by libcurl and OpenSSL, which load thirty further libraries: scree opens no such
 * file, and an attempt fails with HDF5's error. The archive is position-independent but for its accesses to
 * stderr and stdout, which a shared library may only have to variables of its own. */
#include <stddef.h>
#include <stdio.h>

extern FILE *scree_stderr, *scree_stdout;
FILE *scree_stderr, *scree_stdout;

__attribute__((constructor)) static void set_streams(void) {
    scree_stderr = stderr;
    scree_stdout = stdout;
}

#define UNUSED(type, name)                                                                                   \
    type name(void);                                                                                         \
    type name(void) { return 0; }

UNUSED(int, curl_global_init)
UNUSED(void *, curl_easy_init)
UNUSED(void *, curl_slist_append)
UNUSED(const void *, EVP_sha256)
UNUSED(void *, HMAC)
UNUSED(void *, SHA256)

/* CURLE_FAILED_INIT */
int curl_easy_setopt(void);
int curl_easy_setopt(void) { return 2; }
int curl_easy_perform(void);
int curl_easy_perform(void) { return 2; }

void curl_global_cleanup(void);
void curl_global_cleanup(void) {}
void curl_easy_cleanup(void);
void curl_easy_cleanup(void) {}
void curl_slist_free_all(void);
void curl_slist_free_all(void) {}
