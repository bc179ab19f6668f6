/* The base: status codes, text, phrases, numbers, random numbers, options. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "base/options.h"
#include "base/phrase.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/suggest.h"
#include "base/text.h"
#include "terminal/progress_line.h"
#include "testing.h"

static void status_message_is_one_line(void **state) {
    (void)state;
    Status status = status_make(STATUS_USAGE, "bad\nline\x1b[31m\t%s", "\x7f");
    assert_string_equal(status.message, "bad?line?[31m??");
    assert_string_equal(status_name(status.code), "usage");
    assert_true(strlen(status_ok().message) == 0);
}

static void status_message_is_cut_at_a_character(void **state) {
    (void)state;
    char hangul[1000];
    Text text = text_over(hangul, sizeof hangul);
    for (int i = 0; i < 300; i++)
        text_add(&text, "말");
    Status status = status_make(STATUS_FAILED, "x%s", hangul);
    assert_true(strlen(status.message) < STATUS_MESSAGE_BYTES);
    assert_int_equal((strlen(status.message) - 1) % 3, 0);
    assert_true(strlen(status.message) >= STATUS_MESSAGE_BYTES - 4);
}

static void status_message_has_room_for_its_end(void **state) {
    (void)state;
    char long_text[1000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    Status status = status_make(STATUS_FAILED, "%s", long_text);
    assert_int_equal(strlen(status.message), STATUS_MESSAGE_BYTES - 1);
}

static void quote_is_short_and_printable(void **state) {
    (void)state;
    char long_text[10001];
    memset(long_text, 'a', 10000);
    long_text[10000] = '\0';
    assert_string_equal(quote("a\nb").text, "'a?b'");
    assert_string_equal(quote("").text, "''");
    assert_string_equal(quote(long_text).text, "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'");
    assert_int_equal(strlen(quote("말말말말말말말말말말말말말말말말말말").text), 39 + 5);
    assert_string_equal(quote("a\xff\xc3 \xc2\x9b"
                              "b\xed\xa0\x80")
                            .text,
                        "'a?\? ?b?\?\?'");
    assert_string_equal(quote("\xc3").text, "'?'");
    assert_string_equal(quote("é말").text, "'é말'");
}

static void text_never_overruns(void **state) {
    (void)state;
    char bytes[9] = "????????";
    Text text = text_over(bytes, 8);
    text_add(&text, "abc");
    text_add_number(&text, 12);
    assert_false(text.truncated);
    text_addf(&text, "%s", "defgh");
    assert_true(text.truncated);
    assert_string_equal(bytes, "abc12de");
    text_add_char(&text, 'x');
    assert_int_equal(text.length, 7);
    assert_int_equal(bytes[8], '\0');
}

static void text_columns_of_hangul_and_colour(void **state) {
    (void)state;
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("말판"), 4);
    assert_int_equal(text_columns("\x1b[31m말\x1b[0m"), 2);
    assert_int_equal(text_columns("╭─╮"), 3);
    assert_int_equal(text_columns("e\xcc\x81"), 1);
    assert_int_equal(text_columns("\xff\xfe"), 2);
    assert_int_equal(text_columns("\xea\xb0"), 2); /* cut off */
    char bytes[32];
    Text text = text_over(bytes, sizeof bytes);
    text_add_left(&text, "말", 4);
    text_add_right(&text, "판", 4);
    assert_string_equal(bytes, "말    판");
}

static void text_is_cut_to_columns(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int columns;
        const char *expected;
    } cuts[] = {{"abcdef", 6, "abcdef"},
                {"abcdef", 3, "abc"},
                {"abcdef", 0, ""},
                {"말판", 4, "말판"},
                {"말판", 3, "말"}, /* half a character is none */
                {"말판x", 3, "말"},
                {"말판", 1, ""},
                {"e\xcc\x81x", 1, "e\xcc\x81"},
                {"\x1b[31m말판\x1b[0m", 2, "\x1b[31m말\x1b[0m"},
                {"\xff\xfe", 1, "\xff"}};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", cuts[i].text);
        text_cut_columns(text, cuts[i].columns);
        assert_string_equal(text, cuts[i].expected);
        assert_true(text_columns(text) <= cuts[i].columns);
    }
}

