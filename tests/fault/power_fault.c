/* A library to preload (LD_PRELOAD) that shows what a power failure would leave of files.
 *
 * Whenever the program syncs a file, a copy of it is made beside it, with `.synced` added to its
 * name. A test that kills the program and puts the copies in place of the files has the state that
 * is certain to survive. The file that POWER_FAULT names is mapped into memory, here and by the
 * test, as a Control.
 *
 * tests/web_folder.py uses it.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct Control {
    _Atomic uint64_t count;    /* files synced so far */
    _Atomic uint64_t delay_us; /* how long that takes */
} Control;

static Control *control; /* NULL without a file */

__attribute__((constructor)) static void map_control(void) {
    const char *path = getenv("POWER_FAULT");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map != MAP_FAILED)
        control = map;
}

/* Copies the whole file; returns whether that succeeded. */
static int copy_file(int from, int to) {
    char bytes[1 << 16];
    off_t at = 0;
    ssize_t got;
    while ((got = pread(from, bytes, sizeof bytes, at)) > 0) {
        if (pwrite(to, bytes, (size_t)got, at) != got)
            return 0;
        at += got;
    }
    return got == 0;
}

/* Makes or replaces the copy of a regular file. */
static void keep_copy(int file) {
    char link[64], path[PATH_MAX - 16], draft[PATH_MAX], copy[PATH_MAX];
    struct stat found;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode))
        return;
    path[length] = '\0';
    snprintf(draft, sizeof draft, "%s.draft%d", path, gettid());
    snprintf(copy, sizeof copy, "%s.synced", path);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (from >= 0 && to >= 0 && copy_file(from, to))
        (void)rename(draft, copy);
    close(from);
    close(to);
}

static int sync_file(long call, int file) {
    int result = (int)syscall(call, file);
    if (!control || result != 0)
        return result;
    if (control->delay_us)
        usleep((useconds_t)control->delay_us);
    keep_copy(file);
    atomic_fetch_add(&control->count, 1);
    return result;
}

int fsync(int fd) {
    return sync_file(SYS_fsync, fd);
}

int fdatasync(int fildes) {
    return sync_file(SYS_fdatasync, fildes);
}
