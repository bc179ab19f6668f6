/* The services that games' own commands and benchmarks are called with (game/services.h). */
#ifndef MALPAN_VALUES_SERVICES_H
#define MALPAN_VALUES_SERVICES_H

#include "game/services.h"

extern const GameServices values_services;

#endif
