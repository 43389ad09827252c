// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents and checks of images.
#include "lib/Build/Ops/ImageOpsHelpers.h"

#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/VariableData.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

bool isSymbolic(const Input &value) {
  return value.output() ||
         std::holds_alternative<std::shared_ptr<const VariableData>>(
             value.value());
}

/// x OP y, of which one is a tensor.
Extent added(std::string_view name, const Extent &x, const Extent &y) {
  return Input(binary(name, x.input(), y.input()));
}

/// As Python's: of a number and a tensor the tensor's method is called.
Output comparison(const char *op, const char *mirrored, const Extent &x,
                  const Extent &y) {
  return x.isKnown() ? detail::comparison(mirrored, y.input(), x.input())
                     : detail::comparison(op, x.input(), y.input());
}

bool hasZero(const Shape &shape, int count) {
  for (int i = std::max(0, shape.rank() - count); i < shape.rank(); ++i)
    if (shape.dim(i) == 0)
      return true;
  return false;
}

bool isKnown(const Shape &shape, int count) {
  for (int i = -count; i < 0; ++i)
    if (shape.dim(i) < 0)
      return false;
  return true;
}

} // namespace

std::optional<double> knownNumber(const Input &value) {
  if (isSymbolic(value) || holdsOutputs(value))
    return std::nullopt;
  StatusOr<Tensor> constant = toConstant(value, DType::Invalid);
  if (!constant.ok() || constant->shape().rank() != 0)
    return std::nullopt;
  return dispatchElement(
      constant->dtype(), [&](auto sample) -> std::optional<double> {
        return static_cast<double>(constant->data<decltype(sample)>()[0]);
      });
}

Extent::Extent(const Input &given) : value(given) {
  if (isSymbolic(given))
    return;
  if (auto numbers = knownIntegers(given); numbers && numbers->size() == 1) {
    known = (*numbers)[0];
    value = *known;
  } else {
    // Says what is wrong with it.
    value = convert(given, "", DType::Int32);
  }
}

Extent operator+(const Extent &a, const Extent &b) {
  return a.isKnown() && b.isKnown() ? Extent(a.number() + b.number())
                                    : added("add", a, b);
}
Extent operator-(const Extent &a, const Extent &b) {
  return a.isKnown() && b.isKnown() ? Extent(a.number() - b.number())
                                    : added("sub", a, b);
}
Extent operator*(const Extent &a, const Extent &b) {
  return a.isKnown() && b.isKnown() ? Extent(a.number() * b.number())
                                    : added("mul", a, b);
}
Extent operator-(const Extent &a) {
  return a.isKnown() ? Extent(-a.number())
                     : Extent(Input(detail::unaryOperator("Neg", a.input())));
}

Extent halfOf(const Extent &a) {
  // An arithmetic shift rounds down.
  return a.isKnown() ? Extent(a.number() >> 1)
                     : Extent(Input(floorDiv(a.input(), 2)));
}
Extent larger(const Extent &a, const Extent &b) {
  return a.isKnown() && b.isKnown()
             ? Extent(std::max(a.number(), b.number()))
             : Extent(Input(rawOps::maximum(a.input(), b.input())));
}
Extent smaller(const Extent &a, const Extent &b) {
  return a.isKnown() && b.isKnown()
             ? Extent(std::min(a.number(), b.number()))
             : Extent(Input(rawOps::minimum(a.input(), b.input())));
}

std::vector<Extent> extentsOf(const Output &image, int rank) {
  std::vector<Extent> extents;
  if (!image.node)
    return std::vector<Extent>(static_cast<size_t>(rank), Extent(0));
  const Shape &shape = image.shape();
  std::vector<Output> parts;
  if (!shape.isFullyDefined()) {
    parts = unstack(ops::shape(image), {.num = rank});
    parts.resize(static_cast<size_t>(rank));
  }
  for (int i = 0; i < rank; ++i)
    extents.push_back(shape.dim(i) >= 0
                          ? Extent(shape.dim(i))
                          : Extent(Input(parts[static_cast<size_t>(i)])));
  return extents;
}

