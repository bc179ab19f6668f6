/* Reading what requests have in common. */
#include "ui/web/request.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/web/game_snapshot.h"

size_t request_read_from(const Request *request, const HostedGame *game) {
    const char *from = request_query(request, "from"), *since = request_query(request, "since");
    uint64_t number;
    if (from && number_read(from, &number))
        return (size_t)number;
    return since && number_read(since, &number) ? game_snapshot_first_change(game, number) : 0;
}

bool request_read_name(Request *request, const json_t *json, char name[HOSTED_NAME_BYTES]) {
    const char *text = json ? json_string_value(json) : "";
    if (text && strlen(text) == (json ? json_string_length(json) : 0) &&
        hosted_game_is_name(text)) {
        snprintf(name, HOSTED_NAME_BYTES, "%s", text);
        return true;
    }
    reply_error(request, REPLY_BAD_REQUEST,
                (Phrase){{"name: expected at most 24 letters", "name: 이름은 24자까지입니다"}});
    return false;
}
