// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds one element at a time.
#include "passes/simplify/Integers.h"

#include "dialect/IntegerOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

namespace {

bool holds(Predicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case Predicate::eq:
    return a == b;
  case Predicate::ne:
    return a != b;
  case Predicate::lt:
    return a < b;
  case Predicate::le:
    return a <= b;
  case Predicate::gt:
    return a > b;
  case Predicate::ge:
    return a >= b;
  }
  return false;
}

/// The dtype of an element type that is folded here.
DType dtypeOf(Type element) {
  return element.isInteger(1)    ? DType::Bool
         : element.isInteger(32) ? DType::Int32
                                 : DType::Int64;
}

/// bool is 0 or 1, i32 is sign-extended.
int64_t wrapTo(Type element, int64_t value) {
  if (element.isInteger(1))
    return value != 0;
  return element.isInteger(32) ? static_cast<int32_t>(value) : value;
}

/// The function that combines two elements; bools are 0 and 1.
IntegerFunction combinationOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::sum:
    return IntegerFunction::Add;
  case ReduceKind::prod:
    return IntegerFunction::Mul;
  case ReduceKind::max:
    return IntegerFunction::Max;
  case ReduceKind::min:
    return IntegerFunction::Min;
  case ReduceKind::all:
    return IntegerFunction::And;
  case ReduceKind::any:
    return IntegerFunction::Or;
  }
  return IntegerFunction::Add;
}

} // namespace

std::optional<int64_t> evaluate(Operation *op, ArrayRef<int64_t> operands,
                                Type result) {
  if (auto function = integerFunctionOf(op))
    return evaluateInteger(*function, dtypeOf(result), operands[0],
                           operands.size() > 1 ? operands[1] : 0);
  using Maybe = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Maybe>(op)
      .Case<CastOp>([&](auto) { return wrapTo(result, operands[0]); })
      .Case<CompareOp>([&](CompareOp compare) {
        return holds(compare.getPredicate(), operands[0], operands[1]);
      })
      .Case<SelectOp>(
          [&](auto) { return operands[0] ? operands[1] : operands[2]; })
      .Default([](auto) { return Maybe(); });
}

int64_t combine(ReduceKind kind, Type element, int64_t a, int64_t b) {
  return *evaluateInteger(combinationOf(kind), dtypeOf(element), a, b);
}

int64_t neutralOf(ReduceKind kind, Type element) {
  bool wide = element.isInteger(64);
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::any:
    return 0;
  case ReduceKind::prod:
  case ReduceKind::all:
    return 1;
  case ReduceKind::max:
    return wide ? INT64_MIN : INT32_MIN;
  case ReduceKind::min:
    return wide ? INT64_MAX : INT32_MAX;
  }
  return 0;
}

} // namespace kiln::passes
