// What goes wrong with a real server is told by exceptions.
#pragma once

#include <stdexcept>

namespace locklapse::live {

// The server does not do what it must: it did not start, it died, it does not answer.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What is asked for cannot be done with a real server here: none is installed, or it is something that only
// the model can do. The text says why.
struct NotRunnable : Error {
  using Error::Error;
};

}  // namespace locklapse::live