static void text_splits_into_words(void **state) {
    (void)state;
    char storage[16];
    char *words[3];
    assert_int_equal(text_split("  a bc\td ", storage, sizeof storage, words, 3), 3);
    assert_string_equal(words[0], "a");
    assert_string_equal(words[1], "bc");
    assert_string_equal(words[2], "d");
    assert_int_equal(text_split("a b c d", storage, sizeof storage, words, 3), 4);
    assert_int_equal(text_split("", storage, sizeof storage, words, 3), 0);
    assert_int_equal(text_split("aaaaaaaaaaaaaaaa", storage, sizeof storage, words, 3), 4);
    assert_int_equal(text_split("aaaaaaaaaaaaaaa", storage, sizeof storage, words, 3), 1);
}

static void phrase_puts_words_where_the_language_wants(void **state) {
    (void)state;
    static const Phrase phrase = {{"{0} beats {1}", "{1} < {0} {2"}};
    const char *const words[] = {"a", "b", "c"};
    char bytes[32];
    Text text = text_over(bytes, sizeof bytes);
    phrase_add(&text, phrase, LANG_EN, words);
    assert_string_equal(bytes, "a beats b");
    text = text_over(bytes, sizeof bytes);
    phrase_add(&text, phrase, LANG_KO, words);
    assert_string_equal(bytes, "b < a {2");
}

static void number_reads_digits_only(void **state) {
    (void)state;
    uint64_t number = 0;
    assert_true(number_read("18446744073709551615", &number));
    assert_true(number == UINT64_MAX);
    assert_true(number_read("007", &number));
    assert_int_equal(number, 7);
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "1e3",
                                      "0x10",
                                      "1.",
                                      "١",
                                      "18446744073709551616",
                                      "99999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(number_read(bad[i], &number));
    assert_ok(number_parse("x", "12", 2, 12, &number));
    assert_fails(number_parse("roll", "13", 2, 12, &number), STATUS_USAGE,
                 "roll: expected a whole number from 2 to 12, not '13'");
    assert_ok(number_parse("x", "2", 2, 12, &number));
    assert_fails(number_parse("x", "1", 2, 12, &number), STATUS_USAGE, "from 2 to 12");
    assert_ok(number_parse("x", "18446744073709551615", 1, UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);
    assert_fails(number_parse("x", "0", 1, UINT64_MAX, &number), STATUS_USAGE,
                 "x: expected a whole number above 0, not '0'");
    assert_fails(number_parse("x", "a", 0, UINT64_MAX, &number), STATUS_USAGE,
                 "x: expected a whole number, not 'a'");
}

static void number_reads_times(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"1ms", 1e-3}, {"500ms", 0.5}, {"2s", 2},      {".5s", 0.5},
                {"1.5m", 90},  {"1h", 3600},   {"24h", 86400}, {"0.001s", 1e-3}};
    static const char *const bad[] = {"",    "1",    "s",     "0s",    "0.9ms", "-1s",
                                      "1 s", "25h",  "1e3ms", "0x1s",  "1d",    "86401s",
                                      "nan", "infs", "1S",    "1.2.3s"};
    double seconds;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_ok(number_parse_time("t", good[i].text, &seconds));
        assert_true(fabs(seconds - good[i].seconds) < 1e-12);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(number_parse_time("t", bad[i], &seconds), STATUS_USAGE, "500ms");
}

static void number_reads_reals(void **state) {
    (void)state;
    static const char *const bad[] = {"",   "-1", "0.2499", "2.0001", "nan", "inf",
                                      "1x", "1 ", "0x1p0",  "+1",     "1p0", "x"};
    double number;
    assert_ok(number_parse_real("r", "0.25", 0.25, 2, &number));
    assert_true(number == 0.25);
    assert_ok(number_parse_real("r", "2", 0.25, 2, &number));
    assert_true(number == 2);
    assert_ok(number_parse_real("r", "5e-1", 0.25, 2, &number));
    assert_true(number == 0.5);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(number_parse_real("r", bad[i], 0.25, 2, &number), STATUS_USAGE,
                     "r: expected a number from 0.25 to 2");
}

