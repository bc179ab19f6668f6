#include "ui/screen/setup.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "game/resolve.h"
#include "ui/screen/app.h"
#include "values/policy.h"

enum { NAME_COLUMNS = 20, VALUE_COLUMNS = 16, OPTIONS_BYTES = 512 };

static size_t player_count(const Setup *setup) {
    const Variant *variant = &setup->variant;
    return (size_t)variant->game->rules.player_count(&variant->rules);
}

/* The option of an entry, or NULL for the start and the seats. */
static const OptionSpec *option_at(const Setup *setup, size_t entry) {
    size_t first = 1 + player_count(setup);
    return entry >= first ? &setup->variant.game->rules.options[entry - first] : NULL;
}

static size_t entry_count(const Setup *setup) {
    return 1 + player_count(setup) + setup->variant.game->rules.option_count;
}

/* --- seats --- */

static bool can_play(const PlayerKind *kind, const Variant *variant, const SolveLimits *limits) {
    Status status = kind->supports ? kind->supports(variant) : status_ok();
    if (status_is_ok(&status) && kind->uses_solver)
        status = values_check(variant, VALUES_EXACT, limits);
    return status_is_ok(&status);
}

void setup_change_seat(const Variant *variant, const SolveLimits *limits, Seat *seat, int step) {
    size_t count = player_kind_count(), at = 0;
    while (at + 1 < count && player_kind_at(at) != seat->kind)
        at++;
    for (size_t tried = 0; tried < count; tried++) {
        at = (at + count + (step > 0 ? 1 : count - 1)) % count;
        if (can_play(player_kind_at(at), variant, limits))
            break;
    }
    *seat = (Seat){.kind = player_kind_at(at)};
}

static void set_usual_seats(Setup *setup) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        Status status = seat_parse(i == 0 ? "you" : "normal", &setup->seats[i]);
        (void)status; /* these players exist */
    }
}

void setup_enter(App *app, const Game *game) {
    Setup *setup = &app->setup;
    *setup = (Setup){.variant = variant_default(game)};
    set_usual_seats(setup);
    Variant variant;
    Seat seats[GAME_PLAYERS_MAX];
    memcpy(seats, setup->seats, sizeof seats);
    if (store_read_setup(app->options->state, game, &variant, seats)) {
        setup->variant = variant;
        memcpy(setup->seats, seats, sizeof seats);
    }
    app->page = PAGE_SETUP;
}

/* --- rule options --- */

static void option_value(const Setup *setup, const OptionSpec *option,
                         char bytes[GAME_TEXT_BYTES]) {
    Text text = text_over(bytes, GAME_TEXT_BYTES);
    setup->variant.game->rules.get(&setup->variant.rules, option->name, &text);
}

/* Sets an option: all rules as they are, but this one. A switch is left out to switch it off; a
 * preset comes alone, since it sets the others. */
static Status set_option(Setup *setup, const OptionSpec *changed, const char *value) {
    char bytes[OPTIONS_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    const GameRules *rules = &setup->variant.game->rules;
    for (size_t i = 0; i < rules->option_count; i++) {
        const OptionSpec *option = &rules->options[i];
        char current[GAME_TEXT_BYTES];
        option_value(setup, option, current);
        const char *wanted = option == changed ? value : current;
        bool is_given = option == changed || (!changed->is_preset && current[0]);
        if (!is_given || !wanted || (option->argument && !wanted[0]))
            continue;
        text_addf(&text, "%s--%s%s%s", text.length > 0 ? " " : "", option->name,
                  option->argument ? " " : "", option->argument ? wanted : "");
    }
    Variant variant;
    Status status = variant_parse(setup->variant.game, bytes, &variant);
    if (status_is_ok(&status))
        setup->variant = variant;
    return status;
}

static void try_option(Setup *setup, const OptionSpec *option, const char *value) {
    Status status = set_option(setup, option, value);
    snprintf(setup->message, sizeof setup->message, "%s", status.message);
}

/* Sets the choice after the present one, or before it. */
static void next_choice(Setup *setup, const OptionSpec *option, int step) {
    enum { CHOICES_MAX = 32 };
    char current[GAME_TEXT_BYTES], storage[GAME_TEXT_BYTES];
    char *choices[CHOICES_MAX];
    option_value(setup, option, current);
    size_t count = text_split(option->choices, storage, sizeof storage, choices, CHOICES_MAX);
    size_t at = step > 0 ? count - 1 : 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(choices[i], current) == 0)
            at = i;
    for (size_t tried = 0; tried < count; tried++) {
        at = (at + count + (step > 0 ? 1 : count - 1)) % count;
        Status status = set_option(setup, option, choices[at]);
        if (status_is_ok(&status)) {
            setup->message[0] = '\0';
            return;
        }
        snprintf(setup->message, sizeof setup->message, "%s", status.message);
    }
}

