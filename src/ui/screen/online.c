#include "ui/screen/online.h"

#include <string.h>

/* More steps than this at once are not shown one by one. */
enum { SHOWN_STEPS = 6 };

/* How many steps two records have in common. */
static size_t count_common(const Record *a, const Record *b) {
    size_t count = a->step_count < b->step_count ? a->step_count : b->step_count;
    for (size_t i = 0; i < count; i++)
        if (a->moves[i] != b->moves[i])
            return i;
    return count;
}

static int actor(const Play *play) {
    const Variant *variant = play_screen_variant(play);
    return variant->game->tree.actor(&variant->rules, record_state(&play->record));
}

static bool is_mine(const RemoteState *state, int seat) {
    return seat >= 0 && (state->mine >> seat & 1);
}

/* A seat as people call it: its name, or its number. */
static void add_seat(const Play *play, int seat, Lang lang, Text *text) {
    static const Phrase player = {{"player {0}", "선수 {0}"}};
    char number[16];
    Text digits = text_over(number, sizeof number);
    text_add_number(&digits, (uint64_t)seat);
    if (play->online.state.names[seat][0])
        text_add(text, play->online.state.names[seat]);
    else
        phrase_add(text, player, lang, (const char *const[]){number});
}

/* --- what has arrived --- */

/* Goes back to what the server still has. The animation ends unless its step is the next one that
 * is shown. */
static void cut_to(Play *play, const Record *theirs) {
    static const Phrase taken_back = {{"a move was taken back", "한 수를 물렀습니다"}};
    Record *ours = &play->record;
    size_t common = count_common(ours, theirs);
    bool is_next = common == ours->step_count && theirs->step_count > common &&
                   theirs->step_count <= common + SHOWN_STEPS &&
                   theirs->moves[common] == play->animation.move;
    if (!is_next)
        play->animation.is_running = false;
    if (common == ours->step_count)
        return;
    play_say(play, false, taken_back.in[play->lang]);
    record_cut(ours, common);
    play_forget_cut(play);
}

/* Says who asks to take back a move; nothing, if nobody does any more. */
static void say_asked(Play *play) {
    static const Phrase asks = {{"{0} asks to take back a move: u agrees, U declines",
                                 "{0}이(가) 무르자고 합니다: u 동의, U 거절"}};
    char name[REMOTE_NAME_BYTES], bytes[PLAY_MESSAGE_BYTES];
    Text name_text = text_over(name, sizeof name), text = text_over(bytes, sizeof bytes);
    const RemoteState *state = &play->online.state;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        if (!(state->asked >> i & 1) || is_mine(state, i) || !state->mine)
            continue;
        add_seat(play, i, play->lang, &name_text);
        phrase_add(&text, asks, play->lang, (const char *const[]){name});
        break;
    }
    play_say(play, false, bytes);
}

void online_sync(Play *play, double now_s) {
    Online *online = &play->online;
    unsigned changes = online->changes, asked = online->state.asked;
    bool was_sending = online->is_sending;
    ConnectionView view = connection_lock(play->connection);
    if (view.changes == changes) {
        connection_unlock(play->connection);
        return;
    }
    const Record *theirs = &view.game->record;
    online->state = view.game->state;
    online->phase = view.phase;
    online->is_sending = view.is_sending;
    online->changes = view.changes;
    bool is_new = strcmp(online->message, view.message) != 0;
    Text message = text_over(online->message, sizeof online->message);
    text_add(&message, view.message);
    if (online->state.asked != asked)
        say_asked(play);
    cut_to(play, theirs);
    while (play->record.step_count + SHOWN_STEPS < theirs->step_count && !play->has_failed)
        play_make_step(play, theirs->moves[play->record.step_count], now_s);
    online->has_more = play->record.step_count < theirs->step_count && !play->has_failed;
    connection_unlock(play->connection);
    if (is_new && (online->message[0] || play->message_is_error))
        play_say(play, true, online->message);
    if (was_sending)
        play->stepped_s = 0; /* one's own move is shown at once */
    if (!play->animation.is_running)
        play_find_phase(play);
}