static void number_reads_sizes(void **state) {
    (void)state;
    size_t bytes = 0;
    assert_ok(number_parse_size("m", "12", &bytes));
    assert_int_equal(bytes, 12);
    static const char *const units[] = {"1K", "1M", "1G", "1T"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        assert_ok(number_parse_size("m", units[i], &bytes));
        assert_true(bytes == (size_t)1 << 10 * (i + 1));
    }
    assert_ok(number_parse_size("m", "4G", &bytes));
    assert_true(bytes == (size_t)4 << 30);
    static const char *const bad[] = {"",
                                      "G",
                                      "0",
                                      "1g",
                                      "1GB",
                                      "-1G",
                                      "99999999999T",
                                      "1 G",
                                      "1111111111111111111111111111111111"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(number_parse_size("m", bad[i], &bytes), STATUS_USAGE, "512M");
}

/* The stream is fixed for ever: saved games and published figures depend on it. */
static void random_stream_is_fixed(void **state) {
    (void)state;
    static const uint64_t expected[3][4] = {
        {18110106563157542208u, 8650457082529208451u, 3032169436225125478u, 5211024849135804362u},
        {2303456275738999573u, 5438210688795116325u, 10433286269970717030u, 11285640936736227471u},
        {6361458328680127711u, 2631838692071214148u, 13221152241774850206u, 4150474096137592771u},
    };
    static const uint64_t seeds[3][2] = {{0, 0}, {42, 0}, {42, 1}};
    for (int i = 0; i < 3; i++) {
        Random random = random_from_seed(seeds[i][0], seeds[i][1]);
        for (int j = 0; j < 4; j++)
            assert_true(random_next(&random) == expected[i][j]);
    }
    Random random = random_from_seed(7, 7);
    static const uint64_t dice[12] = {3, 3, 2, 0, 5, 1, 0, 0, 0, 2, 3, 5};
    for (int i = 0; i < 12; i++)
        assert_int_equal(random_below(&random, 6), dice[i]);
}

/* The generator against the reference vector of xoshiro256** for the state 1, 2, 3, 4. */
static void random_is_xoshiro(void **state) {
    (void)state;
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240u};
    Random random = {{1, 2, 3, 4}};
    for (size_t i = 0; i < 4; i++)
        assert_true(random_next(&random) == expected[i]);
}

static void random_is_even(void **state) {
    (void)state;
    enum { SIDES = 7, THROWS = 700000 };
    Random random = random_from_seed(1, 2);
    int counts[SIDES] = {0};
    for (int i = 0; i < THROWS; i++)
        counts[random_below(&random, SIDES)]++;
    /* Five standard errors: sqrt(THROWS * 1/7 * 6/7) = 293. */
    for (int i = 0; i < SIDES; i++)
        assert_true(abs(counts[i] - THROWS / SIDES) < 5 * 293);
    /* A bound that does not divide 2^64 at all well. */
    uint64_t bound = ((uint64_t)3 << 62) + 1;
    int high = 0;
    for (int i = 0; i < 30000; i++) {
        uint64_t x = random_below(&random, bound);
        assert_true(x < bound);
        high += x >= bound / 2;
    }
    assert_true(abs(high - 15000) < 5 * 87);
    assert_int_equal(random_below(&random, 1), 0);
}

