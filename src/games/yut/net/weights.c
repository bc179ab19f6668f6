/* Files of weights: reading, checking and sealing them. */
#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/file.h"
#include "games/yut/net/network.h"

enum {
    CHECKED_FROM = 16,
    RULES_AT = 40,
    ERRORS_AT = 64,
    BASE_AT = 120
}; /* the checksum covers everything after itself */

static const char magic[8] = {'m', 'a', 'l', 'p', 'n', 'e', 't', '1'};

static uint64_t checksum_of(const void *bytes, size_t size) {
    return XXH3_64bits((const unsigned char *)bytes + CHECKED_FROM, size - CHECKED_FROM);
}

void network_seal(void *bytes, const Network *shape) {
    unsigned char *at = bytes;
    const LearnedRules learned = *shape->learned; /* maybe in these bytes */
    const uint32_t numbers[] = {(uint32_t)shape->kind,   (uint32_t)features_count(shape->kind),
                                (uint32_t)shape->hidden, (uint32_t)shape->second_hidden,
                                (uint32_t)shape->scores, (uint32_t)shape->narrow};
    memset(at, 0, ERRORS_AT);
    memcpy(at, magic, sizeof magic);
    memcpy(at + CHECKED_FROM, numbers, sizeof numbers);
    memcpy(at + RULES_AT, &learned, sizeof learned);
    memcpy(at + BASE_AT, &shape->base, sizeof shape->base);
    uint64_t sum = checksum_of(bytes, network_size(shape));
    memcpy(at + sizeof magic, &sum, sizeof sum);
}

static Status reject(const char *name, const char *what) {
    return status_make(STATUS_TABLE, "%s: %s", quote(name).text, what);
}

/* Whether the layers have sizes that the program can evaluate. */
static bool has_good_shape(const Network *network) {
    return network->hidden > 0 && network->hidden <= NETWORK_HIDDEN_MAX &&
           network->hidden % NETWORK_UNIT == 0 && network->narrow >= 0 &&
           network->narrow <= network->hidden && network->narrow % NETWORK_UNIT == 0 &&
           network->second_hidden > 0 && network->second_hidden <= NETWORK_SECOND_MAX &&
           network->second_hidden % 4 == 0 &&
           network->scores == (network->kind == NETWORK_DUEL ? 2 : YUT_PLAYERS_MAX);
}

/* Whether it has a first layer, or fits that of the network in the program. */
static bool has_first_layer(const Network *network) {
    const Network usual = network_usual();
    return network->base == 0 ||
           (network->base == usual.checksum && network->kind == usual.kind &&
            network->hidden == usual.hidden && network->narrow == usual.narrow);
}

/* Whether a bias is so small that no sum can overflow. */
static bool is_small(int32_t bias) {
    return bias >= -(1 << 24) && bias <= 1 << 24;
}

/* Whether no sum of the second layer can overflow. */
static bool has_small_weights(const Network *network) {
    for (int i = 0; i < network->hidden * network->second_hidden; i++)
        if (abs(network->second[i]) > NETWORK_SECOND_LIMIT)
            return false;
    for (int i = 0; i < network->hidden; i++)
        if (!is_small(network->first_bias[i]))
            return false;
    for (int i = 0; i < network->second_hidden; i++)
        if (!is_small(network->second_bias[i]))
            return false;
    return true;
}

static bool has_good_errors(const Network *network) {
    for (int i = 0; i < NETWORK_ERRORS; i++)
        if (!(network->errors[i] >= 0 && network->errors[i] <= 1))
            return false;
    return true;
}

Status network_check(const char *name, const void *bytes, size_t size, NetworkKind kind) {
    uint64_t sum;
    if (size < NETWORK_HEADER_BYTES)
        return reject(name, "too short for a file of weights");
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return reject(name, "not a file of weights");
    Network network = network_view(bytes);
    if (network.kind != kind)
        return reject(name, kind == NETWORK_DUEL ? "not weights for two players without animals"
                                                 : "not weights for more players and animals");
    if (network.inputs != features_count(kind))
        return reject(name, "weights for other inputs");
    if (!has_good_shape(&network))
        return reject(name, "weights of a network with other layers");
    if (!has_first_layer(&network))
        return reject(name, "the first layer is that of another network");
    if (size != network_size(&network))
        return reject(name, "the length does not match the layers: cut off or too long");
    memcpy(&sum, (const unsigned char *)bytes + sizeof magic, sizeof sum);
    if (sum != checksum_of(bytes, size))
        return reject(name, "damaged: the checksum does not match");
    YutRules rules;
    if (!learned_rules_unpack(network.learned, &rules))
        return reject(name, "weights for rules that do not exist");
    if (!has_small_weights(&network))
        return reject(name, "a weight is out of range");
    return has_good_errors(&network) ? status_ok()
                                     : reject(name, "an error is not a number from 0 to 1");
}

Status network_load(const char *path, NetworkKind kind, void **bytes, Network *network) {
    const size_t limit = 1 << 21;
    char *read;
    size_t size;
    Status status = file_read(path, limit, &read, &size);
    if (!status_is_ok(&status))
        return status;
    *bytes = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
    if (!*bytes) {
        free(read);
        return status_make(STATUS_FAILED, "out of memory");
    }
    memcpy(*bytes, read, size);
    free(read);
    status = network_check(path, *bytes, size, kind);
    if (status_is_ok(&status))
        *network = network_view(*bytes);
    else
        free(*bytes);
    return status;
}
