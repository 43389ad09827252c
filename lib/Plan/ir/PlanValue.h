// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plan says of one tensor: which one it is, or that there is none.
#ifndef KILN_LIB_PLAN_IR_PLANVALUE_H
#define KILN_LIB_PLAN_IR_PLANVALUE_H

#include "lib/Graph/OutputKey.h"

#include <cassert>

namespace kiln {

/// A value that an item or a block uses: an operand, a condition, a result.
///
/// What defines a tensor (an item's node, an argument, an item's result) has an
/// Output as its name, because the inputs of nodes are Outputs: a use means the
/// innermost definition of that name before it.
class PlanValue {
public:
  enum class Kind : uint8_t {
    None,          ///< no tensor: no op uses it
    Constant,      ///< an int32 that is known
    NodeOutput,    ///< a tensor that nodes of the graph or of a function name
    BlockArgument, ///< an argument that no such node names
    ItemResult,    ///< a result of an item that no such node names
  };

  PlanValue() = default;
  /// A tensor that inputs of nodes name.
  PlanValue(const Output &output) : which(Kind::NodeOutput), name(output) {
    assert(output.node);
  }
  static PlanValue constant(int32_t number) {
    return {Kind::Constant, {nullptr, number}};
  }
  /// An argument, or a result, whose name a transformation made
  /// (SynthesizedNodes::name()).
  static PlanValue argument(const Output &name) {
    return {Kind::BlockArgument, name};
  }
  static PlanValue result(const Output &name) {
    return {Kind::ItemResult, name};
  }

  Kind kind() const { return which; }
  bool isNone() const { return which == Kind::None; }
  bool isConstant() const { return which == Kind::Constant; }
  bool isTensor() const { return which >= Kind::NodeOutput; }
  /// The number that a constant is.
  int32_t number() const {
    assert(isConstant());
    return name.index;
  }
  /// The name of a tensor.
  const Output &output() const {
    assert(isTensor());
    return name;
  }

  friend bool operator==(const PlanValue &, const PlanValue &) = default;

private:
  PlanValue(Kind kind, const Output &name) : which(kind), name(name) {}

  Kind which = Kind::None;
  Output name;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_IR_PLANVALUE_H
