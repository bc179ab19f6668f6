/* JSON on standard output: one value to a line, complete or not at all. */
#include <stdlib.h>

#include "ui/cli/cli.h"
#include "ui/json/print.h"

Status cli_print_json(json_t *json) {
    char *text = json_print(json);
    json_decref(json);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    puts(text);
    free(text);
    return status_ok();
}

json_t *cli_json_path(const char *path) {
    char printable[PATH_MAX];
    snprintf(printable, sizeof printable, "%s", path);
    text_make_printable(printable);
    return json_string(printable);
}

void cli_print_json_error(const Status *status) {
    Status printed = cli_print_json(json_pack(
        "{s:{s:s, s:s}}", "error", "code", status_name(status->code), "message", status->message));
    if (!status_is_ok(&printed)) /* ready-made, because nothing can be allocated */
        puts("{\"error\":{\"code\":\"failed\",\"message\":\"out of memory\"}}");
}
