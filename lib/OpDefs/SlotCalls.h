// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ops on TensorArrays, stacks and lists call their kernels.
#ifndef KILN_LIB_OPDEFS_SLOTCALLS_H
#define KILN_LIB_OPDEFS_SLOTCALLS_H

#include "lib/OpDefs/OpDef.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A number of a call: a constant, or the slot that an input or an output of
/// the node is.
struct SlotNumber {
  enum class Kind : uint8_t { Constant, Input, Output };
  Kind kind;
  int64_t value;

  static SlotNumber constant(int64_t value) { return {Kind::Constant, value}; }
  static SlotNumber input(int i) { return {Kind::Input, i}; }
  static SlotNumber output(int i) { return {Kind::Output, i}; }
};

/// A tensor that a call takes: an input of the node, an int32 scalar, or what
/// the slot is called.
struct SlotInput {
  enum class Kind : uint8_t { Input, Integer, Name };
  Kind kind;
  int value = 0;

  static SlotInput input(int i) { return {Kind::Input, i}; }
  static SlotInput integer(int value) { return {Kind::Integer, value}; }
  static SlotInput name() { return {Kind::Name}; }
};

/// One call of a kernel of runtime/slots.
struct SlotKernelCall {
  std::string_view kernel;
  std::vector<SlotNumber> numbers = {};
  std::vector<SlotInput> inputs = {};
  /// The first of the node's outputs that it gives, with all behind it; -1 for
  /// none.
  int firstOutput = -1;
};

/// What a node does, in this order.
struct SlotCalls {
  std::vector<SlotKernelCall> calls;
  /// Whether output 0 is the list that is input 0, changed. Where something
  /// still needs that, it is copied before.
  bool changesList = false;
  std::string name = {}; ///< what errors call the slot
  /// The input that the last output is: a flow, or what a stack is given; -1
  /// for none.
  int passed = -1;
  /// Whether the last output is a flow that begins here.
  bool beginsFlow = false;
};

/// Nothing for a node that is no op on slots. Takes attributes that are missing
/// for their defaults.
std::optional<SlotCalls> slotCallsOf(const Node &node);
SlotCalls arrayCallsOf(const Node &node);
std::optional<SlotCalls> listCallsOf(const Node &node);

/// Whether the node makes a TensorArray or a stack; a gradient is made of one.
bool makesSlot(const Node &node);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_SLOTCALLS_H
