// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op on a TensorArray or a stack calls its kernel.
#ifndef KILN_LIB_OPS_TENSORARRAY_SLOTKERNEL_H
#define KILN_LIB_OPS_TENSORARRAY_SLOTKERNEL_H

#include "lib/Ops/OpDef.h"

namespace kiln {

/// One call of a kernel of runtime/kernels/SlotArrays.cpp.
struct SlotKernel {
  std::string_view name;
  /// Of the node, in the kernel's order.
  std::vector<int> inputs = {};
  /// Behind the first slot.
  std::vector<int64_t> numbers = {};
  /// A string that is an input, too, at the place `textAt`: what the slot is
  /// called.
  std::string text = {};
  int textAt = -1;
  /// Whether the first input is a number below 0, which no input gives.
  bool lacksLimit = false;
  /// Whether the kernel gives the outputs.
  bool gives = false;
  /// The input that the last output is; -1 for none.
  int passes = -1;
  /// Whether the second number is the slot of input 1 or output 0, which is the
  /// element of a stack.
  bool takesHandle = false;
  bool givesHandle = false;
  /// Whether the second number is the slot of the array that input 0 names, not
  /// the first: the node makes the slot of its gradient.
  bool makesGradient = false;
};

/// Of an op whose schema has usesSlot. Takes attributes that are missing for
/// their defaults.
SlotKernel slotKernelOf(const Node &node);

/// Whether the node makes a TensorArray or a stack; a gradient is made of one.
bool makesSlot(const Node &node);

} // namespace kiln

#endif // KILN_LIB_OPS_TENSORARRAY_SLOTKERNEL_H
