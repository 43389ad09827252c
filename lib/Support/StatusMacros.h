// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Early returns for functions that pass a Status on.
#ifndef KILN_LIB_SUPPORT_STATUSMACROS_H
#define KILN_LIB_SUPPORT_STATUSMACROS_H

#include "kiln/Status.h"

#define KILN_STATUS_CONCAT_INNER(a, b) a##b
#define KILN_STATUS_CONCAT(a, b) KILN_STATUS_CONCAT_INNER(a, b)

/// Returns from the function when `expr`, a Status, is an error.
#define KILN_RETURN_IF_ERROR(expr)                                             \
  do {                                                                         \
    if (::kiln::Status kilnStatus = (expr); !kilnStatus.ok())                  \
      return kilnStatus;                                                       \
  } while (false)

/// Evaluates `expr`, a StatusOr, and returns its error or assigns its value to
/// `lhs`, which may declare a variable.
#define KILN_ASSIGN_OR_RETURN(lhs, ...)                                        \
  KILN_ASSIGN_OR_RETURN_INNER(KILN_STATUS_CONCAT(kilnStatusOr, __LINE__), lhs, \
                              (__VA_ARGS__))
#define KILN_ASSIGN_OR_RETURN_INNER(temporary, lhs, expr)                      \
  auto temporary = expr;                                                       \
  if (!temporary.ok())                                                         \
    return std::move(temporary).status();                                      \
  lhs = *std::move(temporary)

#endif // KILN_LIB_SUPPORT_STATUSMACROS_H
