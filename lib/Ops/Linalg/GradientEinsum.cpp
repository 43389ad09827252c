// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of Einsum: for each operand an Einsum of the gradient and the
// other operand.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Linalg/Gradient.h"

#include <algorithm>

namespace kiln {
namespace {

/// The labels of an operand, with '.' once for an ellipsis.
std::string labels(std::string_view text) {
  std::string found;
  for (char c : text)
    if (c != ' ' && (c != '.' || !found.ends_with('.')))
      found += c;
  return found;
}
std::string asEquation(const std::string &subscripts) {
  std::string text;
  for (char c : subscripts)
    text += c == '.' ? std::string("...") : std::string(1, c);
  return text;
}
std::string withoutRepeats(const std::string &subscripts) {
  std::string once;
  for (char c : subscripts)
    if (once.find(c) == std::string::npos)
      once += c;
  return once;
}

Output einsum(std::vector<Output> operands, const std::string &equation) {
  return addOp("Einsum", {InputList(operands)}, {{"equation", equation}});
}

/// The same gradient along the axes of labels that were summed. **Source**:
/// _GetGradReduced.
Output spread(const Output &gradient, const std::string &known,
              const std::string &of, const Output &shape) {
  const size_t dots = std::min(of.find('.'), of.size());
  std::vector<Output> extents;
  std::vector<int32_t> axes;
  for (size_t i = 0; i < of.size(); ++i) {
    if (known.find(of[i]) != std::string::npos)
      continue;
    axes.push_back(static_cast<int32_t>(i) -
                   (i > dots ? static_cast<int32_t>(of.size()) : 0));
    extents.push_back(shape[axes.back()]);
  }
  ops::stack(
      InputList(extents)); // which TensorFlow adds, too, and does not use
  Output kept = addOp(
      "Reshape", {gradient, reducedShape(shape, ops::constant(Input(axes)))});
  return addOp("BroadcastTo", {kept, shape});
}

/// The gradient of an operand x, beside which `others` stand. A label that only
/// x has was summed: its gradient is the same along it. One that x has twice
/// was a diagonal.
Output operandGradient(GradientCall &call, const std::string &of,
                       std::vector<Output> others,
                       const std::string &otherLabels,
                       const std::string &result, const Output &shapeOfX) {
  std::string once = withoutRepeats(of), known;
  std::string elsewhere = result + otherLabels;
  for (char c : once)
    if (elsewhere.find(c) != std::string::npos)
      known += c;
  std::vector<Output> operands = {call.grad()};
  operands.insert(operands.end(), others.begin(), others.end());
  std::string equation = asEquation(result);
  if (!others.empty())
    equation += "," + asEquation(otherLabels);
  Output gradient = result == known && others.empty()
                        ? operands[0]
                        : einsum(operands, equation + "->" + asEquation(known));
  if (known != once && once == of)
    return spread(gradient, known, of, shapeOfX);
  if (known != once) {
    // From the left up to the ellipsis, from the right behind it.
    size_t dots = std::min(once.find('.'), once.size());
    for (size_t i = 0; i < dots; ++i)
      if (known.find(once[i]) == std::string::npos)
        gradient = ops::expandDims(gradient, static_cast<int64_t>(i));
    for (size_t i = once.size(); i-- > dots + 1;)
      if (known.find(once[i]) == std::string::npos)
        gradient =
            ops::expandDims(gradient, static_cast<int64_t>(i) -
                                          static_cast<int64_t>(once.size()));
    std::vector<int32_t> places;
    for (char c : once)
      places.push_back(static_cast<int32_t>(of.find(c)));
    gradient = addOp("BroadcastTo", {gradient, ops::gather(shapeOfX, places)});
  }
  return once == of
             ? gradient
             : einsum({gradient}, asEquation(once) + "->" + asEquation(of));
}

/// Whether the axes that the two ellipses stand for are known to be the same.
bool haveOneEllipsis(const Shape &a, const std::string &x, const Shape &b,
                     const std::string &y) {
  if (!a.isFullyDefined() || !b.isFullyDefined())
    return false;
  auto part = [](const Shape &shape, const std::string &subscripts) {
    std::span<const int64_t> dims = shape.dims();
    size_t dots = subscripts.find('.'), named = subscripts.size() - 1;
    return dims.size() < named ? dims.first(0)
                               : dims.subspan(dots, dims.size() - named);
  };
  return std::ranges::equal(part(a, x), part(b, y));
}

/// v[from:to], to counted from the end.
Output ellipsisPart(const Output &shape, const std::string &subscripts) {
  size_t dots = subscripts.find('.');
  int64_t behind = static_cast<int64_t>(subscripts.size() - dots - 1);
  return ops::stridedSlice(shape, {static_cast<int64_t>(dots)}, {-behind}, {1},
                           {.endMask = behind == 0 ? 1 : 0});
}

} // namespace

/// **Source**: linalg_grad._EinsumGrad.
void einsumGradient(GradientCall &call) {
  std::string equation = call.attr<std::string>("equation");
  size_t arrow = equation.find("->"), comma = equation.find(',');
  std::string result = labels(std::string_view(equation).substr(arrow + 2));
  std::string left = equation.substr(0, arrow);
  auto isDiagonalOfEllipsis = [](const std::string &subscripts) {
    return subscripts.find('.') != std::string::npos &&
           withoutRepeats(subscripts) != subscripts;
  };
  if (call.node.numInputs() == 1) {
    std::string x = labels(left);
    if (isDiagonalOfEllipsis(x))
      return call.fail(unimplementedError(
          "the gradient of Einsum with an ellipsis and a repeated label"));
    Output shape = ops::shape(call.in(0));
    return call.set(0, operandGradient(call, x, {}, "", result, shape));
  }
  std::string x = labels(std::string_view(left).substr(0, comma));
  std::string y = labels(std::string_view(left).substr(comma + 1));
  bool hasEllipsis = result.find('.') != std::string::npos;
  if (hasEllipsis)
    for (std::string *side : {&x, &y})
      if (side->find('.') == std::string::npos)
        *side += '.';
  if (isDiagonalOfEllipsis(x) || isDiagonalOfEllipsis(y))
    return call.fail(unimplementedError(
        "the gradient of Einsum with an ellipsis and a repeated label"));
  Output a = conjugated(call.in(0)), b = conjugated(call.in(1));
  Output shapeX = ops::shape(a), shapeY = ops::shape(b);
  Output dx = operandGradient(call, x, {b}, y, result, shapeX);
  Output dy = operandGradient(call, y, {a}, x, result, shapeY);
  if (hasEllipsis && !haveOneEllipsis(a.shape(), x, b.shape(), y)) {
    auto axes =
        addOpOutputs("BroadcastGradientArgs",
                     {ellipsisPart(shapeX, x), ellipsisPart(shapeY, y)}, 2);
    auto sum = [](const Output &gradient, const Output &over,
                  const std::string &subscripts, const Output &shape) {
      int32_t first = static_cast<int32_t>(subscripts.find('.'));
      return addOp("Reshape", {ops::reduceSum(gradient, over + first), shape});
    };
    dx = sum(dx, axes[0], x, shapeX);
    dy = sum(dy, axes[1], y, shapeY);
  }
  call.set(0, dx);
  call.set(1, dy);
}

} // namespace kiln
