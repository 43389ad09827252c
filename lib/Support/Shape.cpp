// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage, arithmetic and rendering of shapes.
#include "kiln/Shape.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <vector>

namespace kiln {

Shape::Shape(std::span<const int64_t> dims)
    : rankOrUnknown(static_cast<int>(dims.size())) {
  if (!isInline())
    storage.heap = new int64_t[dims.size()];
  std::copy(dims.begin(), dims.end(), data());
}

Shape::Shape(const Shape &other) : Shape(other.dims()) {
  rankOrUnknown = other.rankOrUnknown;
}

Shape::Shape(Shape &&other) noexcept
    : rankOrUnknown(other.rankOrUnknown), storage(other.storage) {
  other.rankOrUnknown = 0;
}

Shape &Shape::operator=(const Shape &other) {
  if (this == &other)
    return *this;
  if (isInline() && other.isInline()) {
    rankOrUnknown = other.rankOrUnknown;
    storage = other.storage;
    return *this;
  }
  return *this = Shape(other);
}

Shape &Shape::operator=(Shape &&other) noexcept {
  if (this != &other) {
    freeDims();
    rankOrUnknown = std::exchange(other.rankOrUnknown, 0);
    storage = other.storage;
  }
  return *this;
}

Shape Shape::unknownDims(int rank) {
  return Shape(
      std::vector<int64_t>(static_cast<size_t>(std::max(rank, 0)), unknownDim));
}

StatusOr<Shape> Shape::fromDims(std::span<const int64_t> dims) {
  if (dims.size() > static_cast<size_t>(maxRank))
    return invalidArgumentError(
        strCat("shape has too many dimensions: expected at most ", maxRank,
               ", got ", dims.size()));
  Shape shape(dims);
  CheckedInt64 product = 1;
  bool hasZero = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < unknownDim)
      return invalidArgumentError(strCat(
          "shape has a negative dimension: dimension ", i, " is ", dims[i]));
    hasZero |= dims[i] == 0;
    if (dims[i] != unknownDim)
      product *= dims[i];
  }
  if (product.overflowed() && !hasZero)
    return invalidArgumentError(
        strCat("shape ", shape.toString(), " has more than 2^63 - 1 elements"));
  return shape;
}

int64_t Shape::dim(int i) const noexcept {
  if (i < 0)
    i += rankOrUnknown;
  return i >= 0 && i < rankOrUnknown ? data()[i] : unknownDim;
}

void Shape::setDim(int i, int64_t value) noexcept {
  if (i >= 0 && i < rankOrUnknown)
    data()[i] = value;
}

void Shape::appendDim(int64_t value) {
  std::vector<int64_t> extended(dims().begin(), dims().end());
  extended.push_back(value);
  *this = Shape(extended);
}

bool Shape::isFullyDefined() const noexcept {
  return hasRank() &&
         std::ranges::all_of(dims(), [](int64_t dim) { return dim >= 0; });
}

StatusOr<int64_t> Shape::numElements() const {
  if (!hasRank())
    return invalidArgumentError(
        "the number of elements of a shape of unknown rank is not known");
  CheckedInt64 product = 1;
  bool hasZero = false;
  for (int64_t dim : dims()) {
    if (dim == unknownDim)
      return invalidArgumentError(
          strCat("shape ", toString(), " has an unknown dimension"));
    if (dim < 0)
      return invalidArgumentError(
          strCat("shape ", toString(), " has a negative dimension"));
    hasZero |= dim == 0;
    product *= dim;
  }
  if (hasZero)
    return int64_t{0};
  if (product.overflowed())
    return invalidArgumentError(
        strCat("shape ", toString(), " has more than 2^63 - 1 elements"));
  return *product.value();
}

bool Shape::isCompatibleWith(const Shape &other) const noexcept {
  if (!hasRank() || !other.hasRank())
    return true;
  return std::ranges::equal(dims(), other.dims(), [](int64_t a, int64_t b) {
    return a == b || a == unknownDim || b == unknownDim;
  });
}

StatusOr<Shape> Shape::merge(const Shape &other) const {
  if (!hasRank())
    return other;
  if (!other.hasRank())
    return *this;
  if (rank() != other.rank())
    return invalidArgumentError(strCat("Shapes must be equal rank, but are ",
                                       rank(), " and ", other.rank()));
  Shape merged = *this;
  for (int i = 0; i < rankOrUnknown; ++i) {
    if (merged.dim(i) == unknownDim)
      merged.setDim(i, other.dim(i));
    else if (other.dim(i) != unknownDim && other.dim(i) != merged.dim(i))
      return invalidArgumentError(
          strCat("Dimension ", i, " in both shapes must be equal, but are ",
                 dim(i), " and ", other.dim(i), ". Shapes are ", toString(),
                 " and ", other.toString(), "."));
  }
  return merged;
}

static std::string joinDims(std::span<const int64_t> dims,
                            std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0)
      text += separator;
    text += dims[i] == Shape::unknownDim ? std::string("?")
                                         : std::to_string(dims[i]);
  }
  return text;
}

std::string Shape::toString() const {
  return hasRank() ? strCat("[", joinDims(dims(), ","), "]") : "<unknown>";
}

std::string Shape::toTupleString() const {
  return hasRank() ? strCat("(", joinDims(dims(), ", "),
                            rankOrUnknown == 1 ? ",)" : ")")
                   : "<unknown>";
}

// Marked here: a friend declaration takes no attribute.
KILN_EXPORT bool operator==(const Shape &a, const Shape &b) noexcept {
  return a.rankOrUnknown == b.rankOrUnknown &&
         std::ranges::equal(a.dims(), b.dims());
}

} // namespace kiln
