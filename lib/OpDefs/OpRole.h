// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops are to those who follow the structure of a graph.
#ifndef KILN_LIB_OPDEFS_OPROLE_H
#define KILN_LIB_OPDEFS_OPROLE_H

#include <cstdint>

namespace kiln {

/// What an op means to planning and import, which look at no names;
/// a legacy name has the role of what it stands for.
enum class OpRole : uint8_t {
  None,
  // Control flow of version 1.
  Switch,
  Merge,
  Enter,
  Exit,
  NextIteration,
  LoopCond,
  Trigger, ///< runs though its inputs are dead
  // Control flow by functions.
  If,
  Case,
  While,
  For,
  Argument, ///< of the body of a function that is written here
  // Output i is input i.
  Identity, ///< of one input
  IdentityN,
  // Comparisons, whose results may be known before the run.
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  // What makes, takes apart and computes with optionals.
  OptionalOfValues,
  OptionalNone,
  OptionalGet,
  ListEmpty,
  ListPush,
  ListPop,
  Zeros, ///< as the input
  Sum,
  Assign, ///< gives a variable a value and, with validate_shape=False, a shape
  // One of several handles.
  Pack,
  Gather,
};

/// Whether the op makes a graph one with frames or dead tensors.
constexpr bool isFlow(OpRole role) {
  return role >= OpRole::Switch && role <= OpRole::LoopCond;
}

} // namespace kiln

#endif // KILN_LIB_OPDEFS_OPROLE_H