/* Raises or lowers a number by one; other values are to be typed. */
static bool change_number(Setup *setup, const OptionSpec *option, int step) {
    char current[GAME_TEXT_BYTES], next[32];
    uint64_t number;
    option_value(setup, option, current);
    if (!number_read(current, &number) || (number == 0 && step < 0))
        return false;
    snprintf(next, sizeof next, "%llu",
             (unsigned long long)number + (step > 0 ? 1ull : (unsigned long long)-1));
    try_option(setup, option, next);
    return true;
}

/* --- changing the chosen entry --- */

static void start_typing(Setup *setup) {
    setup->is_typing = true;
    setup->entry[0] = setup->message[0] = '\0';
}

static void change(App *app, int step) {
    Setup *setup = &app->setup;
    const OptionSpec *option = option_at(setup, setup->chosen);
    char current[GAME_TEXT_BYTES];
    if (!option) {
        if (setup->chosen > 0)
            setup_change_seat(&setup->variant, &app->options->limits,
                              &setup->seats[setup->chosen - 1], step);
        return;
    }
    option_value(setup, option, current);
    if (!option->argument)
        try_option(setup, option, current[0] ? NULL : "on");
    else if (option->choices)
        next_choice(setup, option, step);
    else if (!change_number(setup, option, step))
        start_typing(setup);
}

static void start(App *app) {
    Setup *setup = &app->setup;
    Record record;
    State state = setup->variant.game->tree.start(&setup->variant.rules);
    Status status = record_open(&setup->variant, setup->seats, app->seed++, &state, &record);
    if (!status_is_ok(&status)) {
        snprintf(setup->message, sizeof setup->message, "%s", status.message);
        return;
    }
    store_write_setup(app->options->state, &setup->variant, setup->seats);
    app_play(app, &record, "");
}

/* --- drawing --- */

static void draw_entry(App *app, size_t entry, int row, Area area) {
    static const Phrase begin = {{"Start the game", "게임 시작"}};
    static const Phrase seat_words = {{"player {0}", "선수 {0}"}};
    Setup *setup = &app->setup;
    const OptionSpec *option = option_at(setup, entry);
    char name[GAME_TEXT_BYTES], value[GAME_TEXT_BYTES] = "", number[24];
    const char *about = "";
    Text text = text_over(name, sizeof name), value_text = text_over(value, sizeof value);
    if (entry == 0) {
        text_addf(&text, "▶ %s", app_words(app, begin));
    } else if (!option) {
        snprintf(number, sizeof number, "%zu", entry - 1);
        phrase_add(&text, seat_words, app->lang, (const char *const[]){number});
        seat_print(&setup->seats[entry - 1], &value_text);
        about = app_words(app, setup->seats[entry - 1].kind->about);
    } else {
        text_add(&text, option->name);
        option_value(setup, option, value);
        bool is_switch =
            !option->argument || (option->choices && strcmp(option->choices, "on off") == 0);
        if (is_switch)
            snprintf(value, sizeof value, "%s",
                     value[0] && strcmp(value, "off") != 0 ? "[x]" : "[ ]");
        about = app->lang == LANG_KO && option->help_ko ? option->help_ko : option->help;
    }
    bool is_chosen = entry == setup->chosen;
    if (is_chosen && setup->is_typing)
        snprintf(value, sizeof value, "%s_", setup->entry);
    int ground = is_chosen ? GROUND_CURSOR : GROUND_NONE;
    int wide =
        NAME_COLUMNS + VALUE_COLUMNS < area.columns ? NAME_COLUMNS + VALUE_COLUMNS : area.columns;
    canvas_fill(&app->canvas, (Area){row, area.column, 1, wide}, ground);
    canvas_write(&app->canvas, row, area.column + 1, entry == 0 ? wide - 1 : NAME_COLUMNS - 2, name,
                 entry == 0 ? INK_TITLE : INK_TEXT, ground);
    canvas_write(&app->canvas, row, area.column + NAME_COLUMNS, wide - NAME_COLUMNS, value,
                 INK_TEXT, ground);
    canvas_write(&app->canvas, row, area.column + wide + 2, area.columns - wide - 2, about,
                 INK_FAINT, GROUND_NONE);
    if (is_chosen && text_columns(about) > area.columns - wide - 2) { /* in full, at the bottom */
        int rows = setup->message[0] ? 1 : 2;
        canvas_wrap(&app->canvas, (Area){app->canvas.rows - 3, 1, rows, app->canvas.columns - 2},
                    about, INK_TEXT);
    }
}

