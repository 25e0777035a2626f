/* HDF5 as Debian builds it reads files from S3 by libcurl and OpenSSL, which load thirty further libraries. A
 * wheel has HDF5's archive with these functions instead: scree opens no such file, and an attempt fails with
 * HDF5's error. */
#include <stddef.h>

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
