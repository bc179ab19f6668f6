/* Memory as mmap gives it, from the heap; files cannot be mapped. */
#ifndef MALPAN_PORT_MMAN_H
#define MALPAN_PORT_MMAN_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32 };
enum { MADV_HUGEPAGE, MADV_WILLNEED, MADV_DONTNEED };
enum { PORT_PAGE_BYTES = 4096 };

#define MAP_FAILED ((void *)-1)

static inline void *mmap(void *address, size_t size, int protection, int flags, int file,
                         off_t offset) {
    (void)address, (void)protection, (void)offset;
    size_t whole = (size + PORT_PAGE_BYTES - 1) / PORT_PAGE_BYTES * PORT_PAGE_BYTES;
    void *memory = (flags & MAP_ANONYMOUS) && file == -1 && whole >= size
                       ? aligned_alloc(PORT_PAGE_BYTES, whole)
                       : NULL;
    if (!memory) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return memset(memory, 0, whole);
}

static inline int munmap(void *memory, size_t size) {
    (void)size;
    free(memory);
    return 0;
}

/* Advice that cannot be taken. */
static inline int madvise(void *memory, size_t size, int advice) {
    (void)memory, (void)size, (void)advice;
    return 0;
}

#endif
