// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What layers demand of their inputs.
#include "lib/Train/InputSpec.h"

#include "lib/Support/Strings.h"

namespace kiln::layers {
namespace {

std::string extentsText(const Shape &shape) {
  std::vector<std::string> extents;
  for (int64_t extent : shape.dims())
    extents.push_back(extent < 0 ? "None" : std::to_string(extent));
  return strJoin(extents, ", ");
}

/// Why the rank does not fit; empty where it does.
std::string rankMismatch(const InputSpec &spec, const Shape &shape) {
  if (!spec.rank && !spec.minRank && !spec.maxRank)
    return {};
  if (!shape.hasRank())
    return "its rank is undefined, but the layer requires a defined rank.";
  const int rank = shape.rank();
  const std::string full = strCat(". Full shape received: ", listText(shape));
  if (spec.rank && rank != *spec.rank)
    return strCat("expected ndim=", *spec.rank, ", found ndim=", rank, full);
  if (spec.maxRank && rank > *spec.maxRank)
    return strCat("expected max_ndim=", *spec.maxRank, ", found ndim=", rank);
  if (spec.minRank && rank < *spec.minRank)
    return strCat(": expected min_ndim=", *spec.minRank, ", found ndim=", rank,
                  full);
  return {};
}

std::string extentMismatch(const InputSpec &spec, const Shape &shape) {
  if (!shape.hasRank())
    return {};
  for (auto [axis, extent] : spec.axes) {
    int64_t found = shape.dim(axis < 0 ? axis + shape.rank() : axis);
    if (extent >= 0 && found >= 0 && found != extent)
      return strCat("expected axis ", axis, " of input shape to have value ",
                    extent, " but received input with shape ", listText(shape));
  }
  if (!spec.shape || spec.shape->isCompatibleWith(shape))
    return {};
  const bool isOne = spec.shape->rank() == 1;
  return strCat("expected shape=(", extentsText(*spec.shape),
                isOne ? ",)" : ")", ", found shape=", listText(shape));
}

} // namespace

std::string listText(const Shape &shape) {
  return strCat("[", extentsText(shape), "]");
}

Status checkInput(const InputSpec &spec, const Output &input, size_t number,
                  const std::string &layer) {
  const Shape &shape = input.shape();
  std::string mismatch = rankMismatch(spec, shape);
  if (mismatch.empty() && spec.dtype != DType::Invalid &&
      spec.dtype != input.dtype())
    mismatch =
        strCat("expected dtype=", dtypeName(spec.dtype),
               ", found dtype=<dtype: '", dtypeName(input.dtype()), "'>");
  if (mismatch.empty())
    mismatch = extentMismatch(spec, shape);
  if (mismatch.empty())
    return okStatus();
  return invalidArgumentError(
      strCat("Input ", number, " of layer ", layer,
             " is incompatible with the layer: ", mismatch));
}

} // namespace kiln::layers
