#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"

static bool write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
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
    /* Some file systems cannot sync a folder and say EINVAL; there is nothing more to do there. */
    bool synced = fsync(file) == 0 || errno == EINVAL;
    close(file);
    return synced;
}

Status file_replace(const char *path, const void *bytes, size_t size) {
    char target[PATH_MAX];
    char temporary[PATH_MAX];
    if (!realpath(path, target)) {
        if (errno != ENOENT)
            return status_from_errno("cannot write", path);
        if (snprintf(target, sizeof target, "%s", path) >= (int)sizeof target)
            return status_make(STATUS_FAILED, "cannot write %s: the name is too long",
                               quote(path).text);
    }
    int length = snprintf(temporary, sizeof temporary, "%s.%016" PRIx64 ".tmp", target,
                          random_system_seed());
    if (length < 0 || (size_t)length >= sizeof temporary)
        return status_make(STATUS_FAILED, "cannot write %s: the name is too long",
                           quote(path).text);

    struct stat old;
    bool replaces = stat(target, &old) == 0;
    if (replaces && !S_ISREG(old.st_mode))
        return status_make(STATUS_FAILED, "cannot write %s: not a regular file", quote(path).text);

    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return status_from_errno("cannot write", path);
    bool written = (!replaces || fchmod(file, old.st_mode & 0777u) == 0) &&
                   write_all(file, bytes, size) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (!written || rename(temporary, target) != 0) {
        if (!written)
            errno = reason;
        Status status = status_from_errno("cannot write", path);
        unlink(temporary);
        return status;
    }
    if (!sync_folder_of(target))
        return status_from_errno("cannot sync the folder of", path);
    return status_ok();
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
