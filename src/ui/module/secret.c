/* secret.h in a module, where everything stays in the browser of the only person who plays: random
 * numbers from the browser, and SHA-256 for everything. */
#include "ui/web/secret.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/module/sha256.h"

enum { TOKEN_BYTES = 16 };

static_assert((int)SECRET_HASH_BYTES == (int)SHA256_BYTES, "a token's hash is its SHA-256");

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool secret_init(void) {
    return true;
}

/* Without a source of random numbers the module cannot go on. */
static void draw_bytes(void *bytes, size_t size) {
    if (getentropy(bytes, size) != 0)
        __builtin_trap();
}

/* Prints 128 bits as URL-safe base64 without padding. */
static void print_token(const unsigned char bytes[TOKEN_BYTES], char text[SECRET_TEXT_BYTES]) {
    unsigned waiting = 0;
    int bits = 0;
    char *at = text;
    for (int i = 0; i < TOKEN_BYTES; i++) {
        waiting = waiting << 8 | bytes[i];
        for (bits += 8; bits >= 6; bits -= 6)
            *at++ = letters[waiting >> (bits - 6) & 63];
    }
    *at++ = letters[waiting << (6 - bits) & 63];
    *at = '\0';
}

void secret_draw(char text[SECRET_TEXT_BYTES]) {
    unsigned char bytes[TOKEN_BYTES];
    draw_bytes(bytes, sizeof bytes);
    print_token(bytes, text);
}

void secret_derive(const char *key, const char *secret, const char *label,
                   char text[SECRET_TEXT_BYTES]) {
    char message[128];
    unsigned char hash[SHA256_BYTES];
    int length = snprintf(message, sizeof message, "%s %s %s", key, secret, label);
    sha256(message, (size_t)length, hash);
    print_token(hash, text);
}

bool secret_is_text(const char *text) {
    return strlen(text) == SECRET_TEXT_BYTES - 1 && strspn(text, letters) == SECRET_TEXT_BYTES - 1;
}

uint64_t secret_draw_seed(void) {
    uint64_t seed;
    draw_bytes(&seed, sizeof seed);
    return seed;
}

SecretHash secret_hash_token(const char *token) {
    SecretHash hash;
    sha256(token, strlen(token), hash.bytes);
    return hash;
}

bool secret_hash_matches(const SecretHash *hash, const char *token) {
    SecretHash given = secret_hash_token(token);
    return memcmp(hash->bytes, given.bytes, sizeof given.bytes) == 0;
}

void secret_hash_print(const SecretHash *hash, char text[SECRET_COMMITMENT_BYTES]) {
    for (size_t i = 0; i < SECRET_HASH_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", hash->bytes[i]);
}

void secret_commit(const char *salt, uint64_t seed, char commitment[SECRET_COMMITMENT_BYTES]) {
    char text[64];
    SecretHash hash;
    int length = snprintf(text, sizeof text, "%s:%" PRIu64, salt, seed);
    sha256(text, (size_t)length, hash.bytes);
    secret_hash_print(&hash, commitment);
}

bool secret_hash_parse(const char *text, SecretHash *hash) {
    static const char digits[] = "0123456789abcdef";
    const size_t length = SECRET_COMMITMENT_BYTES - 1;
    if (strlen(text) != length || strspn(text, digits) != length)
        return false;
    for (size_t i = 0; i < SECRET_HASH_BYTES; i++)
        hash->bytes[i] = (unsigned char)((strchr(digits, text[2 * i]) - digits) << 4 |
                                         (strchr(digits, text[2 * i + 1]) - digits));
    return true;
}
