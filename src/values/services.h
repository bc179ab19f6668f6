/* The GameServices (game/services.h) that a game's own commands and benchmarks are called with. */
#ifndef MALPAN_VALUES_SERVICES_H
#define MALPAN_VALUES_SERVICES_H

#include "game/services.h"

extern const GameServices values_services;

#endif
