/* What WASI cannot do with files. */
#include <errno.h>
#include <sys/file.h>
#include <sys/types.h>

int fchmod(int file, mode_t mode) {
    (void)file, (void)mode;
    errno = ENOTSUP;
    return -1;
}

/* Nobody else has the module's files. */
int flock(int file, int operation) {
    (void)file, (void)operation;
    return 0;
}
