/* Damaged tables: every kind of damage is rejected with a message that says what is wrong.
 */
#include <sys/stat.h>
#include <zstd.h>

#include "table/format.h"
#include "table_testing.h"

/* The result of opening and verifying a file with these bytes. */
static Status check_bytes(const uint8_t *bytes, size_t size) {
    FILE *file = fopen("checked-bytes", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    Table *table;
    Status status = table_open("checked-bytes", &table);
    if (!status_is_ok(&status))
        return status;
    status = table_verify(table, 1, NULL, NULL);
    table_close(table);
    return status;
}

/* --- accidents --- */

static void every_truncation_is_refused(void **state) {
    (void)state;
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    char expected[120];
    for (size_t length = 0; length < size; length++) {
        if (length < FORMAT_HEADER_BYTES)
            snprintf(expected, sizeof expected, "truncated: %zu bytes, expected 512 or more",
                     length);
        else
            snprintf(expected, sizeof expected, "truncated: %zu bytes, expected %zu", length, size);
        assert_fails(check_bytes(bytes, length), STATUS_TABLE, expected);
    }
    assert_ok(check_bytes(bytes, size));
    free(bytes);
}

static void longer_files_are_refused(void **state) {
    (void)state;
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size); /* a zero byte follows */
    char expected[120];
    snprintf(expected, sizeof expected, "too long: %zu bytes, expected %zu", size + 1, size);
    assert_fails(check_bytes(bytes, size + 1), STATUS_TABLE, expected);
    free(bytes);
}

/* The expected message for a flipped bit in this byte of the small table. */
static const char *damage_at(size_t byte, const size_t blocks_at[3]) {
    if (byte < FORMAT_MAGIC_BYTES)
        return "'checked-bytes' is not a malpan table";
    if (byte < FORMAT_HEADER_BYTES)
        return "the table 'checked-bytes' is damaged: its header fails its checksum";
    if (byte < blocks_at[0])
        return "the table 'checked-bytes' is damaged: its index fails its checksum";
    if (byte < blocks_at[1])
        return "the table 'checked-bytes' is damaged: block 0 fails its checksum";
    if (byte < blocks_at[2])
        return "the table 'checked-bytes' is damaged: block 1 fails its checksum";
    return "the table 'checked-bytes' is damaged: block 2 fails its checksum";
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    size_t blocks_at[3] = {format_blocks_offset(3)};
    for (uint32_t i = 0; i < 2; i++)
        blocks_at[i + 1] = blocks_at[i] + format_get(bytes + format_blocks_offset(i), 4);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_fails(check_bytes(bytes, size), STATUS_TABLE, damage_at(bit / 8, blocks_at));
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_ok(check_bytes(bytes, size));
    free(bytes);
}

/* Values of a damaged block are never returned; those of other blocks are. */
static void a_damaged_block_is_not_used(void **state) {
    (void)state;
    Table *table;
    TableReader *reader;
    size_t size;
    uint32_t code = 42, codes[10];
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    bytes[size - 1] ^= 1;
    assert_ok(file_replace("small", bytes, size));
    assert_ok(table_open("small", &table));
    assert_ok(table_reader_open(table, 1000, &reader));
    for (uint64_t i = 0; i < 8; i++) {
        assert_ok(table_get(reader, i, &code));
        assert_int_equal(code, smooth(i, 0xFFFFFF));
    }
    code = 42;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(table_probe(reader, 8, &code), STATUS_TABLE);
        assert_fails(table_reader_failure(reader), STATUS_TABLE, "block 2 fails its checksum");
        assert_fails(table_get(reader, 8, &code), STATUS_TABLE, "block 2 fails its checksum");
        assert_fails(table_read(reader, 0, 10, codes), STATUS_TABLE, "block 2 fails its checksum");
    }
    assert_int_equal(code, 42);
    for (int threads = 1; threads <= 3; threads++)
        assert_fails(table_verify(table, threads, NULL, NULL), STATUS_TABLE, "block 2 fails");
    table_reader_close(reader);
    table_close(table);
    free(bytes);
}

/* A file that is cut while it is open gives an error, not a signal. */
static void a_file_cut_under_us_is_an_error(void **state) {
    (void)state;
    Table *table;
    TableReader *reader;
    uint32_t code;
    TableInfo info = describe(1000, 4, 10);
    write_table("cut", &info, noise);
    assert_ok(table_open("cut", &table));
    assert_ok(table_reader_open(table, 0, &reader));
    assert_ok(table_get(reader, 999, &code));
    assert_int_equal(truncate("cut", 2000), 0);
    assert_fails(table_verify(table, 2, NULL, NULL), STATUS_TABLE,
                 "truncated: byte 2000 is missing");
    assert_fails(table_get(reader, 900, &code), STATUS_TABLE, "is missing");
    table_reader_close(reader);
    table_close(table);
}

