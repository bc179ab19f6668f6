/* xxHash, whose header has all of it: Debian has the library for the native machine only. */
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <xxhash.h>
