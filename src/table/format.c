#include "table/format.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

enum { MEANING_BYTES = FORMAT_GAME_AT - FORMAT_MEANING_AT };

static_assert(FORMAT_GAME_AT + TABLE_GAME_BYTES == FORMAT_RULES_AT,
              "the name of the game ends where the rules begin");
static_assert(FORMAT_RULES_AT + TABLE_RULES_BYTES == FORMAT_HEADER_BYTES,
              "the rules end with the header");

static const uint8_t magic[FORMAT_MAGIC_BYTES] = {0x89, 'm', 'a', 'l', 'p', 'a', 'n', '\n'};

static const char *const meanings[TABLE_MEANING_COUNT] = {
    [TABLE_CODE] = "code",
    [TABLE_CHANCE] = "chance",
};

void format_put(uint8_t *bytes, uint64_t number, int size) {
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

uint64_t format_get(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

uint64_t format_checksum(const void *bytes, size_t size) {
    return XXH3_64bits(bytes, size);
}

/* --- sizes --- */

uint32_t format_block_count(const TableInfo *info) {
    return (uint32_t)(info->count / info->block_values + (info->count % info->block_values != 0));
}

size_t format_block_length(const TableInfo *info, uint32_t block) {
    uint64_t left = info->count - (uint64_t)block * info->block_values;
    return left < info->block_values ? (size_t)left : info->block_values;
}

uint64_t format_blocks_offset(uint32_t blocks) {
    return FORMAT_HEADER_BYTES + (uint64_t)blocks * FORMAT_ENTRY_BYTES;
}

size_t format_packed_max(size_t unpacked_bytes) {
    return unpacked_bytes + unpacked_bytes / 256 + 256;
}

/* --- texts --- */

/* Whether a field holds a terminated, printable text. */
static bool is_text(const char *field, size_t size) {
    size_t length = strnlen(field, size);
    for (size_t i = 0; i < length; i++)
        if (field[i] < ' ' || field[i] > '~')
            return false;
    return length < size;
}

static void put_text(uint8_t *field, size_t size, const char *text) {
    strncpy((char *)field, text, size); /* pads with zeros */
}

/* Whether the text in a field is followed by zeros only. */
static bool ends_in_zeros(const uint8_t *field, size_t size) {
    size_t i = strnlen((const char *)field, size);
    while (i < size && field[i] == 0)
        i++;
    return i == size;
}

/* Returns TABLE_MEANING_COUNT if the field holds no known meaning. */
static TableMeaning find_meaning(const uint8_t *field) {
    TableMeaning meaning = 0;
    for (; meaning < TABLE_MEANING_COUNT; meaning++) {
        uint8_t expected[MEANING_BYTES];
        put_text(expected, sizeof expected, meanings[meaning]);
        if (memcmp(field, expected, sizeof expected) == 0)
            break;
    }
    return meaning;
}

/* --- the header --- */

const char *format_find_fault(const TableInfo *info) {
    if (info->value_bytes < 1 || info->value_bytes > TABLE_VALUE_BYTES_MAX)
        return "expected 1 to 4 bytes a value";
    if (info->block_values < 1 || info->block_values > TABLE_BLOCK_VALUES_MAX)
        return "expected 1 to 1048576 values a block";
    if (info->count / info->block_values >= UINT32_MAX)
        return "expected fewer than 2^32 blocks";
    if (info->meaning != TABLE_CODE && info->meaning != TABLE_CHANCE)
        return "expected the meaning code or chance";
    if (!(info->error >= 0) || !isfinite(info->error))
        return "expected an error bound of 0 or more";
    if (info->game[0] == '\0' || !is_text(info->game, sizeof info->game))
        return "expected a game's name of 1 to 47 printable characters";
    if (!is_text(info->rules, sizeof info->rules))
        return "expected rules of at most 383 printable characters";
    return NULL;
}

void format_write_header(const FormatHeader *head, uint8_t bytes[FORMAT_HEADER_BYTES]) {
    const TableInfo *info = &head->info;
    uint64_t error_bits;
    memcpy(&error_bits, &info->error, sizeof error_bits);
    memcpy(bytes, magic, sizeof magic);
    format_put(bytes + FORMAT_VERSION_AT, FORMAT_VERSION, 4);
    format_put(bytes + FORMAT_VALUE_BYTES_AT, (uint64_t)info->value_bytes, 4);
    format_put(bytes + FORMAT_BLOCK_VALUES_AT, info->block_values, 4);
    format_put(bytes + FORMAT_BLOCKS_AT, head->blocks, 4);
    format_put(bytes + FORMAT_COUNT_AT, info->count, 8);
    format_put(bytes + FORMAT_ERROR_AT, error_bits, 8);
    format_put(bytes + FORMAT_CONTENT_AT, info->content, 8);
    format_put(bytes + FORMAT_INDEX_SUM_AT, head->index_sum, 8);
    format_put(bytes + FORMAT_FILE_BYTES_AT, head->file_bytes, 8);
    put_text(bytes + FORMAT_MEANING_AT, MEANING_BYTES, meanings[info->meaning]);
    put_text(bytes + FORMAT_GAME_AT, TABLE_GAME_BYTES, info->game);
    put_text(bytes + FORMAT_RULES_AT, TABLE_RULES_BYTES, info->rules);
    uint64_t sum =
        format_checksum(bytes + FORMAT_SUMMED_AT, FORMAT_HEADER_BYTES - FORMAT_SUMMED_AT);
    format_put(bytes + FORMAT_SUM_AT, sum, 8);
}

/* Decodes the fields without checking them. Numbers that do not fit become invalid ones. */
static void read_fields(const uint8_t *bytes, FormatHeader *head) {
    TableInfo *info = &head->info;
    uint64_t value_bytes = format_get(bytes + FORMAT_VALUE_BYTES_AT, 4);
    uint64_t error_bits = format_get(bytes + FORMAT_ERROR_AT, 8);
    info->value_bytes = value_bytes <= TABLE_VALUE_BYTES_MAX ? (int)value_bytes : 0;
    info->block_values = (uint32_t)format_get(bytes + FORMAT_BLOCK_VALUES_AT, 4);
    info->count = format_get(bytes + FORMAT_COUNT_AT, 8);
    memcpy(&info->error, &error_bits, sizeof info->error);
    info->content = format_get(bytes + FORMAT_CONTENT_AT, 8);
    info->meaning = find_meaning(bytes + FORMAT_MEANING_AT);
    memcpy(info->game, bytes + FORMAT_GAME_AT, TABLE_GAME_BYTES);
    memcpy(info->rules, bytes + FORMAT_RULES_AT, TABLE_RULES_BYTES);
    head->blocks = (uint32_t)format_get(bytes + FORMAT_BLOCKS_AT, 4);
    head->index_sum = format_get(bytes + FORMAT_INDEX_SUM_AT, 8);
    head->file_bytes = format_get(bytes + FORMAT_FILE_BYTES_AT, 8);
}

/* Checks a header whose checksum is right. Returns NULL, or what is wrong with it. */
static const char *find_fault(const uint8_t *bytes, FormatHeader *head) {
    read_fields(bytes, head);
    const char *fault = format_find_fault(&head->info);
    if (fault)
        return fault;
    if (!ends_in_zeros(bytes + FORMAT_GAME_AT, TABLE_GAME_BYTES) ||
        !ends_in_zeros(bytes + FORMAT_RULES_AT, TABLE_RULES_BYTES))
        return "expected zeros after a text";
    if (head->blocks != format_block_count(&head->info))
        return "expected as many blocks as the values fill";
    if (head->file_bytes < format_blocks_offset(head->blocks))
        return "expected a file that is longer than its index";
    return NULL;
}

Status format_read_header(const char *name, const uint8_t *bytes, size_t size, FormatHeader *head) {
    if (memcmp(bytes, magic, size < sizeof magic ? size : sizeof magic) != 0)
        return status_make(STATUS_TABLE, "%s is not a malpan table", name);
    if (size < FORMAT_HEADER_BYTES)
        return status_make(STATUS_TABLE,
                           "the table %s is truncated: %zu bytes, expected %d or more", name, size,
                           FORMAT_HEADER_BYTES);
    if (format_get(bytes + FORMAT_SUM_AT, 8) !=
        format_checksum(bytes + FORMAT_SUMMED_AT, FORMAT_HEADER_BYTES - FORMAT_SUMMED_AT))
        return status_make(STATUS_TABLE, "the table %s is damaged: its header fails its checksum",
                           name);
    uint64_t version = format_get(bytes + FORMAT_VERSION_AT, 4);
    if (version != FORMAT_VERSION)
        return status_make(STATUS_TABLE,
                           "the table %s has version %" PRIu64 "; this program reads version %d%s",
                           name, version, FORMAT_VERSION,
                           version > FORMAT_VERSION ? ", a newer one is needed" : "");
    const char *fault = find_fault(bytes, head);
    if (fault)
        return status_make(STATUS_TABLE, "the table %s is damaged: its header: %s", name, fault);
    return status_ok();
}
