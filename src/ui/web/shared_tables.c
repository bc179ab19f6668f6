#include "ui/web/shared_tables.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "table/table.h"
#include "ui/json/build.h"

const char shared_tables_pattern[] = "/tables/*";

static const char list_path[] = "/tables", folder_path[] = "/tables/", suffix[] = ".table";

bool shared_tables_has_path(const Server *server, const char *path) {
    return server->shared_tables && (strcmp(path, list_path) == 0 ||
                                     strncmp(path, folder_path, sizeof folder_path - 1) == 0);
}

/* Whether it is a name that a table may have: no other file, and no other folder. */
static bool is_table_name(const char *name) {
    size_t length = strlen(name);
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            return false;
    return name[0] != '.' && length >= sizeof suffix &&
           strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

/* --- the list --- */

static json_t *describe(const char *path, const char *name) {
    Table *table;
    struct stat file;
    if (stat(path, &file) != 0)
        return NULL;
    Status status = table_open(path, &table);
    if (!status_is_ok(&status))
        return NULL;
    const TableInfo *info = table_info(table);
    json_t *json = json_pack("{s:s, s:s, s:s, s:I, s:o}", "name", name, "game", info->game, "rules",
                             info->rules, "bytes", (json_int_t)file.st_size, "checksum",
                             json_sprintf("%016" PRIx64, info->content));
    table_close(table);
    return json;
}

/* Tables that are damaged are left out. */
static json_t *list_tables(const char *folder) {
    json_t *list = json_array();
    DIR *opened = opendir(folder);
    for (const struct dirent *entry; opened && (entry = readdir(opened)) != NULL;) {
        char path[PATH_MAX];
        Text text = text_over(path, sizeof path);
        text_addf(&text, "%s/%s", folder, entry->d_name);
        json_t *table =
            is_table_name(entry->d_name) && !text.truncated ? describe(path, entry->d_name) : NULL;
        if (table)
            list = json_with_item(list, table);
    }
    if (opened)
        (void)closedir(opened);
    return list;
}

/* The index of each table is read, which takes long if they are large. */
static bool list_by_worker(Request *request) {
    reply_json(request, MHD_HTTP_OK,
               json_pack("{s:o}", "tables", list_tables(request->server->shared_tables)));
    return true;
}

/* --- one file --- */

/* The bytes of a file that are wanted, from `first` to before `end`. */
typedef struct Wanted {
    uint64_t first, end;
    bool is_part;
} Wanted;

/* Reads `bytes=FIRST-` or `bytes=FIRST-LAST`. Other ranges are ignored, as HTTP allows: the answer
 * is the whole file. */
static Wanted read_range(const char *header, uint64_t size) {
    Wanted whole = {.end = size};
    Wanted part = {.is_part = true};
    int length = 0;
    uint64_t last;
    if (!header || strspn(header, "bytes=-0123456789") != strlen(header) || strlen(header) > 60)
        return whole;
    if (sscanf(header, "bytes=%" SCNu64 "-%n", &part.first, &length) != 1 || length == 0)
        return whole;
    part.end = size;
    if (header[length] == '\0')
        return part;
    if (sscanf(header + length, "%" SCNu64, &last) != 1 || last < part.first)
        return whole;
    part.end = last < size ? last + 1 : size;
    return part;
}

/* Opens a regular file; -1 if there is none. */
static int open_table(const char *folder, const char *name, uint64_t *size) {
    char path[PATH_MAX];
    struct stat found;
    Text text = text_over(path, sizeof path);
    text_addf(&text, "%s/%s", folder, name);
    int file = text.truncated ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &found) != 0 || !S_ISREG(found.st_mode))) {
        close(file);
        return -1;
    }
    *size = file >= 0 ? (uint64_t)found.st_size : 0;
    return file;
}

/* Sends these bytes of a file, which it closes. */
static enum MHD_Result send_bytes(Request *request, int file, const Wanted *wanted, uint64_t size) {
    char range[80];
    Response response = {.bytes = (size_t)(wanted->end - wanted->first)};
    snprintf(range, sizeof range, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, wanted->first,
             wanted->end - 1, size);
    response.mhd = MHD_create_response_from_fd_at_offset64(response.bytes, file, wanted->first);
    if (!response.mhd)
        close(file);
    response.is_complete =
        response.mhd && reply_add_headers(response.mhd, REPLY_NO_FRAME) &&
        reply_add_header(response.mhd, "Content-Type", "application/octet-stream") &&
        reply_add_header(response.mhd, "Accept-Ranges", "bytes") &&
        reply_add_header(response.mhd, "Content-Range", wanted->is_part ? range : NULL);
    return reply_queue(request, wanted->is_part ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK, response);
}

static enum MHD_Result send_table(Request *request, const char *name) {
    uint64_t size = 0;
    int file = is_table_name(name) ? open_table(request->server->shared_tables, name, &size) : -1;
    if (file < 0) {
        reply_error(request, MHD_HTTP_NOT_FOUND, (Phrase){{"no such table", "없는 테이블입니다"}});
        return reply_send(request);
    }
    Wanted wanted = read_range(
        MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Range"), size);
    if (wanted.first < wanted.end)
        return send_bytes(request, file, &wanted, size);
    close(file);
    reply_error(request, MHD_HTTP_RANGE_NOT_SATISFIABLE,
                (Phrase){{"the table has no such bytes", "테이블에 그런 부분이 없습니다"}});
    return reply_send(request);
}

enum MHD_Result shared_tables_answer(Request *request) {
    if (strcmp(request->path, list_path) != 0)
        return send_table(request, request->path + sizeof folder_path - 1);
    work_queue_add(request, JOB_SHORT, list_by_worker);
    return request_is_left(request) ? MHD_YES : reply_send(request);
}