static void suggest_finds_what_was_meant(void **state) {
    (void)state;
    static const char *const words[] = {"play", "eval", "tour", "games", "stats", "version"};
    assert_string_equal(suggest_word("evla", words, 6), "eval");
    assert_string_equal(suggest_word("plya", words, 6), "play");
    assert_string_equal(suggest_word("stat", words, 6), "stats");
    assert_string_equal(suggest_word("PLAY", words, 6), "play");
    assert_string_equal(suggest_word("Vers", words, 6), "version");
    assert_string_equal(suggest_word("EVLA", words, 6), "eval");
    assert_null(suggest_word("xyzzy", words, 6));
    assert_null(suggest_word("", words, 6));
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
    assert_int_equal(suggest_distance("ab", "ba"), 1);
    assert_int_equal(suggest_distance("", "abc"), 3);
    char huge[200];
    memset(huge, 'e', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(suggest_word(huge, words, 6));
}

static const OptionSpec seed_spec = {.name = "seed", .argument = "N"};
static const OptionSpec quiet_spec = {.name = "quiet", .letter = 'q'};
static const OptionSpec json_spec = {.name = "json", .letter = 'j'};
static const OptionSpec *const specs[] = {&seed_spec, &quiet_spec, &json_spec};

static void options_stand_anywhere(void **state) {
    (void)state;
    CommandLine line;
    static const char *const arguments[] = {"--seed",   "1", "a",  "-qj",
                                            "--seed=2", "-", "--", "--x"};
    assert_ok(options_parse(specs, 3, arguments, 8, &line));
    assert_int_equal(line.word_count, 3);
    assert_string_equal(line.words[0], "a");
    assert_string_equal(line.words[1], "-");
    assert_string_equal(line.words[2], "--x");
    assert_string_equal(options_find(&line, "seed")->value, "2");
    assert_non_null(options_find(&line, "quiet"));
    assert_non_null(options_find(&line, "json"));
    assert_null(options_find(&line, "other"));
}

static void options_refuse_with_a_hint(void **state) {
    (void)state;
    CommandLine line;
    static const struct {
        const char *argument, *words;
    } bad[] = {{"--sead", "did you mean '--seed'?"},  {"--zzzzzz", "see --help"},
               {"--quiet=1", "takes no value"},       {"--seed", "expected N after it"},
               {"-x", "unknown option '-x'"},         {"-qx", "unknown option '-qx'; see --help"},
               {"-sede=5", "did you mean '--seed'?"}, {"-quite", "did you mean '--quiet'?"},
               {"--Seed=5", "did you mean '--seed'?"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(options_parse(specs, 3, &bad[i].argument, 1, &line), STATUS_USAGE,
                     bad[i].words);
    static const char *const games[] = {"yut", "box", "valley"};
    assert_fails(options_unknown("game", "yutt", games, 3, "see the list"), STATUS_USAGE,
                 "unknown game 'yutt'; did you mean 'yut'?");
    assert_fails(options_unknown("game", "YUT", games, 3, "see the list"), STATUS_USAGE,
                 "did you mean 'yut'?");
    assert_fails(options_unknown("game", "chess", games, 3, "see the list"), STATUS_USAGE,
                 "unknown game 'chess'; see the list");
    assert_fails(options_unknown("game", "", games, 3, "see the list"), STATUS_USAGE,
                 "unknown game ''; see the list");
    const char *many[200];
    for (size_t i = 0; i < 200; i++)
        many[i] = "w";
    assert_fails(options_parse(specs, 3, many, 200, &line), STATUS_USAGE, "more than 64 words");
    for (size_t i = 0; i < 200; i++)
        many[i] = "-q";
    assert_fails(options_parse(specs, 3, many, 200, &line), STATUS_USAGE, "more than 64 options");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_message_is_one_line),
        cmocka_unit_test(status_message_is_cut_at_a_character),
        cmocka_unit_test(status_message_has_room_for_its_end),
        cmocka_unit_test(quote_is_short_and_printable),
        cmocka_unit_test(text_never_overruns),
        cmocka_unit_test(text_columns_of_hangul_and_colour),
        cmocka_unit_test(text_is_cut_to_columns),
        cmocka_unit_test(text_splits_into_words),
        cmocka_unit_test(phrase_puts_words_where_the_language_wants),
        cmocka_unit_test(number_reads_digits_only),
        cmocka_unit_test(number_reads_times),
        cmocka_unit_test(number_reads_reals),
        cmocka_unit_test(number_reads_sizes),
        cmocka_unit_test(random_stream_is_fixed),
        cmocka_unit_test(random_is_xoshiro),
        cmocka_unit_test(random_is_even),
        cmocka_unit_test(suggest_finds_what_was_meant),
        cmocka_unit_test(options_stand_anywhere),
        cmocka_unit_test(options_refuse_with_a_hint),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
