// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of Fourier transforms.
#include "lib/Ops/Spectral/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Ranks.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// A graph that is built hears what shape functions of TensorFlow say, a run
/// what its kernels say.
Status checkRank(InferenceContext &context, int rank) {
  const SymShape &x = context.inputShape(0);
  if (context.isBuilding())
    return demandRankAtLeast(context, 0, rank);
  if (x.rankKnown && x.rank() < rank)
    return context.error(strCat("Input must have rank of at least ", rank,
                                " but got: ", context.dims().format(x.dims)));
  return okStatus();
}

Status checkLengths(InferenceContext &context, int rank) {
  const SymShape &lengths = context.inputShape(1);
  if (!lengths.rankKnown)
    return okStatus();
  const bool fits = lengths.rank() == 1 && (!lengths.dims[0].isKnown() ||
                                            lengths.dims[0].isKnown(rank));
  if (!context.isBuilding() && !fits)
    return context.error(strCat("fft_length must have shape [", rank, "]"));
  KILN_ASSIGN_OR_RETURN(SymShape vector, context.withRank(lengths, 1));
  if (vector.dims[0].isKnown() && !vector.dims[0].isKnown(rank))
    return context.error(
        strCat("Dimension must be ", rank, " but is ", vector.dims[0].value));
  return okStatus();
}

/// What fft_length says of one dimension, and that the input's dimension
/// `place` has so many.
Status checkLength(InferenceContext &context, int k, Dim length, size_t place,
                   bool isHalved) {
  const Dim extent = context.inputShape(0).dims[place];
  if (length.isKnown() && length.value < 0)
    return context.error(
        strCat("fft_length[", k, "] must >= 0, but got: ", length.value));
  if (!length.isKnown() && !length.isUnknown()) {
    const Dims lengths = {length}, none;
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::NonNegative, length, Dim::known(0),
        {.prefix = strCat("fft_length[", k, "] must >= 0, but got: "),
         .lhs = &lengths,
         .rhs = &none,
         .asNumbers = true}));
  }
  if (length.isUnknown())
    return okStatus();
  const Dim wanted =
      isHalved && !length.isKnown(0)
          ? context.dims().add(context.dims().floorDiv(length, Dim::known(2)),
                               Dim::known(1))
          : length;
  // What has no numbers passes, whatever is asked of it.
  if (wanted.isKnown() && extent.isKnown() && !extent.isKnown(0) &&
      extent.value < wanted.value)
    return context.error(strCat("Input dimension ", place,
                                " must have length of at least ", wanted.value,
                                " but got: ", extent.value));
  return okStatus();
}

} // namespace

Status inferTransformOf(InferenceContext &context, int rank) {
  KILN_RETURN_IF_ERROR(checkRank(context, rank));
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferRealTransformOf(InferenceContext &context, int rank,
                            bool givesReal) {
  KILN_RETURN_IF_ERROR(checkRank(context, rank));
  KILN_RETURN_IF_ERROR(checkLengths(context, rank));
  const SymShape &x = context.inputShape(0);
  if (!x.rankKnown)
    return okStatus();
  Dims dims = x.dims;
  const Dims *lengths = context.inputSizes(1);
  for (int k = 0; k < rank; ++k) {
    const size_t place = dims.size() - static_cast<size_t>(rank - k);
    Dim &dim = dims[place];
    const bool isLast = k == rank - 1;
    const Dim length =
        lengths ? (*lengths)[static_cast<size_t>(k)] : Dim::unknown();
    if (lengths && !context.isBuilding())
      KILN_RETURN_IF_ERROR(
          checkLength(context, k, length, place, isLast && givesReal));
    dim = length;
    if (isLast && !givesReal && !length.isUnknown() && !length.isKnown(0))
      dim = context.dims().add(context.dims().floorDiv(length, Dim::known(2)),
                               Dim::known(1));
  }
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

} // namespace kiln::shapes
