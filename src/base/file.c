#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, uint64_t offset, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = pwrite(file, bytes, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return true;
}

/* Makes the rename itself durable. */
static bool sync_folder_of(const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(folder, sizeof folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return false;
    /* Some file systems cannot sync a folder and return EINVAL; nothing more can be done then. */
    bool synced = fsync(file) == 0 || errno == EINVAL;
    close(file);
    return synced;
}

Status file_find_target(const char *path, char *target) {
    enum { LINKS_MAX = 40 };
    bool fits = snprintf(target, PATH_MAX, "%s", path) < PATH_MAX;
    for (int i = 0; fits && i < LINKS_MAX; i++) {
        char link[PATH_MAX];
        ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0)
            return status_ok();
        link[length] = '\0';
        /* A relative link is relative to its own folder. */
        const char *slash = strrchr(target, '/');
        int folder = link[0] != '/' && slash ? (int)(slash - target) + 1 : 0;
        char next[2 * PATH_MAX];
        snprintf(next, sizeof next, "%.*s%s", folder, target, link);
        fits = snprintf(target, PATH_MAX, "%s", next) < PATH_MAX;
    }
    return status_make(STATUS_FAILED, "cannot write %s: the name is too long, or a loop of links",
                       quote(path).text);
}

/* Whether something other than a regular file is there. A link counts as one. Leaves errno as it
 * is. */
static bool is_irregular(const char *path) {
    int before = errno;
    struct stat found;
    bool is = lstat(path, &found) == 0 && !S_ISREG(found.st_mode);
    errno = before;
    return is;
}

/* Opens and locks the temporary file. Each target has one temporary name, so a killed writer leaves
 * at most one file behind, which the next writer reuses, and writers of one target exclude each
 * other. Returns -1 if the file cannot be opened or is not a regular one.
 */
static int open_temporary(const char *path) {
    for (;;) {
        /* Without O_NONBLOCK, opening a pipe would block. */
        int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (file < 0)
            return -1;
        struct stat mine, there;
        if (fstat(file, &mine) == 0 && !S_ISREG(mine.st_mode)) {
            close(file);
            return -1;
        }
        int locked;
        do
            locked = flock(file, LOCK_EX);
        while (locked != 0 && errno == EINTR);
        if (locked == 0 && fstat(file, &mine) == 0 && stat(path, &there) == 0 &&
            mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
            return file;
        /* The previous owner of the lock has renamed or removed the file: open a new one. */
        int reason = errno;
        close(file);
        if (locked != 0) {
            errno = reason;
            return -1;
        }
    }
}

Status file_draft_open(const char *path, FileDraft *draft) {
    Status status = file_find_target(path, draft->target);
    if (!status_is_ok(&status))
        return status;
    snprintf(draft->path, sizeof draft->path, "%s", path);
    struct stat old;
    bool replaces = stat(draft->target, &old) == 0;
    if (replaces && !S_ISREG(old.st_mode))
        return status_make(STATUS_FAILED, "cannot write %s: not a regular file", quote(path).text);
    if (snprintf(draft->temporary, sizeof draft->temporary, "%s.tmp", draft->target) >=
        (int)sizeof draft->temporary)
        return status_make(STATUS_FAILED, "cannot write %s: the name is too long",
                           quote(path).text);
    draft->file = open_temporary(draft->temporary);
    if (draft->file < 0 && is_irregular(draft->temporary))
        return status_make(STATUS_FAILED,
                           "cannot write %s: its temporary file (with .tmp added) is not a regular "
                           "file",
                           quote(path).text);
    if (draft->file < 0)
        return status_from_errno("cannot write", path);
    if (ftruncate(draft->file, 0) != 0 ||
        (replaces && fchmod(draft->file, old.st_mode & 0777u) != 0)) {
        status = status_from_errno("cannot write", path);
        file_draft_abandon(draft);
    }
    return status;
}

Status file_draft_write(FileDraft *draft, uint64_t offset, const void *bytes, size_t size) {
    if (!write_all(draft->file, offset, bytes, size))
        return status_from_errno("cannot write", draft->path);
    return status_ok();
}

Status file_draft_finish(FileDraft *draft) {
    Status status = status_ok();
    if (fsync(draft->file) != 0 || rename(draft->temporary, draft->target) != 0) {
        status = status_from_errno("cannot write", draft->path);
        file_draft_abandon(draft);
        return status;
    }
    if (!sync_folder_of(draft->target))
        status = status_from_errno("cannot sync the folder of", draft->path);
    close(draft->file);
    return status;
}

void file_draft_abandon(FileDraft *draft) {
    unlink(draft->temporary);
    close(draft->file);
}

Status file_replace(const char *path, const void *bytes, size_t size) {
    FileDraft draft;
    Status status = file_draft_open(path, &draft);
    if (!status_is_ok(&status))
        return status;
    status = file_draft_write(&draft, 0, bytes, size);
    if (status_is_ok(&status))
        return file_draft_finish(&draft);
    file_draft_abandon(&draft);
    return status;
}

Status file_publish(const char *from, const char *to) {
    int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return status_from_errno("cannot read", from);
    bool moved = fsync(file) == 0 && rename(from, to) == 0 && sync_folder_of(to);
    Status status = moved ? status_ok() : status_from_errno("cannot write", to);
    close(file);
    return status;
}

Status file_read(const char *path, size_t limit, char **bytes, size_t *size) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return status_from_errno("cannot read", path);
    size_t capacity = 4096;
    size_t length = 0;
    char *buffer = malloc(capacity);
    Status status = status_ok();
    while (buffer) {
        length += fread(buffer + length, 1, capacity - 1 - length, file);
        if (ferror(file)) {
            status = status_from_errno("cannot read", path);
            break;
        }
        if (length > limit) {
            status = status_make(STATUS_FAILED, "cannot read %s: more than %zu bytes",
                                 quote(path).text, limit);
            break;
        }
        if (feof(file))
            break;
        capacity *= 2;
        char *larger = realloc(buffer, capacity);
        if (!larger)
            free(buffer);
        buffer = larger;
    }
    fclose(file);
    if (!buffer)
        return status_make(STATUS_FAILED, "cannot read %s: out of memory", quote(path).text);
    if (!status_is_ok(&status)) {
        free(buffer);
        return status;
    }
    buffer[length] = '\0';
    *bytes = buffer;
    *size = length;
    return status;
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

Status file_check_writable(const char *path) {
    FileDraft draft;
    Status status = file_draft_open(path, &draft);
    if (status_is_ok(&status))
        file_draft_abandon(&draft);
    return status;
}
