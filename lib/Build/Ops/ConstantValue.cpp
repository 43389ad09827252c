// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph under construction says of the values of its tensors.
#include "kiln/ConstantValue.h"
#include "kiln/ops/ArrayOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Elements.h"

#include <algorithm>

namespace kiln::ops {
namespace {

using Value = std::optional<Tensor>;

/// How deep the tensors that a value comes from may lie.
constexpr int maxDepth = 200;

Value valueOfOutput(const Output &output, int depth);

Value input(const Node &node, int i, int depth) {
  return valueOfOutput(node.input(i), depth + 1);
}

Value integers(DType dtype, const Shape &shape,
               const std::vector<int64_t> &numbers) {
  auto made = Tensor::create(dtype, shape);
  if (!made.ok() || !isInteger(dtype))
    return std::nullopt;
  dispatchInteger(dtype, [&](auto sample) {
    using T = decltype(sample);
    std::ranges::transform(numbers, made->mutableData<T>().begin(),
                           [](int64_t n) { return static_cast<T>(n); });
    return true;
  });
  return *std::move(made);
}

std::optional<std::vector<int64_t>> elementsOf(const Value &value) {
  if (!value || !isInteger(value->dtype()))
    return std::nullopt;
  std::vector<int64_t> numbers;
  dispatchInteger(value->dtype(), [&](auto sample) {
    for (auto number : value->data<decltype(sample)>())
      numbers.push_back(static_cast<int64_t>(number));
    return true;
  });
  return numbers;
}

std::optional<int64_t> scalarOf(const Value &value) {
  auto numbers = elementsOf(value);
  return numbers && numbers->size() == 1 ? std::optional((*numbers)[0])
                                         : std::nullopt;
}

Value countOf(const Node &node, DType dtype) {
  const Shape &shape = node.input(0).shape();
  if (node.op() == "Rank")
    return shape.hasRank() ? integers(dtype, {}, {shape.rank()}) : std::nullopt;
  if (!shape.isFullyDefined())
    return std::nullopt;
  if (node.op() == "Shape")
    return integers(dtype, {shape.rank()},
                    {shape.dims().begin(), shape.dims().end()});
  auto count = shape.numElements();
  return count.ok() ? integers(dtype, {}, {*count}) : std::nullopt;
}

Value rangeOf(const Node &node, int depth) {
  auto start = scalarOf(input(node, 0, depth)),
       limit = scalarOf(input(node, 1, depth)),
       delta = scalarOf(input(node, 2, depth));
  if (!start || !limit || !delta || *delta == 0)
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (int64_t n = *start; *delta > 0 ? n < *limit : n > *limit; n += *delta) {
    if (numbers.size() == 10000)
      return std::nullopt;
    numbers.push_back(n);
  }
  return integers(node.outputDType(0), {static_cast<int64_t>(numbers.size())},
                  numbers);
}

Value castOf(const Node &node, int depth) {
  Value before = input(node, 0, depth);
  if (before && before->dtype() == node.outputDType(0))
    return before;
  auto numbers = elementsOf(before);
  return numbers ? integers(node.outputDType(0), before->shape(), *numbers)
                 : std::nullopt;
}

/// Vectors behind one another, or scalars as one vector.
Value joined(const Node &node, int first, int count, int depth) {
  std::vector<Tensor> parts;
  int64_t total = 0;
  for (int i = first; i < first + count; ++i) {
    Value part = input(node, i, depth);
    if (!part || part->rank() > 1 ||
        (!parts.empty() && part->dtype() != parts[0].dtype()))
      return std::nullopt;
    total += part->numElements();
    parts.push_back(*std::move(part));
  }
  if (parts.empty())
    return std::nullopt;
  auto whole = Tensor::create(parts[0].dtype(), {total});
  if (!whole.ok())
    return std::nullopt;
  int64_t at = 0;
  for (const Tensor &part : parts) {
    copyElements(*whole, at, part, 0, part.numElements());
    at += part.numElements();
  }
  return *std::move(whole);
}

/// Part i of a value that is cut along its first axis.
Value partOf(const Value &whole, int i, int64_t parts, bool dropsAxis) {
  if (!whole || whole->rank() == 0 || parts <= 0 || whole->dim(0) % parts != 0)
    return std::nullopt;
  Shape shape = whole->shape();
  shape.setDim(0, whole->dim(0) / parts);
  if (dropsAxis)
    shape = Shape(whole->shape().dims().subspan(1));
  auto part = Tensor::create(whole->dtype(), shape);
  if (!part.ok())
    return std::nullopt;
  copyElements(*part, 0, *whole, i * part->numElements(), part->numElements());
  return *std::move(part);
}

Value filledWith(const Node &node, int depth) {
  Value element = input(node, 1, depth);
  const Shape &shape = node.outputShape(0);
  if (!element || !shape.isFullyDefined() || element->numElements() != 1)
    return std::nullopt;
  auto whole = TensorConstant(*element->reshaped({}), shape).materialize();
  return whole.ok() ? Value(*std::move(whole)) : std::nullopt;
}

Value valueOfOutput(const Output &output, int depth) {
  if (!output.node || depth > maxDepth)
    return std::nullopt;
  const Node &node = *output.node;
  const std::string &op = node.op();
  if (op == "Const") {
    auto value = node.attr<Tensor>("value");
    return value.ok() ? Value(*std::move(value)) : std::nullopt;
  }
  if (op == "Identity" || op == "StopGradient")
    return input(node, 0, depth);
  if (op == "Shape" || op == "Size" || op == "Rank")
    return countOf(node, output.dtype());
  if (op == "Range")
    return rangeOf(node, depth);
  if (op == "Cast")
    return castOf(node, depth);
  if (op == "Fill")
    return filledWith(node, depth);
  if (op == "ConcatV2")
    return joined(node, 0, node.numInputs() - 1, depth);
  if (op == "Concat")
    return joined(node, 1, node.numInputs() - 1, depth);
  if (op == "Pack" && node.attrOr<int64_t>("axis", 0) == 0 &&
      node.numInputs() > 0 && output.shape().rank() == 1)
    return joined(node, 0, node.numInputs(), depth);
  if (op == "Unpack" && node.attrOr<int64_t>("axis", 0) == 0)
    return partOf(input(node, 0, depth), output.index, node.numOutputs(), true);
  if (op == "Split" && scalarOf(input(node, 0, depth)) == 0)
    return partOf(input(node, 1, depth), output.index, node.numOutputs(),
                  false);
  return std::nullopt;
}

void append(Shape &shape, const Shape &more) {
  if (!shape.hasRank() || !more.hasRank()) {
    shape = Shape::unknownRank();
    return;
  }
  for (int64_t dim : more.dims())
    shape.appendDim(dim);
}

/// The elements [begin, end) of a shape, by the masks of a StridedSlice.
std::optional<Shape> slicedShape(const Node &node) {
  for (std::string_view mask :
       {"ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
    if (node.attrOr<int64_t>(mask, 0) != 0)
      return std::nullopt;
  auto begin = scalarOf(input(node, 1, 0)), end = scalarOf(input(node, 2, 0)),
       step = scalarOf(input(node, 3, 0));
  int64_t beginMask = node.attrOr<int64_t>("begin_mask", 0),
          endMask = node.attrOr<int64_t>("end_mask", 0);
  if (!begin || !end || step != 1 || beginMask > 1 || endMask > 1)
    return std::nullopt;
  Shape whole = constantShape(node.input(0));
  if (!whole.hasRank())
    return std::nullopt;
  int64_t rank = whole.rank();
  auto place = [&](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank);
  };
  int64_t from = beginMask ? 0 : place(*begin),
          to = endMask ? rank : place(*end);
  Shape part;
  for (int64_t i = from; i < to; ++i)
    part.appendDim(whole.dim(static_cast<int>(i)));
  return part;
}

} // namespace

std::optional<Tensor> constantValue(const Input &value) {
  if (const Output *output = value.output())
    return valueOfOutput(*output, 0);
  if (std::holds_alternative<std::shared_ptr<const VariableData>>(
          value.value()) ||
      holdsOutputs(value))
    return std::nullopt;
  auto constant = toConstant(value, DType::Invalid);
  return constant.ok() ? Value(*std::move(constant)) : std::nullopt;
}

Shape constantShape(const Output &tensor) {
  if (!tensor.node || tensor.shape().rank() > 1)
    return Shape::unknownRank();
  const Node &node = *tensor.node;
  if (node.op() == "Shape")
    return node.input(0).shape();
  Shape shape;
  if (node.op() == "Pack") {
    for (const Output &each : node.inputs()) {
      int64_t dim = scalarOf(constantValue(each)).value_or(-1);
      shape.appendDim(std::max<int64_t>(dim, -1));
    }
    return shape;
  }
  if (node.op() == "ConcatV2") {
    for (int i = 0; i + 1 < node.numInputs(); ++i)
      append(shape, constantShape(node.input(i)));
    return shape;
  }
  if (node.op() == "StridedSlice")
    if (auto part = slicedShape(node))
      return *part;
  if (auto numbers = elementsOf(constantValue(tensor));
      numbers && tensor.shape().rank() == 1) {
    for (int64_t dim : *numbers)
      shape.appendDim(std::max<int64_t>(dim, -1));
    return shape;
  }
  int64_t count = tensor.shape().rank() == 1 ? tensor.shape().dim(0) : -1;
  return count < 0 || count > Shape::maxRank
             ? Shape::unknownRank()
             : Shape::unknownDims(static_cast<int>(count));
}

std::optional<std::vector<int64_t>> knownIntegers(const Input &value) {
  Value known;
  if (const Output *output = value.output()) {
    if (output->node && output->node->op() == "Const")
      known = constantValue(value);
  } else {
    known = constantValue(value);
  }
  if (known && known->numElements() == 0)
    return std::vector<int64_t>();
  return elementsOf(known);
}

} // namespace kiln::ops
