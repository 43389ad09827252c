// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes ask an op that computes with whole tensors: its loops, its place
// among others, its cost.

#ifndef KILN_DIALECT_INTERFACES
#define KILN_DIALECT_INTERFACES

include "mlir/IR/OpBase.td"

def Kiln_TensorOpInterface : OpInterface<"TensorOp"> {
  let cppNamespace = "::kiln::ir";
  let description = [{
    An op on tensors. It has loops: one for each dimension of its result, then
    one for each dimension that it combines along. At a point of them an op of a
    nest needs one element of each operand (`getAccess`).

    An op that differs from the defaults says so in its record: by a word where
    that is always so (`Kiln_TensorOp` in Base.td), by a method where it
    depends on attributes or types.
  }];
  let methods = [
    InterfaceMethod<"Where the op is computed.",
      "::kiln::ir::Placement", "getPlacement", (ins), "",
      "return ::kiln::ir::Placement::Outside;">,
    InterfaceMethod<"What becomes of a result with several users.",
      "::kiln::ir::Reuse", "getReuse", (ins), "",
      "return ::kiln::ir::Reuse::Stored;">,
    InterfaceMethod<"Whether an element can be an error of the run, or the op fail as a whole.",
      "bool", "mayFail", (ins), "", "return false;">,
    InterfaceMethod<"What a step of the loops costs.",
      "::kiln::ir::CostKind", "getCostKind", (ins), "",
      "return ::kiln::ir::CostKind::Move;">,
    InterfaceMethod<"The extents of the loops: the result's dimensions, then those that are combined.",
      "::kiln::ir::Extents", "getLoops", (ins), "",
      "return ::kiln::ir::resultExtentsOf($_op);">,
    InterfaceMethod<"Where in the operand the element lies that a point of the loops needs.",
      "::kiln::ir::Access", "getAccess", (ins "::mlir::OpOperand &":$operand), "",
      "return ::kiln::ir::sameAccess(::kiln::ir::rankOf(operand.get()));">,
    InterfaceMethod<"Whether elements depend on their index along a dimension of the result, which then has a loop of its own.",
      "bool", "usesIndexOf", (ins "int64_t":$dimension), "", "return false;">,
  ];
}

#endif // KILN_DIALECT_INTERFACES
