#include "ui/screen/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "game/resolve.h"
#include "play/saved_game.h"

enum { SETUP_BYTES_MAX = 4096, NAMES_MAX = 4096, NAME_BYTES = 64 };

/* Makes a folder and those above it. */
static bool make_folder(const char *path) {
    char partial[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof partial)
        return false;
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(partial, path, i);
        partial[i] = '\0';
        if (mkdir(partial, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

/* FOLDER/PART, made if it is missing. */
static bool subfolder(const char *folder, const char *part, char path[PATH_MAX]) {
    Text text = text_over(path, PATH_MAX);
    if (!folder)
        return false;
    text_addf(&text, "%s/%s", folder, part);
    return !text.truncated && make_folder(path);
}

void store_name_game(const char *folder, const Game *game, char path[PATH_MAX]) {
    char games[PATH_MAX], when[32];
    time_t now = time(NULL);
    struct tm local;
    path[0] = '\0';
    if (!subfolder(folder, "games", games) || !localtime_r(&now, &local))
        return;
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    for (int i = 1; i < 100; i++) {
        Text text = text_over(path, PATH_MAX);
        text_addf(&text, "%s/%s-%s-%d.txt", games, game->identity.name, when, i);
        if (!text.truncated && !file_exists(path))
            return;
    }
    path[0] = '\0';
}

/* Newest first: the time is part of the name, after the game's. */
static int compare_names(const void *a, const void *b) {
    const char *left = strchr(a, '-'), *right = strchr(b, '-');
    return strcmp(right ? right : "", left ? left : "");
}

/* Lists the names of the files `*.txt`. The caller frees the list. */
static size_t list_names(const char *folder, char (**names)[NAME_BYTES]) {
    size_t count = 0;
    DIR *directory = opendir(folder);
    *names = directory ? malloc(NAMES_MAX * sizeof **names) : NULL;
    for (struct dirent *entry; *names && count < NAMES_MAX && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length < NAME_BYTES && length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0)
            memcpy((*names)[count++], entry->d_name, length + 1);
    }
    if (directory)
        closedir(directory);
    if (count > 0)
        qsort(*names, count, sizeof **names, compare_names);
    return count;
}

static bool read_game(const char *path, StoredGame *stored) {
    Record record;
    Status status = saved_game_read(path, &record);
    if (!status_is_ok(&status))
        return false;
    const Variant *variant = &record.variant;
    bool goes_on = variant->game->tree.actor(&variant->rules, record_state(&record)) != GAME_END;
    Text seats = text_over(stored->seats, sizeof stored->seats);
    store_print_seats(variant, record.seats, &seats);
    stored->game = variant->game;
    stored->steps = record.step_count;
    record_close(&record);
    return goes_on;
}

size_t store_list_games(const char *folder, StoredGame games[STORE_GAMES_MAX]) {
    char path[PATH_MAX];
    char(*names)[NAME_BYTES];
    size_t count = 0;
    if (!folder)
        return 0;
    Text text = text_over(path, sizeof path);
    text_addf(&text, "%s/games", folder);
    size_t name_count = list_names(path, &names);
    for (size_t i = 0; i < name_count && count < STORE_GAMES_MAX; i++) {
        Text file = text_over(games[count].path, sizeof games[count].path);
        text_addf(&file, "%s/%s", path, names[i]);
        if (!file.truncated && read_game(games[count].path, &games[count]))
            count++;
    }
    free(names);
    return count;
}

void store_finish_game(const char *folder, const char *path) {
    char games[PATH_MAX], finished[PATH_MAX];
    const char *name = strrchr(path, '/');
    Text text = text_over(games, sizeof games);
    if (!folder || !name)
        return;
    text_addf(&text, "%s/games/", folder);
    if (strncmp(path, games, text.length) != 0 || !subfolder(folder, "finished", finished))
        return;
    text = text_over(finished, sizeof finished);
    text_addf(&text, "%s/finished%s", folder, name);
    if (!text.truncated)
        rename(path, finished);
}

bool store_read_key(const char *folder, char key[SECRET_TEXT_BYTES]) {
    char path[PATH_MAX];
    char *bytes = NULL;
    size_t size;
    Text text = text_over(path, sizeof path);
    key[0] = '\0';
    if (!secret_init())
        return false;
    secret_draw(key);
    if (!folder || !make_folder(folder))
        return false;
    text_addf(&text, "%s/key", folder);
    Status status = file_read(path, SECRET_TEXT_BYTES - 1, &bytes, &size);
    if (status_is_ok(&status) && secret_is_text(bytes))
        memcpy(key, bytes, SECRET_TEXT_BYTES);
    else
        status = file_replace(path, key, SECRET_TEXT_BYTES - 1);
    free(bytes);
    return status_is_ok(&status);
}

void store_remove_game(const char *path) {
    unlink(path);
}

void store_print_seats(const Variant *variant, const Seat seats[], Text *text) {
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        if (i > 0)
            text_add_char(text, ',');
        seat_print(&seats[i], text);
    }
}

static bool setup_path(const char *folder, const Game *game, char path[PATH_MAX]) {
    Text text = text_over(path, PATH_MAX);
    text_addf(&text, "%s/setup-%s.txt", folder, game->identity.name);
    return !text.truncated;
}

void store_write_setup(const char *folder, const Variant *variant, const Seat seats[]) {
    char path[PATH_MAX], bytes[SETUP_BYTES_MAX];
    Text text = text_over(bytes, sizeof bytes);
    if (!folder || !make_folder(folder) || !setup_path(folder, variant->game, path))
        return;
    variant_print(variant, &text);
    text_add_char(&text, '\n');
    store_print_seats(variant, seats, &text);
    text_add_char(&text, '\n');
    Status status = file_replace(path, bytes, text.length);
    (void)status; /* only a convenience is lost */
}

bool store_read_setup(const char *folder, const Game *game, Variant *variant,
                      Seat seats[GAME_PLAYERS_MAX]) {
    char path[PATH_MAX];
    char *text;
    size_t size;
    if (!folder || !setup_path(folder, game, path))
        return false;
    Status status = file_read(path, SETUP_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return false;
    char *at = NULL, *rules = strtok_r(text, "\n", &at), *names = strtok_r(NULL, "\n", &at);
    status = variant_parse(game, names ? rules : "", variant);
    bool good = status_is_ok(&status) && names;
    int count = good ? game->rules.player_count(&variant->rules) : 0;
    char *word = good ? strtok_r(names, ",", &at) : NULL;
    for (int i = 0; i < count && good; i++, word = strtok_r(NULL, ",", &at)) {
        status = word ? seat_parse(word, &seats[i]) : status_make(STATUS_USAGE, "too few");
        good = status_is_ok(&status);
    }
    free(text);
    return good;
}