void ImageChecks::holds(bool condition, const std::string &words) {
  if (condition || hasFailed)
    return;
  ops::failed(invalidArgumentError(words), scope);
  hasFailed = true;
}
void ImageChecks::holds(const Output &condition, const char *words) {
  if (!hasFailed)
    added.push_back(assertThat(condition, {words}));
}
void ImageChecks::atLeast(const Extent &a, const Extent &b, const char *words) {
  if (a.isKnown() && b.isKnown())
    return holds(a.number() >= b.number(), words);
  holds(comparison("GreaterEqual", "LessEqual", a, b), words);
}
void ImageChecks::above(const Extent &a, const Extent &b, const char *words) {
  if (a.isKnown() && b.isKnown())
    return holds(a.number() > b.number(), words);
  holds(comparison("Greater", "Less", a, b), words);
}
void ImageChecks::equal(const Extent &a, const Extent &b, const char *words) {
  if (a.isKnown() && b.isKnown())
    return holds(a.number() == b.number(), words);
  holds(rawOps::equal(a.input(), b.input()), words);
}

void ImageChecks::imageHasPositiveExtents(const Output &image) {
  hasFailed |= !image.node;
  if (hasFailed)
    return;
  const Shape shape =
      image.shape().hasRank() ? image.shape() : Shape::unknownDims(3);
  holds(shape.rank() >= 3, strCat("'image' (shape ", shape.toTupleString(),
                                  ") must be at least three-dimensional."));
  holds(!hasZero(shape, 3),
        strCat("inner 3 dims of 'image.shape' must be > 0: ",
               shape.toTupleString()));
  if (hasFailed || isKnown(shape, 3))
    return;
  Output inner = ops::shape(image)[{sliceFrom(-3)}];
  added.push_back(assertPositive(
      inner,
      {.data = InputList{"inner 3 dims of 'image.shape' must be > 0."}}));
  added.push_back(assertGreaterEqual(
      rank(image), 3,
      {.message = "'image' must be at least three-dimensional."}));
}

void ImageChecks::imageIsGrayscale(const Output &image) {
  hasFailed |= !image.node;
  if (hasFailed)
    return;
  const Shape shape =
      image.shape().hasRank() ? image.shape() : Shape::unknownDims(2);
  holds(shape.rank() >= 2,
        strCat("A grayscale image (shape ", shape.toTupleString(),
               ") must be at least two-dimensional."));
  if (hasFailed)
    return;
  constexpr const char *words =
      "Last dimension of a grayscale image should be size 1.";
  if (shape.isFullyDefined())
    return holds(shape.dim(-1) == 1, words);
  added.push_back(assertEqual(ops::shape(image)[-1], 1, {.message = words}));
  added.push_back(assertGreaterEqual(
      rank(image), 3,
      {.message = "A grayscale image must be at least two-dimensional."}));
}

Output ImageChecks::before(const Output &image) const {
  return hasFailed ? Output() : withDependencies(added, image);
}
Extent ImageChecks::before(const Extent &extent) const {
  return extent.isKnown() || hasFailed
             ? extent
             : Extent(Input(withDependencies(added, extent.input())));
}

Output withPositiveExtents(const Output &image, const std::string &scope) {
  ImageChecks checks(scope);
  checks.imageHasPositiveExtents(image);
  return checks.before(image);
}

ImageBatch asBatch(const Output &image, const std::string &scope) {
  if (!image.node)
    return {};
  const int rank = image.shape().rank();
  if (rank == 4)
    return {image, true};
  if (rank >= 0 && rank != 3)
    return {failed(invalidArgumentError(
                       strCat("'image' (shape ", image.shape().toTupleString(),
                              ") must have either 3 or 4 dimensions.")),
                   scope)};
  return {withShape(Shape::unknownDims(4),
                    [&] { return rawOps::expandDims(image, 0); }),
          false};
}

Output ImageBatch::result(const Output &given) const {
  return isBatch || !given.node ? given : squeeze(given, {.axis = {0}});
}

Output byRank(const Output &image, const std::string &scope,
              const std::function<Output(bool isBatch)> &function,
              const char *refusal) {
  if (!image.node)
    return {};
  switch (image.shape().rank()) {
  case -1:
    return cond(
        rawOps::equal(rank(image), 3), [&] { return function(false); },
        [&] { return function(true); });
  case 3:
    return function(false);
  case 4:
    return function(true);
  default:
    return failed(invalidArgumentError(strCat("'image' (shape ",
                                              image.shape().toTupleString(),
                                              ")", refusal)),
                  scope);
  }
}

} // namespace kiln::ops
