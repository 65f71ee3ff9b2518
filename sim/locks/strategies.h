// The built-in strategies; each is a readable file of its own.
#pragma once

#include "sim/locks/strategy.h"

namespace locklapse {

const Strategy& setnx_expire();
const Strategy& set_del();
const Strategy& set_get_del();
const Strategy& set_lua();
const Strategy& watchdog();
const Strategy& watchdog_unowned();
const Strategy& reentrant();
const Strategy& fenced();
const Strategy& set_own();
const Strategy& set_xx();
const Strategy& list_token();

// The way most protocols read the answer to SET NX: OK took it, nil did not, silence says nothing.
inline Grant grant_of(const Answer& answer) {
  if (!answer.replied()) return Grant::kUnknown;
  return answer.is_ok() || answer.is_integer(1) ? Grant::kGranted : Grant::kRefused;
}

}  // namespace locklapse
