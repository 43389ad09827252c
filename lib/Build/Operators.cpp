// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators on tensors of a graph, and slices.
#include "kiln/Operators.h"

#include "kiln/GraphScopes.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/DTypeDispatch.h"

namespace kiln {
namespace {

/// A variable's value is taken before the operator's scope begins.
Input asTensor(const Input &operand) {
  if (std::holds_alternative<std::shared_ptr<const VariableData>>(
          operand.value()))
    return ops::valueOf(operand);
  return operand;
}

Output added(std::string_view op, const Input &x, const Input &y,
             const std::string &name) {
  return {GraphBuilder::current().addOp(
              {.op = std::string(op), .name = name, .inputs = {x, y}}),
          0};
}

bool isString(const Input &input) {
  const Output *output = input.output();
  return output && output->node && output->dtype() == DType::String;
}

/// What stands for a bound that is left out: a Const where another bound of the
/// slice is a tensor.
Input missingBound(const SliceIndex &index, int64_t number) {
  DType dtype = DType::Invalid;
  if (index.kind == SliceIndex::Kind::Slice)
    for (const auto *bound : {&index.begin, &index.end, &index.step})
      if (const Output *tensor = *bound ? (*bound)->output() : nullptr;
          tensor && tensor->node && dtype != DType::Int64)
        dtype = tensor->dtype();
  return dtype == DType::Invalid ? Input(number)
                                 : ops::constant(number, {.dtype = dtype});
}

} // namespace

namespace {

bool hasIntegers(const Input &operand) {
  const Output *tensor = operand.output();
  return tensor && tensor->node && isInteger(tensor->dtype());
}

/// &, | and ^: of bools, or of the bits of integers.
Output logical(std::string_view name, const Input &x, const Input &y,
               const std::string &scope) {
  if (hasIntegers(x) || hasIntegers(y))
    return added(name == "and"  ? "BitwiseAnd"
                 : name == "or" ? "BitwiseOr"
                                : "BitwiseXor",
                 x, y, "");
  if (name == "xor")
    return ops::logicalXor(x, y, {.name = scope});
  return added(name == "and" ? "LogicalAnd" : "LogicalOr", x, y, scope);
}

} // namespace

Output detail::binaryOperator(std::string_view name, const Input &x,
                              const Input &y, bool isReflected) {
  const Input &self = isReflected ? y : x;
  GraphScope graph(ops::builderOf(self));
  Input tensor = asTensor(self);
  if (!tensor.output() || !tensor.output()->node) {
    GraphBuilder::current().convert(tensor); // says what is wrong
    return {};
  }
  FunctionScope scope("", name, {&tensor});
  Input left = tensor, right = y;
  if (isReflected) {
    left = ops::convert(x, "x", tensor.output()->dtype());
    right = tensor;
  }
  if (name == "add")
    return isString(left) ? added("Add", left, right, scope)
                          : ops::add(left, right, {.name = scope});
  if (name == "truediv")
    return ops::trueDiv(left, right, {.name = scope});
  if (name == "floordiv")
    return ops::floorDiv(left, right, {.name = scope});
  if (name == "div")
    return ops::div(left, right, {.name = scope});
  if (name == "pow")
    return ops::pow(left, right, {.name = scope});
  if (name == "matmul")
    return ops::matMul(left, right, {.name = scope});
  if (name == "and" || name == "or" || name == "xor")
    return logical(name, left, right, scope);
  std::string_view op = name == "sub"   ? "Sub"
                        : name == "mul" ? "Mul"
                                        : "FloorMod";
  return added(op, left, right, scope);
}

Output detail::comparison(std::string_view op, const Input &x, const Input &y) {
  GraphScope graph(ops::builderOf(x));
  return added(op, asTensor(x), y, "");
}

Output detail::unaryOperator(std::string_view op, const Input &x) {
  GraphScope graph(ops::builderOf(x));
  Input operand = asTensor(x);
  if (op == "LogicalNot" && hasIntegers(operand))
    op = "Invert";
  return {GraphBuilder::current().addOp(
              {.op = std::string(op), .inputs = {operand}}),
          0};
}

Output Output::operator[](const SliceIndex &index) const {
  return (*this)[{index}];
}

Output Output::operator[](std::initializer_list<SliceIndex> indices) const {
  return sliced(*this, {indices.begin(), indices.size()});
}

/// The number behind one of NumPy's, of the same dtype.
static Input nextOf(const Tensor &number) {
  if (number.rank() > 0 || !isInteger(number.dtype()))
    return number;
  auto next = number.clone();
  if (!next.ok())
    return number;
  dispatchElement(number.dtype(), [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      ++next->template mutableData<T>()[0];
    return true;
  });
  return *std::move(next);
}

Output sliced(const Output &tensor, std::span<const SliceIndex> indices) {
  Input self(tensor);
  GraphScope graph(ops::builderOf(self));
  std::vector<Input> begin, end, step;
  ops::StridedSliceOptions options;
  int64_t bit = 1;
  for (const SliceIndex &index : indices) {
    using Kind = SliceIndex::Kind;
    auto bound = [&](const std::optional<Input> &given, int64_t otherwise) {
      return given ? *given : missingBound(index, otherwise);
    };
    begin.push_back(bound(index.begin, 0));
    if (index.kind == Kind::Slice) {
      end.push_back(bound(index.end, 0));
      options.beginMask |= index.begin ? 0 : bit;
      options.endMask |= index.end ? 0 : bit;
    } else if (index.kind == Kind::Element) {
      options.shrinkAxisMask |= bit;
      if (const int64_t *number = std::get_if<int64_t>(&index.begin->value()))
        end.push_back(*number + 1);
      else if (const auto *array = std::get_if<Tensor>(&index.begin->value()))
        end.push_back(nextOf(*array));
      else
        end.push_back(detail::binaryOperator("add", *index.begin, 1, false));
    } else {
      end.push_back(0);
      (index.kind == Kind::Ellipsis ? options.ellipsisMask
                                    : options.newAxisMask) |= bit;
    }
    step.push_back(bound(index.step, 1));
    bit <<= 1;
  }
  NameScope scope("strided_slice");
  options.name = scope.name();
  if (begin.empty()) {
    Output none = ops::constant(std::vector<int32_t>());
    return ops::stridedSlice(tensor, none, none, none, options);
  }
  Output begins = ops::stack(begin), ends = ops::stack(end),
         steps = ops::stack(step);
  for (Output *part : {&begins, &ends, &steps})
    if (part->node && begins.node && ends.node && steps.node &&
        (begins.dtype() == DType::Int64 || ends.dtype() == DType::Int64 ||
         steps.dtype() == DType::Int64))
      *part = ops::cast(*part, DType::Int64);
  return ops::stridedSlice(tensor, begins, ends, steps, options);
}

} // namespace kiln