void online_show_step(Play *play, double now_s) {
    Move move = 0;
    ConnectionView view = connection_lock(play->connection);
    const Record *theirs = &view.game->record;
    size_t next = play->record.step_count;
    bool has_step = count_common(&play->record, theirs) == next && theirs->step_count > next;
    if (has_step)
        move = theirs->moves[next];
    play->online.has_more = has_step && theirs->step_count > next + 1;
    connection_unlock(play->connection);
    if (has_step)
        play_animate(play, move, actor(play) == GAME_CHANCE, now_s);
    else
        play_find_phase(play);
}

PlayPhase online_phase(const Play *play) {
    const Online *online = &play->online;
    int who = actor(play);
    if (online->has_more || online->state.number != play->record.step_count)
        return PLAY_BUSY;
    if (online->state.is_over || who == GAME_END)
        return PLAY_END;
    if (online->is_sending || !is_mine(&online->state, online->state.waits_for))
        return PLAY_BUSY;
    if (who == GAME_CHANCE)
        return online->state.is_throw ? PLAY_THROW : PLAY_BUSY;
    return online->state.is_throw ? PLAY_BUSY : PLAY_PERSON;
}

/* --- what is sent --- */

bool online_send(Play *play, ConnectionAction action, const Move *move) {
    const Variant *variant = play_screen_variant(play);
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (move)
        variant->game->text.print_move(&variant->rules, record_state(&play->record), *move, LANG_EN,
                                       &text);
    if (!connection_send(play->connection, action, play->record.step_count, bytes))
        return false;
    play->online.is_sending = true;
    play->message[0] = '\0';
    play_find_phase(play);
    return true;
}

/* --- what is said about it --- */

void online_add_name(const Play *play, int seat, Lang lang, Text *text) {
    static const Phrase you = {{"you", "나"}};
    const RemoteState *state = &play->online.state;
    const char *name = state->names[seat];
    if (!is_mine(state, seat))
        text_add(text, name);
    else if (name[0])
        text_addf(text, "%s (%s)", name, you.in[lang]);
    else
        text_add(text, you.in[lang]);
}

void online_describe(const Play *play, Lang lang, Text *text) {
    static const Phrase lost = {{"no connection, trying again", "연결이 끊겨 다시 잇는 중"}};
    static const Phrase gone = {{"the game is gone", "게임이 없어졌습니다"}};
    static const Phrase sending = {{"sending...", "보내는 중..."}};
    static const Phrase thinks = {{"the computer thinks", "컴퓨터가 생각하는 중"}};
    static const Phrase waits = {{"waiting for {0}", "{0} 차례를 기다리는 중"}};
    const Online *online = &play->online;
    const RemoteState *state = &online->state;
    char name[REMOTE_NAME_BYTES];
    Text name_text = text_over(name, sizeof name);
    if (online->phase != CONNECTION_ONLINE)
        text_add(text, (online->phase == CONNECTION_LOST ? lost : gone).in[lang]);
    else if (online->is_sending)
        text_add(text, sending.in[lang]);
    else if (state->trouble[0])
        text_add(text, state->trouble);
    else if (play->phase != PLAY_BUSY || online->has_more || play->animation.is_running)
        return;
    else if (state->waits_for < 0)
        text_add(text, thinks.in[lang]);
    else {
        add_seat(play, state->waits_for, lang, &name_text);
        phrase_add(text, waits, lang, (const char *const[]){name});
    }
}

/* --- opening --- */

Status online_open(Play *play, Connection *connection, const SolveLimits *limits) {
    ConnectionView view = connection_lock(connection);
    const Record *theirs = &view.game->record;
    Record record;
    Status status = record_open(&theirs->variant, theirs->seats, 0, &theirs->states[0], &record);
    for (size_t i = 0; i < theirs->step_count && status_is_ok(&status); i++)
        status = record_add(&record, theirs->moves[i]);
    play->online =
        (Online){.state = view.game->state, .phase = view.phase, .changes = view.changes};
    connection_unlock(connection);
    play->connection = connection;
    if (status_is_ok(&status))
        status = play_open(play, &record, "", limits);
    if (!status_is_ok(&status)) {
        connection_close(connection);
        play->connection = NULL;
    }
    return status;
}
