/* Games on a server, as far as they work without one: links, the stream of events, and what a
 * server may say about a game, sensible or not. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "testing.h"
#include "ui/client/event_stream.h"
#include "ui/client/remote_game.h"
#include "ui/client/server_link.h"

#define ID "B7sLbCWTcLMpEr5CVC39qg"
#define TOKEN "LtOi00vLFFOHR69CZBFTMA"

/* --- links --- */

static void assert_link(const char *url, const char *token, const char *base,
                        const char *expected) {
    ServerLink link;
    Status status = server_link_parse(url, token, &link);
    assert_string_equal(status.message, "");
    assert_string_equal(link.base, base);
    assert_string_equal(link.id, ID);
    assert_string_equal(link.token, expected);
}

static void links_are_read(void **state) {
    (void)state;
    assert_link("http://127.0.0.1:8017/#/play/" ID "/" TOKEN, NULL, "http://127.0.0.1:8017", TOKEN);
    assert_link("http://127.0.0.1:8017/#/play/" ID, TOKEN, "http://127.0.0.1:8017", TOKEN);
    assert_link("http://127.0.0.1:8017/#/play/" ID, NULL, "http://127.0.0.1:8017", "");
    assert_link("https://games.example/#/watch/" ID "/", NULL, "https://games.example", "");
    assert_link("HTTP://[::1]:80#/play/" ID "/" TOKEN, ID, "HTTP://[::1]:80", ID);
}

static void other_links_are_refused(void **state) {
    (void)state;
    static const char *const links[] = {"",
                                        "http://",
                                        "http://127.0.0.1:8017",
                                        "http://127.0.0.1:8017/",
                                        "http:///#/play/" ID,
                                        "ftp://127.0.0.1/#/play/" ID,
                                        "127.0.0.1:8017/#/play/" ID,
                                        "http://127.0.0.1/#/play/short",
                                        "http://127.0.0.1/#/play/" ID "x",
                                        "http://127.0.0.1/#/play/" ID "/short",
                                        "http://127.0.0.1/#/play/" ID "/" TOKEN "/more",
                                        "http://127.0.0.1/#/play/B7sLbCWTcLMpEr5CVC39q\n",
                                        "http://a\r\nb/#/play/" ID,
                                        "http://127.0.0.1/api/#/play/" ID};
    ServerLink link;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        Status status = server_link_parse(links[i], NULL, &link);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_non_null(strstr(status.message, "--server"));
    }
    Status status = server_link_parse("http://127.0.0.1/#/play/" ID, "short", &link);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_non_null(strstr(status.message, "--seat"));
}

/* --- events --- */

typedef struct Heard {
    char text[256];
    size_t count;
} Heard;

static void hear(void *context, const char *data, size_t length) {
    Heard *heard = context;
    assert_int_equal(strlen(data), length);
    strncat(heard->text, data, sizeof heard->text - strlen(heard->text) - 1);
    strncat(heard->text, "|", sizeof heard->text - strlen(heard->text) - 1);
    heard->count++;
}

static void events_are_the_same_however_they_are_cut(void **state) {
    (void)state;
    static const char bytes[] = ":\n\nid: 8\ndata: {\"version\":8}\n\nevent: presence\ndata: {}\n\n"
                                "data:one\r\ndata: two\r\n\r\nid: 9\n\ndata\n\ndata: left over\n";
    for (size_t piece = 1; piece < sizeof bytes; piece++) {
        Heard heard = {.count = 0};
        EventStream stream = {.take = hear, .context = &heard};
        for (size_t at = 0; at < sizeof bytes - 1; at += piece) {
            size_t rest = sizeof bytes - 1 - at;
            assert_true(event_stream_add(&stream, bytes + at, rest < piece ? rest : piece));
        }
        assert_string_equal(heard.text, "{\"version\":8}|one\ntwo|");
        event_stream_reset(&stream);
        assert_true(event_stream_add(&stream, "data: new\n\n", 11));
        assert_string_equal(heard.text, "{\"version\":8}|one\ntwo|new|");
        event_stream_free(&stream);
    }
}

static void endless_events_end(void **state) {
    (void)state;
    enum { PIECE = 1 << 20 };
    char *piece = malloc(PIECE);
    Heard heard = {.count = 0};
    EventStream stream = {.take = hear, .context = &heard};
    memset(piece, 'x', PIECE);
    int taken = 0;
    while (taken < 64 && event_stream_add(&stream, piece, PIECE))
        taken++;
    assert_int_equal(taken, EVENT_STREAM_BYTES_MAX / PIECE);
    assert_int_equal(heard.count, 0);
    event_stream_free(&stream);
    free(piece);
}

/* --- games --- */

