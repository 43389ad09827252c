// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends an example with the message of what went wrong.
#ifndef KILN_EXAMPLES_COMMON_CHECK_H
#define KILN_EXAMPLES_COMMON_CHECK_H

#include "kiln/Status.h"

#include <cstdlib>
#include <iostream>
#include <utility>

namespace kiln::examples {

/// Ends the program, with exit code 1, unless all is well.
inline void check(const Status &status) {
  if (status.ok())
    return;
  std::cerr << status.toString() << "\n";
  std::exit(1);
}

/// The value, where there is one.
template <class T> T check(StatusOr<T> result) {
  check(result.status());
  return *std::move(result);
}

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_CHECK_H
