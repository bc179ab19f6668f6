/* A library to preload (LD_PRELOAD) that makes allocations of a running program fail on request.
 *
 * The file that MALLOC_FAULT names is mapped into memory, here and by the test, as a Control. While
 * it is armed, allocations are counted, those of all threads and all libraries: number `nth` fails,
 * and with `rest` all after it.
 *
 * tests/web_memory.py uses it. It needs glibc, and does not go with sanitizers, which have an
 * allocator of their own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Control {
    _Atomic uint64_t armed;  /* 0: nothing fails, nothing is counted */
    _Atomic uint64_t nth;    /* the first allocation that fails, from 1 */
    _Atomic uint64_t rest;   /* whether those after it fail, too */
    _Atomic uint64_t count;  /* allocations since it was armed */
    _Atomic uint64_t failed; /* those of them that failed */
} Control;

static Control *control; /* NULL until the library is loaded, and without a file */

/* glibc's allocator by its second names. */
void *real_malloc(size_t size) __asm__("__libc_malloc");
void *real_calloc(size_t nmemb, size_t size) __asm__("__libc_calloc");
void *real_realloc(void *ptr, size_t size) __asm__("__libc_realloc");
void *real_memalign(size_t alignment, size_t size) __asm__("__libc_memalign");

__attribute__((constructor)) static void map_control(void) {
    const char *path = getenv("MALLOC_FAULT");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map != MAP_FAILED)
        control = map;
}

/* Counts an allocation; returns whether it has to fail. */
static int must_fail(void) {
    if (!control || !control->armed)
        return 0;
    uint64_t number = atomic_fetch_add(&control->count, 1) + 1;
    if (number != control->nth && !(control->rest && number > control->nth))
        return 0;
    atomic_fetch_add(&control->failed, 1);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return must_fail() ? NULL : real_malloc(size);
}

void *calloc(size_t nmemb, size_t size) {
    return must_fail() ? NULL : real_calloc(nmemb, size);
}

void *realloc(void *ptr, size_t size) {
    return must_fail() ? NULL : real_realloc(ptr, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size) {
    return must_fail() ? NULL : real_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found)
        return ENOMEM;
    *memptr = found;
    return 0;
}