static const char description[] =
    "{\"game\":\"valley\",\"rules_text\":\"\",\"start\":\"sskss/5/5/5/SSKSS w 1\",\"version\":3,"
    "\"number\":2,\"from\":0,\"you\":[1],\"seats\":[{\"kind\":\"here\",\"name\":\"A\\u0007da\"},"
    "{\"kind\":\"link\"}],\"waits\":{\"seat\":0,\"for\":\"move\"},\"over\":false,\"trouble\":null,"
    "\"undo\":{\"asked\":[0,-3,77,\"x\"],\"possible\":true},"
    "\"steps\":[{\"move\":\"b1b4\"},{\"move\":\"a5a2\"}]}";

static json_t *read_json(const char *text) {
    json_error_t error;
    json_t *json = json_loads(text, 0, &error);
    assert_non_null(json);
    return json;
}

static void open_game(RemoteGame *game) {
    json_t *json = read_json(description);
    Status status = remote_game_open(json, game);
    assert_string_equal(status.message, "");
    json_decref(json);
}

static Status update(RemoteGame *game, const char *text) {
    json_t *json = read_json(text);
    Status status = remote_game_update(game, json);
    json_decref(json);
    return status;
}

static void a_game_is_as_described(void **state) {
    (void)state;
    RemoteGame game;
    open_game(&game);
    assert_int_equal(game.record.step_count, 2);
    assert_int_equal(game.state.version, 3);
    assert_int_equal(game.state.mine, 2);
    assert_int_equal(game.state.waits_for, 0);
    assert_false(game.state.is_throw);
    assert_int_equal(game.state.asked, 1);
    assert_string_equal(game.state.names[0], "A?da");
    remote_game_close(&game);
}

static void changes_are_applied(void **state) {
    (void)state;
    RemoteGame game;
    open_game(&game);
    Status status = update(&game, "{\"version\":4,\"number\":3,\"from\":2,\"waits\":null,"
                                  "\"steps\":[{\"move\":\"d1d4\"}]}");
    assert_string_equal(status.message, "");
    assert_int_equal(game.record.step_count, 3);
    assert_int_equal(game.state.waits_for, -1);
    assert_int_equal(game.state.mine, 2); /* a change does not tell */
    /* Older than what is known. */
    update(&game, "{\"version\":2,\"number\":0,\"from\":0,\"steps\":[]}");
    assert_int_equal(game.record.step_count, 3);
    /* Two moves taken back, and another one. */
    update(&game, "{\"version\":6,\"number\":2,\"from\":1,\"steps\":[{\"move\":\"e5e2\"}]}");
    assert_int_equal(game.record.step_count, 2);
    /* A gap: the rest is to be fetched from step 2. */
    update(&game, "{\"version\":7,\"number\":9,\"from\":8,\"steps\":[{\"move\":\"a1a2\"}]}");
    assert_int_equal(game.record.step_count, 2);
    assert_int_equal(game.state.number, 9);
    /* A long change is announced only. */
    update(&game, "{\"version\":8,\"number\":700,\"from\":1,\"reload\":true}");
    assert_int_equal(game.record.step_count, 1);
    remote_game_close(&game);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"version\":-1}",
        "{\"version\":9}",
        "{\"version\":9,\"number\":\"x\"}",
        "{\"version\":9,\"number\":100001,\"from\":2,\"steps\":[]}",
        "{\"version\":9,\"number\":3}",
        "{\"version\":9,\"number\":3,\"from\":-2}",
        "{\"version\":9,\"number\":3,\"from\":2,\"steps\":[{\"move\":\"a1a9\"}]}",
        "{\"version\":9,\"number\":3,\"from\":2,\"steps\":[{}]}",
        "{\"version\":9,\"number\":3,\"from\":2,\"steps\":[7]}"};
    RemoteGame game;
    open_game(&game);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Status status = update(&game, bad[i]);
        assert_int_equal(status.code, STATUS_FAILED);
        assert_int_equal(game.record.step_count, 2);
    }
    remote_game_close(&game);
}

/* Whatever becomes of the description, a game comes of it or an error. */
static void damaged_descriptions_do_no_harm(void **state) {
    (void)state;
    enum { TRIES = 20000 };
    Random random = random_from_seed(1, 0);
    size_t opened = 0;
    for (int i = 0; i < TRIES; i++) {
        char text[sizeof description];
        json_error_t error;
        RemoteGame game;
        memcpy(text, description, sizeof text);
        for (uint64_t n = 1 + random_below(&random, 3); n > 0; n--)
            text[random_below(&random, sizeof text - 1)] =
                "0123456789\",:{}[]w-/ "[random_below(&random, 21)];
        json_t *json = json_loads(text, 0, &error);
        Status status = remote_game_open(json, &game);
        if (status_is_ok(&status)) {
            assert_true(game.record.step_count <= 2);
            remote_game_close(&game);
            opened++;
        }
        json_decref(json);
    }
    assert_true(opened > 0 && opened < TRIES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_read),
        cmocka_unit_test(other_links_are_refused),
        cmocka_unit_test(events_are_the_same_however_they_are_cut),
        cmocka_unit_test(endless_events_end),
        cmocka_unit_test(a_game_is_as_described),
        cmocka_unit_test(changes_are_applied),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(damaged_descriptions_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