void setup_draw(App *app) {
    static const char *const keys[LANG_COUNT][20] = {
        {"?", "keys", "Enter", "change/start", "<- ->", "change", "Esc", "back", NULL},
        {"?", "키", "Enter", "바꾸기/시작", "<- ->", "바꾸기", "Esc", "뒤로", NULL}};
    Setup *setup = &app->setup;
    Area body = frame_body(app);
    body.row++;
    body.rows--;
    int scroll = (int)setup->chosen - body.rows + 1;
    setup->first_row = body.row - (scroll > 0 ? scroll : 0);
    frame_title(app, app_words(app, setup->variant.game->identity.title), "");
    Area area = {body.row, 1, body.rows, body.columns - 2};
    for (size_t i = 0; i < entry_count(setup); i++) {
        int row = setup->first_row + (int)i;
        if (row >= body.row && row < body.row + body.rows)
            draw_entry(app, i, row, area);
    }
    if (setup->first_row + (int)entry_count(setup) > body.row + body.rows)
        canvas_put(&app->canvas, body.row + body.rows - 1, app->canvas.columns - 1, 0x2193,
                   INK_ACCENT, GROUND_NONE); /* there is more below */
    frame_message(app, setup->message, true);
    frame_keys(app, keys[app->lang]);
}

/* --- events --- */

static void type(Setup *setup, uint32_t key) {
    size_t length = strlen(setup->entry);
    if (key == KEY_RETURN) {
        setup->is_typing = false;
        try_option(setup, option_at(setup, setup->chosen), setup->entry);
    } else if (key == KEY_ESCAPE) {
        setup->is_typing = false;
    } else if (key == KEY_ERASE && length > 0) {
        setup->entry[length - 1] = '\0';
    } else if (key > ' ' && key < 127 && length + 1 < sizeof setup->entry) {
        setup->entry[length] = (char)key;
        setup->entry[length + 1] = '\0';
    }
}

static void confirm(App *app) {
    Setup *setup = &app->setup;
    const OptionSpec *option = option_at(setup, setup->chosen);
    if (setup->chosen == 0)
        start(app);
    else if (option && option->argument && !option->choices)
        start_typing(setup);
    else
        change(app, 1);
}

void setup_event(App *app, const Event *event) {
    Setup *setup = &app->setup;
    size_t count = entry_count(setup);
    uint32_t key = event->key;
    if (event->kind == EVENT_CLICK) {
        int entry = event->row - setup->first_row;
        bool is_shown = event->row <= frame_body(app).rows; /* not scrolled out */
        if (is_shown && entry >= 0 && (size_t)entry < count) {
            setup->chosen = (size_t)entry;
            confirm(app);
        }
        return;
    }
    if (event->kind == EVENT_WHEEL)
        key = event->turns < 0 ? KEY_CURSOR_UP : KEY_CURSOR_DOWN;
    if (setup->is_typing) {
        type(setup, key);
        return;
    }
    if (key == KEY_CURSOR_DOWN || key == '\t')
        setup->chosen = (setup->chosen + 1) % count;
    else if (key == KEY_CURSOR_UP || key == KEY_BACK_TAB)
        setup->chosen = (setup->chosen + count - 1) % count;
    else if (key == KEY_CURSOR_RIGHT || key == '+')
        change(app, 1);
    else if (key == KEY_CURSOR_LEFT || key == '-')
        change(app, -1);
    else if (key == KEY_RETURN || key == ' ')
        confirm(app);
    else if (key == KEY_ESCAPE || key == 'q')
        lobby_enter(app);
    if (setup->chosen >= entry_count(setup))
        setup->chosen = 0;
}
