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

void secret_derive(const char *key, const char *secret, const char *label,
                   char text[SECRET_TEXT_BYTES]) {
    char message[128];
    unsigned char bytes[TOKEN_BYTES];
    int length = snprintf(message, sizeof message, "%s %s", secret, label);
    crypto_generichash(bytes, sizeof bytes, (const unsigned char *)message,
                       (unsigned long long)length, (const unsigned char *)key, strlen(key));
    sodium_bin2base64(text, SECRET_TEXT_BYTES, bytes, sizeof bytes, VARIANT);
}

bool secret_is_text(const char *text) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return strlen(text) == SECRET_TEXT_BYTES - 1 && strspn(text, letters) == SECRET_TEXT_BYTES - 1;
}

uint64_t secret_draw_seed(void) {
    uint64_t seed;
    randombytes_buf(&seed, sizeof seed);
    return seed;
}

SecretHash secret_hash_token(const char *token) {
    SecretHash hash;
    crypto_generichash(hash.bytes, sizeof hash.bytes, (const unsigned char *)token, strlen(token),
                       NULL, 0);
    return hash;
}

bool secret_hash_matches(const SecretHash *hash, const char *token) {
    SecretHash given = secret_hash_token(token);
    return sodium_memcmp(hash->bytes, given.bytes, sizeof given.bytes) == 0;
}

void secret_commit(const char *salt, uint64_t seed, char commitment[SECRET_COMMITMENT_BYTES]) {
    char text[64];
    unsigned char digest[crypto_hash_sha256_BYTES];
    int length = snprintf(text, sizeof text, "%s:%" PRIu64, salt, seed);
    crypto_hash_sha256(digest, (const unsigned char *)text, (unsigned long long)length);
    sodium_bin2hex(commitment, SECRET_COMMITMENT_BYTES, digest, sizeof digest);
}

void secret_hash_print(const SecretHash *hash, char text[SECRET_COMMITMENT_BYTES]) {
    sodium_bin2hex(text, SECRET_COMMITMENT_BYTES, hash->bytes, sizeof hash->bytes);
}

bool secret_hash_parse(const char *text, SecretHash *hash) {
    size_t length;
    return sodium_hex2bin(hash->bytes, sizeof hash->bytes, text, strlen(text), NULL, &length,
                          NULL) == 0 &&
           length == sizeof hash->bytes;
}
