// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the IR itself may hold.
#ifndef KILN_DIALECT_LIMITS_H
#define KILN_DIALECT_LIMITS_H

#include <cstdint>

namespace kiln::ir {

/// The most elements of a kiln.constant, splats apart: an attribute is compared
/// and printed as a whole. Larger ones are kiln.constant_ref.
inline constexpr int64_t maxConstantElements = 64;

} // namespace kiln::ir

#endif // KILN_DIALECT_LIMITS_H