static void other_files_are_refused(void **state) {
    (void)state;
    assert_fails(open_and_close("none"), STATUS_TABLE, "no table at 'none'");
    assert_fails(open_and_close("no/such/folder"), STATUS_TABLE, "no table at 'no/such/folder'");
    assert_ok(file_replace("text", "malpan-record 1\n", 16));
    assert_fails(open_and_close("text"), STATUS_TABLE, "'text' is not a malpan table");
    assert_fails(open_and_close("text/below"), STATUS_TABLE, "Not a directory");
    assert_fails(open_and_close("."), STATUS_TABLE, "not a malpan table: not a regular file");
    assert_fails(open_and_close("/dev/zero"), STATUS_TABLE, "not a regular file");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_fails(open_and_close("pipe"), STATUS_TABLE, "not a regular file");
}

static void other_games_and_rules_are_refused(void **state) {
    (void)state;
    Table *table;
    write_small("small");
    assert_ok(table_open("small", &table));
    assert_ok(table_check_for(table, "box", "--tiles 9 --dice 2 --players 2"));
    assert_fails(table_check_for(table, "yut", "--tiles 9 --dice 2 --players 2"), STATUS_TABLE,
                 "the table 'small' is for box, expected 'yut'");
    assert_fails(table_check_for(table, "box", "--tiles 9 --dice 3 --players 2"), STATUS_TABLE,
                 "the table 'small' is for box with '--dice 2 --players 2', "
                 "expected '--dice 3 --players 2'");
    assert_fails(table_check_for(table, "box", "--tiles 12 --dice 2 --players 2"), STATUS_TABLE,
                 "is for box with '--tiles 9 --dice 2 --players 2', expected '--tiles 12 ");
    assert_fails(table_check_for(table, "box", "--tiles 9 --dice 2 --players 23"), STATUS_TABLE,
                 "is for box with '--players 2', expected '--players 23'");
    assert_fails(table_check_for(table, "box", "--tiles 9 --dice 2"), STATUS_TABLE,
                 "is for box with '--dice 2 --players 2', expected '--dice 2'");
    assert_fails(table_check_for(table, "box", ""), STATUS_TABLE, "expected ''");
    table_close(table);
}

/* --- invalid files with valid checksums --- */

static void sign_header(uint8_t *bytes) {
    format_put(bytes + FORMAT_SUM_AT,
               format_checksum(bytes + FORMAT_SUMMED_AT, FORMAT_HEADER_BYTES - FORMAT_SUMMED_AT),
               8);
}

/* Recomputes the checksums and lengths that depend on the index. */
static void sign(uint8_t *bytes, uint32_t blocks, size_t size) {
    format_put(bytes + FORMAT_INDEX_SUM_AT,
               format_checksum(bytes + FORMAT_HEADER_BYTES, blocks * (size_t)FORMAT_ENTRY_BYTES),
               8);
    format_put(bytes + FORMAT_FILE_BYTES_AT, size, 8);
    sign_header(bytes);
}

