#include "ui/web/secret.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { TOKEN_BYTES = 16, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

bool secret_init(void) {
    return sodium_init() >= 0;
}

void secret_draw(char text[SECRET_TEXT_BYTES]) {
    unsigned char bytes[TOKEN_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(text, SECRET_TEXT_BYTES, bytes, sizeof bytes, VARIANT);
}

bool secret_is_text(const char *text) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return strlen(text) == SECRET_TEXT_BYTES - 1 && strspn(text, letters) == SECRET_TEXT_BYTES - 1;
}

uint64_t secret_seed(void) {
    uint64_t seed;
    randombytes_buf(&seed, sizeof seed);
    return seed;
}

SecretPrint secret_print_of(const char *token) {
    SecretPrint print;
    crypto_generichash(print.bytes, sizeof print.bytes, (const unsigned char *)token, strlen(token),
                       NULL, 0);
    return print;
}

bool secret_matches(const SecretPrint *print, const char *token) {
    SecretPrint given = secret_print_of(token);
    return sodium_memcmp(print->bytes, given.bytes, sizeof given.bytes) == 0;
}

void secret_commit(const char *salt, uint64_t seed, char commitment[SECRET_COMMITMENT_BYTES]) {
    char text[64];
    unsigned char hash[crypto_hash_sha256_BYTES];
    int length = snprintf(text, sizeof text, "%s:%" PRIu64, salt, seed);
    crypto_hash_sha256(hash, (const unsigned char *)text, (unsigned long long)length);
    sodium_bin2hex(commitment, SECRET_COMMITMENT_BYTES, hash, sizeof hash);
}

void secret_print_text(const SecretPrint *print, char text[SECRET_COMMITMENT_BYTES]) {
    sodium_bin2hex(text, SECRET_COMMITMENT_BYTES, print->bytes, sizeof print->bytes);
}

bool secret_print_parse(const char *text, SecretPrint *print) {
    size_t length;
    return sodium_hex2bin(print->bytes, sizeof print->bytes, text, strlen(text), NULL, &length,
                          NULL) == 0 &&
           length == sizeof print->bytes;
}
