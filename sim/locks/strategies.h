// The built-in strategies; each is a readable file of its own.
#pragma once

#include "sim/locks/lock.h"

namespace locklapse {

const Lock& setnx_expire();
const Lock& set_del();
const Lock& set_get_del();
const Lock& set_lua();
const Lock& watchdog();
const Lock& watchdog_unowned();
const Lock& reentrant();
const Lock& fenced();
const Lock& set_own();
const Lock& set_xx();
const Lock& list_token();

// The way most protocols read the answer to SET NX: OK took it, nil did not, silence says nothing.
inline Grant grant_of(const Answer& answer) {
  if (!answer.replied()) return Grant::kUnknown;
  return answer.is_ok() || answer.is_integer(1) ? Grant::kGranted : Grant::kRefused;
}

}  // namespace locklapse
