/* libmicrohttpd accepts lines that end with a bare LF, zero bytes and folded lines in a header, and
 * does not tell. But it parses in place, and the texts that it hands out are parts of the header as
 * it arrived, with each byte of a line end set to zero:
 *
 *     Host: localhost CR LF Accept: text LF X: y
 *     ^     ^        0  0   ^       ^   0  ^
 *     name  value           name    value  name of the next field
 *
 * So between the end of a value and the next name there are two bytes after CR LF and one after a
 * bare LF. More than two are left after a zero byte within a value, and a folded line is moved
 * elsewhere. The header begins with the method and ends after an empty line, two bytes behind the
 * last line. */
#include "ui/web/framing.h"

#include <string.h>
#include <strings.h>

enum { ARGUMENTS_MAX = 100 };

static const char bad_line_end[] =
    "a line of the header does not end with CR LF, or contains a zero byte";

/* What was seen of a header so far. */
typedef struct HeaderScan {
    const char *line_end; /* where the next line should begin */
    int hosts, lengths, codings;
    const char *fault;
} HeaderScan;

/* Whether a field's name consists of the characters that names may have. */
static bool is_name(const char *name) {
    static const char characters[] = "!#$%&'*+-.^_`|~0123456789"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return name[0] && !name[strspn(name, characters)];
}

static void check_field(HeaderScan *scan, const char *name, const char *value) {
    if (name != scan->line_end)
        scan->fault = bad_line_end;
    else if (!is_name(name))
        scan->fault = "a field of the header has no proper name";
    else if (value[strcspn(value, "\r\n")])
        scan->fault = "a field of the header contains a line end";
    else if (strcasecmp(name, "Host") == 0 && ++scan->hosts > 1)
        scan->fault = "more than one Host";
    else if (strcasecmp(name, "Content-Length") == 0 && ++scan->lengths > 1)
        scan->fault = "more than one Content-Length";
    else if (strcasecmp(name, "Transfer-Encoding") == 0 &&
             (++scan->codings > 1 || strcasecmp(value, "chunked") != 0))
        scan->fault = "the only Transfer-Encoding that is understood is chunked";
    if (scan->lengths > 0 && scan->codings > 0)
        scan->fault = "both Content-Length and Transfer-Encoding";
}

static enum MHD_Result scan_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    HeaderScan *scan = context;
    if (!value)
        value = name + strlen(name);
    check_field(scan, name, value);
    scan->line_end = value + strlen(value) + 2;
    return scan->fault ? MHD_NO : MHD_YES;
}

const char *framing_find_fault(struct MHD_Connection *connection, const char *method,
                               const char *version) {
    HeaderScan scan = {.line_end = version + strlen(version) + 2};
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, scan_field, &scan);
    if (!scan.fault && (!info || scan.line_end + 2 != method + info->header_size))
        scan.fault = bad_line_end;
    return scan.fault;
}

bool framing_has_too_many_arguments(const char *target) {
    int count = 0;
    for (; *target; target++)
        count += *target == '&';
    return count >= ARGUMENTS_MAX;
}
