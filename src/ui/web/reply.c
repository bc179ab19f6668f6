/* Replies: JSON, text and errors. */
#include <string.h>

#include "ui/json/build.h"
#include "ui/json/print.h"
#include "ui/web/request.h"

/* Sets the reply; takes ownership of the text. Without a text, reply_send sends the reply for a
 * lack of memory. */
static void set_reply(Request *request, unsigned status, const char *type, char *text) {
    request->reply.status = text ? status : REPLY_UNAVAILABLE;
    request->reply.type = text ? type : "application/json";
    request->reply.text = text;
    request->reply.length = text ? strlen(text) : 0;
    request->is_answered = true;
}

void reply_json(Request *request, unsigned status, json_t *json) {
    char *text = json_print(json);
    json_decref(json);
    set_reply(request, status, "application/json", text);
}

void reply_text(Request *request, const char *type, char *text) {
    set_reply(request, REPLY_OK, type, text);
}

/* The error code in JSON for an HTTP status. */
static const char *error_code(unsigned status) {
    switch (status) {
    case REPLY_BAD_REQUEST:
        return "usage";
    case REPLY_FORBIDDEN:
        return "forbidden";
    case REPLY_NOT_FOUND:
        return "not_found";
    case REPLY_WRONG_METHOD:
        return "method";
    case REPLY_CONFLICT:
        return "conflict";
    case REPLY_TOO_LARGE:
        return "too_large";
    case REPLY_NOT_JSON:
        return "not_json";
    case REPLY_TOO_MANY:
        return "too_many";
    case REPLY_UNAVAILABLE:
        return "unavailable";
    default:
        return "failed";
    }
}

void reply_error(Request *request, unsigned status, Phrase message) {
    json_t *error =
        json_pack("{s:s, s:s}", "code", error_code(status), "message", message.in[LANG_EN]);
    if (message.in[LANG_KO])
        error = json_with(error, "message_ko", json_string(message.in[LANG_KO]));
    reply_json(request, status, json_pack("{s:o}", "error", error));
}

void reply_closing(Request *request) {
    request->reply.retry = true;
    reply_error(request, REPLY_UNAVAILABLE,
                (Phrase){{"the server is stopping", "서버를 종료하는 중입니다"}});
}

void reply_game_error(Request *request, const GameError *error) {
    reply_error(request, error->code, (Phrase){{error->message, error->message_ko}});
}

void reply_status(Request *request, const Status *status) {
    bool is_refused = status->code == STATUS_USAGE || status->code == STATUS_UNSUPPORTED;
    unsigned code = is_refused ? REPLY_BAD_REQUEST : REPLY_UNAVAILABLE;
    static const Phrase too_long = {
        {"this takes too long for the server", "서버에서 계산하기에는 너무 오래 걸립니다"}};
    reply_error(request, code,
                status->code == STATUS_STOPPED ? too_long : (Phrase){{status->message, NULL}});
}
