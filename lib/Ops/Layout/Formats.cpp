// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of what goes from one data format to another.
#include "lib/Ops/Layout/Formats.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Ops/Layout/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

StatusOr<std::vector<int64_t>> formatPermutation(const std::string &source,
                                                 const std::string &target) {
  std::vector<int64_t> places;
  std::vector<bool> isTaken(source.size());
  for (char letter : target) {
    const size_t at = source.find(letter);
    if (at == source.npos || isTaken[at] || source.size() != target.size())
      return invalidArgumentError(
          strCat("Destination and source format must determine a permutation, "
                 "got ",
                 source, " and ", target));
    isTaken[at] = true;
    places.push_back(static_cast<int64_t>(at));
  }
  return places;
}

std::string spatialFormat(std::string format) {
  std::erase_if(format,
                [](char letter) { return letter == 'N' || letter == 'C'; });
  return format;
}

namespace shapes {

/// What kernels check. **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
static Status checkFormats(InferenceContext &context) {
  if (context.isBuilding())
    return okStatus();
  const std::string source = context.stringAttr("src_format"),
                    target = context.stringAttr("dst_format");
  if (source.size() != 4 && source.size() != 5)
    return context.error(
        "Source format must be of length 4 or 5, received src_format = " +
        source);
  if (target.size() != 4 && target.size() != 5)
    return context.error(
        "Destination format must be of length 4 or 5, received dst_format = " +
        target);
  Status fits = formatPermutation(source, target).status();
  return fits.ok() ? fits : context.error(std::string(fits.message()));
}

Status inferDataFormatDimMap(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return checkFormats(context);
}

/// A vector, or pairs, for all dimensions or the spatial ones: how many it has
/// must be known.
Status inferDataFormatVecPermute(InferenceContext &context) {
  const SymShape &x = context.inputShape(0);
  KILN_RETURN_IF_ERROR(checkFormats(context));
  if (context.isBuilding() || !x.rankKnown) {
    context.setOutputShape(0, x);
    return okStatus();
  }
  if (x.rank() != 1 && x.rank() != 2)
    return context.error("input must be a vector or 2D tensor, but got shape " +
                         context.dims().format(x.dims));
  std::string source = context.stringAttr("src_format"),
              target = context.stringAttr("dst_format");
  const auto full = static_cast<int64_t>(source.size());
  const std::optional<int64_t> count = context.dims().takeAsKnown(x.dims[0]);
  if (!count) {
    context.needExtents(0);
    return okStatus();
  }
  context.setOutputShape(0, x);
  if (count != full && count != full - 2)
    return context.error(
        strCat(x.rank() == 1 ? "1D input" : "First dimension of 2D input",
               " must be of size ", full - 2, " or ", full, ", but got shape ",
               context.dims().format(x.dims)));
  if (x.rank() == 2) {
    const Dims rows = {x.dims[0]}, columns = {x.dims[1]};
    return context.dims().require(
        Guard::Kind::Equal, columns[0], Dim::known(2),
        {.prefix = "Second dimension of 2D input must be of size 2, but got "
                   "shape [",
         .joiner = ",",
         .suffix = "]",
         .lhs = &rows,
         .rhs = &columns,
         .asNumbers = true});
  }
  const Dims *elements = context.knownContents(0);
  if (!elements)
    return okStatus();
  if (count != full) {
    source = spatialFormat(source);
    target = spatialFormat(target);
  }
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> places,
                        formatPermutation(source, target));
  Dims moved;
  for (int64_t place : places)
    moved.push_back((*elements)[static_cast<size_t>(place)]);
  context.setOutputContents(0, std::move(moved));
  return okStatus();
}

} // namespace shapes
} // namespace kiln
