/* Version of the library. */
#include <scree/core.h>

#define TEXT(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

int scree_version(void) { return SCREE_VERSION; }

const char *scree_version_name(void) {
    return VERSION_TEXT(SCREE_VERSION_MAJOR, SCREE_VERSION_MINOR, SCREE_VERSION_PATCH);
}