static void newer_versions_are_refused(void **state) {
    (void)state;
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    format_put(bytes + FORMAT_VERSION_AT, 2, 4);
    assert_fails(check_bytes(bytes, size), STATUS_TABLE, "header fails its checksum");
    sign_header(bytes);
    assert_fails(check_bytes(bytes, size), STATUS_TABLE,
                 "has version 2; this program reads version 1, a newer one is needed");
    format_put(bytes + FORMAT_VERSION_AT, 0, 4);
    sign_header(bytes);
    assert_fails(check_bytes(bytes, size), STATUS_TABLE,
                 "has version 0; this program reads version 1");
    free(bytes);
}

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void senseless_headers_are_refused(void **state) {
    (void)state;
    const struct {
        size_t at;
        uint64_t number;
        int size;
        const char *words;
    } changes[] = {
        {FORMAT_VALUE_BYTES_AT, 0, 4, "expected 1 to 4 bytes a value"},
        {FORMAT_VALUE_BYTES_AT, 5, 4, "expected 1 to 4 bytes a value"},
        {FORMAT_VALUE_BYTES_AT, 0xFFFFFFFF, 4, "expected 1 to 4 bytes a value"},
        {FORMAT_BLOCK_VALUES_AT, 0, 4, "expected 1 to 1048576 values a block"},
        {FORMAT_BLOCK_VALUES_AT, (1 << 20) + 1, 4, "expected 1 to 1048576 values a block"},
        {FORMAT_BLOCK_VALUES_AT, 10, 4, "expected as many blocks as the values fill"},
        {FORMAT_BLOCKS_AT, 2, 4, "expected as many blocks as the values fill"},
        {FORMAT_BLOCKS_AT, 0xFFFFFFFF, 4, "expected as many blocks as the values fill"},
        {FORMAT_COUNT_AT, 13, 8, "expected as many blocks as the values fill"},
        {FORMAT_COUNT_AT, UINT64_MAX, 8, "expected fewer than 2^32 blocks"},
        {FORMAT_COUNT_AT, (uint64_t)4 << 32, 8, "expected fewer than 2^32 blocks"},
        {FORMAT_ERROR_AT, bits_of(-1), 8, "expected an error bound of 0 or more"},
        {FORMAT_ERROR_AT, bits_of(NAN), 8, "expected an error bound of 0 or more"},
        {FORMAT_ERROR_AT, bits_of(INFINITY), 8, "expected an error bound of 0 or more"},
        {FORMAT_MEANING_AT, 0, 8, "expected the meaning code or chance"},
        {FORMAT_MEANING_AT, 'c', 8, "expected the meaning code or chance"},
        {FORMAT_GAME_AT, 0, 8, "expected a game's name"},
        {FORMAT_GAME_AT, '\n', 1, "expected a game's name"},
        {FORMAT_GAME_AT + 47, 'x', 1, "expected zeros after a text"},
        {FORMAT_RULES_AT, 0x80, 1, "expected rules"},
        {FORMAT_HEADER_BYTES - 1, 'x', 1, "expected zeros after a text"},
        {FORMAT_FILE_BYTES_AT, 0, 8, "expected a file that is longer than its index"},
        {FORMAT_FILE_BYTES_AT, UINT64_MAX, 8, "expected 18446744073709551615"},
        {FORMAT_INDEX_SUM_AT, 0, 8, "its index fails its checksum"},
        {FORMAT_CONTENT_AT, 0, 8, "its values fail their checksum"},
    };
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        format_put(copy + changes[i].at, changes[i].number, changes[i].size);
        sign_header(copy);
        assert_fails(check_bytes(copy, size), STATUS_TABLE, changes[i].words);
        free(copy);
    }
    /* A game's name that fills its field, without a zero. */
    memset(bytes + FORMAT_GAME_AT, 'x', TABLE_GAME_BYTES);
    sign_header(bytes);
    assert_fails(check_bytes(bytes, size), STATUS_TABLE, "expected a game's name");
    free(bytes);
}

/* A header that claims billions of blocks in a short file does not make us allocate for them. */
static void a_large_claim_needs_a_large_file(void **state) {
    (void)state;
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    format_put(bytes + FORMAT_COUNT_AT, 4000000000, 8);
    format_put(bytes + FORMAT_BLOCKS_AT, 1000000000, 4);
    format_put(bytes + FORMAT_FILE_BYTES_AT, 100000000000, 8);
    sign_header(bytes);
    assert_fails(check_bytes(bytes, size), STATUS_TABLE, "expected 100000000000");
    free(bytes);
}

/* Puts this frame in place of all blocks of a table of four values of three bytes. */
static Status judge_frame(const uint8_t *frame, size_t frame_size) {
    TableInfo info = describe(4, 3, 4);
    size_t size;
    write_table("frame", &info, smooth);
    uint8_t *bytes = read_bytes("frame", &size);
    uint8_t *made = malloc(format_blocks_offset(1) + frame_size + 1);
    assert_non_null(made);
    memcpy(made, bytes, format_blocks_offset(1));
    memcpy(made + format_blocks_offset(1), frame, frame_size);
    size = format_blocks_offset(1) + frame_size;
    format_put(made + FORMAT_HEADER_BYTES, frame_size, 4);
    format_put(made + FORMAT_HEADER_BYTES + 4, format_checksum(frame, frame_size), 8);
    sign(made, 1, size);
    Status status = check_bytes(made, size);
    free(bytes);
    free(made);
    return status;
}

static void false_frames_are_refused(void **state) {
    (void)state;
    uint8_t codes[12], frame[600];
    memset(codes, 7, sizeof codes);
    size_t size = ZSTD_compress(frame, sizeof frame, codes, sizeof codes, 1);
    assert_fails(judge_frame(frame, size), STATUS_TABLE, "its values fail their checksum");
    assert_fails(judge_frame(frame, size - 1), STATUS_TABLE,
                 "block 0 does not unpack to its 12 bytes");
    frame[size] = 0;
    assert_fails(judge_frame(frame, size + 1), STATUS_TABLE, "block 0 does not unpack");
    assert_fails(judge_frame(frame, 0), STATUS_TABLE, "block 0 has 0 bytes, expected 1 to 268");
    assert_fails(judge_frame(frame, 1), STATUS_TABLE, "block 0 does not unpack");
    assert_fails(judge_frame(frame, 269), STATUS_TABLE, "block 0 has 269 bytes, expected 1 to 268");
    size = ZSTD_compress(frame, sizeof frame, codes, 11, 1);
    assert_fails(judge_frame(frame, size), STATUS_TABLE, "block 0 does not unpack");
    /* Two frames, of which the second holds nothing; two which have the right size together. */
    size = ZSTD_compress(frame, sizeof frame, codes, sizeof codes, 1);
    size += ZSTD_compress(frame + size, sizeof frame - size, codes, 0, 1);
    assert_fails(judge_frame(frame, size), STATUS_TABLE, "block 0 does not unpack");
    size = ZSTD_compress(frame, sizeof frame, codes, 6, 1);
    memcpy(frame + size, frame, size);
    assert_fails(judge_frame(frame, 2 * size), STATUS_TABLE, "block 0 does not unpack");
    memset(frame, 0xFF, sizeof frame);
    assert_fails(judge_frame(frame, 100), STATUS_TABLE, "block 0 does not unpack");
}

/* A frame that goes wrong when part of it is unpacked already does not spoil what was in the
 * cache. */
static void a_frame_that_breaks_off_spoils_nothing(void **state) {
    (void)state;
    static const uint8_t half[] = {
        0x28, 0xB5, 0x2F, 0xFD, 0x20, 12,    /* twelve bytes */
        0x20, 0,    0,    9,    9,    9,  9, /* four of them, plain */
        0x15, 0,    0,    0xFF, 0xFF,        /* the rest, compressed, but nonsense */
    };
    TableInfo info = describe(8, 3, 4);
    Table *table;
    TableReader *reader;
    uint32_t code;
    size_t size;
    write_table("half", &info, smooth);
    uint8_t *bytes = read_bytes("half", &size);
    uint8_t *second = bytes + format_blocks_offset(1);
    size_t second_at = format_blocks_offset(2) + format_get(bytes + format_blocks_offset(0), 4);
    assert_true(size - second_at >= sizeof half);
    memcpy(bytes + second_at, half, sizeof half);
    size = second_at + sizeof half;
    format_put(second, sizeof half, 4);
    format_put(second + 4, format_checksum(half, sizeof half), 8);
    sign(bytes, 2, size);
    assert_ok(file_replace("half", bytes, size));
    assert_ok(table_open("half", &table));
    assert_ok(table_reader_open(table, 0, &reader)); /* room for one block */
    for (int i = 0; i < 2; i++) {
        assert_ok(table_get(reader, 3, &code));
        assert_int_equal(code, smooth(3, 0xFFFFFF));
        assert_fails(table_get(reader, 4, &code), STATUS_TABLE, "block 1 does not unpack");
    }
    table_reader_close(reader);
    table_close(table);
    free(bytes);
}

static void an_index_has_to_fit_the_file(void **state) {
    (void)state;
    size_t size;
    write_small("small");
    uint8_t *bytes = read_bytes("small", &size);
    uint8_t *first = bytes + FORMAT_HEADER_BYTES;
    format_put(first, format_get(first, 4) + 1, 4);
    sign(bytes, 3, size);
    char expected[120];
    snprintf(expected, sizeof expected, "its index ends at byte %zu, expected %zu", size + 1, size);
    assert_fails(check_bytes(bytes, size), STATUS_TABLE, expected);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(longer_files_are_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(a_damaged_block_is_not_used),
        cmocka_unit_test(a_file_cut_under_us_is_an_error),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(other_games_and_rules_are_refused),
        cmocka_unit_test(newer_versions_are_refused),
        cmocka_unit_test(senseless_headers_are_refused),
        cmocka_unit_test(a_large_claim_needs_a_large_file),
        cmocka_unit_test(false_frames_are_refused),
        cmocka_unit_test(a_frame_that_breaks_off_spoils_nothing),
        cmocka_unit_test(an_index_has_to_fit_the_file),
    };
    return cmocka_run_group_tests_name("table damage", tests, make_folder, remove_folder);
}
