// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves elements of sparse tensors: ordered, reshaped, concatenated, split.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <numeric>

namespace kiln::host {
namespace {

/// Indices and values of `places` of a view, in this order.
Status gatherElements(const SparseView &view, std::span<const int64_t> places,
                      Tensor &indices, Tensor &values) {
  const auto count = static_cast<int64_t>(places.size());
  KILN_ASSIGN_OR_RETURN(indices,
                        Tensor::create(DType::Int64, {count, view.rank}));
  KILN_ASSIGN_OR_RETURN(values, Tensor::create(view.values->dtype(), {count}));
  auto to = indices.mutableData<int64_t>().begin();
  ElementCopy copy(*view.values, values);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = places[static_cast<size_t>(i)];
    to = std::ranges::copy(view.index(place), to).out;
    copy(place, i);
  }
  return okStatus();
}

/// The part of a dimension of `extent` that a number lies in, when it is cut
/// into `count` parts of which the first have one more.
struct Cut {
  int64_t extent, count;

  int64_t width(int64_t part) const {
    return extent / count + (part < extent % count ? 1 : 0);
  }
  int64_t begin(int64_t part) const {
    return part * (extent / count) + std::min(part, extent % count);
  }
  int64_t part(int64_t number) const {
    const int64_t size = extent / count, rest = extent % count,
                  wide = rest * (size + 1);
    return number < wide ? number / (size + 1) : rest + (number - wide) / size;
  }
};

/// The ranks of a sparse tensor, the i-th of `count` whose indices, values and
/// shapes follow each other.
Status checkPart(std::span<const Tensor> inputs, size_t i, size_t count) {
  struct Part {
    const Tensor &tensor;
    std::string_view name, kind;
    int rank;
  };
  for (const auto &[tensor, name, kind, rank] :
       {Part{inputs[i], "indices", "matrix", 2},
        Part{inputs[count + i], "values", "vector", 1},
        Part{inputs[2 * count + i], "shapes", "vector", 1}})
    if (tensor.rank() != rank)
      return invalidArgumentError(
          strCat("Input ", name, " should be a ", kind, " but received shape ",
                 tensor.shape().toString(), " at position ", i));
  return okStatus();
}

/// The parts of a SparseConcat, each checked alone.
StatusOr<std::vector<SparseView>> concatParts(const HostCall &call) {
  const size_t count = call.inputs.size() / 3;
  for (size_t i = 0; i < count; ++i)
    KILN_RETURN_IF_ERROR(checkPart(call.inputs, i, count));
  std::vector<SparseView> parts;
  for (size_t i = 0; i < count; ++i) {
    const Tensor &shape = call.inputs[2 * count + i];
    if (auto fits = checkExtents(shape.data<int64_t>()); !fits.ok())
      return fits.status();
    KILN_ASSIGN_OR_RETURN(
        SparseView part,
        createView(call.inputs[i], call.inputs[count + i], shape));
    parts.push_back(part);
  }
  return parts;
}

/// Where each part begins along the axis, and the extents of the whole.
struct ConcatShape {
  size_t axis = 0;
  std::vector<int64_t> extents;
  std::vector<int64_t> starts = {0};
  int64_t total = 0; ///< elements
};

StatusOr<ConcatShape> concatShape(std::span<const SparseView> parts,
                                  int64_t asked) {
  const int rank = parts[0].rank;
  const int64_t axis = asked < 0 ? asked + rank : asked;
  if (axis < 0 || axis >= rank)
    return invalidArgumentError(strCat("Concat dimension must be in range [",
                                       -rank, ", ", rank, "), got ", asked));
  ConcatShape whole;
  whole.axis = static_cast<size_t>(axis);
  whole.extents.assign(parts[0].shape.begin(), parts[0].shape.end());
  whole.total = parts[0].count;
  int64_t &along = whole.extents[whole.axis];
  for (size_t i = 1; i < parts.size(); ++i) {
    const SparseView &part = parts[i];
    if (part.rank != rank)
      return invalidArgumentError(
          strCat("Ranks of all input tensors must match: expected ", rank,
                 " but got ", part.rank, " at position ", i));
    for (size_t d = 0; d < whole.extents.size(); ++d)
      if (d != whole.axis && whole.extents[d] != part.shape[d])
        return invalidArgumentError(strCat("Input shapes must match: expected ",
                                           whole.extents[d], " for dimension ",
                                           d, " but got ", part.shape[d],
                                           " at position ", i));
    whole.starts.push_back(along);
    const std::optional<int64_t> sum =
        checkedAdd(along, part.shape[whole.axis]);
    if (!sum)
      return internalError("Encountered overflow from large input shape.");
    along = *sum;
    whole.total += part.count;
  }
  return whole;
}

} // namespace

Status sparseConcat(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(const std::vector<SparseView> parts, concatParts(call));
  KILN_ASSIGN_OR_RETURN(
      const ConcatShape whole,
      concatShape(parts, call.node.attrOr<int64_t>("concat_dim", 0)));
  // Every element's place: its part, and its number there.
  struct Place {
    size_t part;
    int64_t number;
  };
  std::vector<Place> places;
  places.reserve(static_cast<size_t>(whole.total));
  for (size_t i = 0; i < parts.size(); ++i)
    for (int64_t k = 0; k < parts[i].count; ++k)
      places.push_back({i, k});
  auto numberAt = [&](const Place &place, size_t d) {
    const int64_t number = parts[place.part].index(place.number)[d];
    return d == whole.axis
               ? static_cast<int64_t>(
                     static_cast<uint64_t>(number) +
                     static_cast<uint64_t>(whole.starts[place.part]))
               : number;
  };
  const size_t rank = whole.extents.size();
  std::ranges::stable_sort(places, [&](const Place &a, const Place &b) {
    for (size_t d = 0; d < rank; ++d)
      if (int64_t x = numberAt(a, d), y = numberAt(b, d); x != y)
        return x < y;
    return false;
  });
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::Int64, {whole.total, static_cast<int64_t>(rank)}));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[1], Tensor::create(parts[0].values->dtype(), {whole.total}));
  KILN_ASSIGN_OR_RETURN(call.outputs[2], integers(DType::Int64, whole.extents));
  std::vector<ElementCopy> copies;
  for (const SparseView &part : parts)
    copies.emplace_back(*part.values, call.outputs[1]);
  auto to = call.outputs[0].mutableData<int64_t>().begin();
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t d = 0; d < rank; ++d)
      *to++ = numberAt(places[i], d);
    copies[places[i].part](places[i].number, static_cast<int64_t>(i));
  }
  return okStatus();
}

Status sparseSplit(const HostCall &call) {
  const Tensor &axisTensor = call.inputs[0];
  if (axisTensor.rank() != 0)
    return invalidArgumentError(
        strCat("Input axis should be a scalar but received shape ",
               axisTensor.shape().toString()));
  KILN_RETURN_IF_ERROR(checkPart(call.inputs.subspan(1), 0, 1));
  KILN_ASSIGN_OR_RETURN(SparseView view,
                        checkedView(call, 1, Indices::InBounds));
  const int64_t asked = axisTensor.data<int64_t>()[0],
                axis = asked < 0 ? asked + view.rank : asked;
  if (axis < 0 || axis >= view.rank)
    return invalidArgumentError(strCat("Input axis should be in range [",
                                       -view.rank, ", ", view.rank, "), got ",
                                       asked));
  const auto along = static_cast<size_t>(axis);
  const size_t count = call.outputs.size() / 3;
  const Cut cut = {view.shape[along], static_cast<int64_t>(count)};
  if (cut.count > cut.extent)
    return invalidArgumentError(
        strCat("Input num_split should be between 1 and the splitting "
               "dimension size (",
               cut.extent, "), got ", cut.count));
  KILN_RETURN_IF_ERROR(checkExtents(view.shape).status());
  std::vector<std::vector<int64_t>> places(count);
  for (int64_t i = 0; i < view.count; ++i)
    places[static_cast<size_t>(cut.part(view.index(i)[along]))].push_back(i);
  for (size_t part = 0; part < count; ++part) {
    Tensor &indices = call.outputs[part];
    KILN_RETURN_IF_ERROR(gatherElements(view, places[part], indices,
                                        call.outputs[count + part]));
    std::span<int64_t> numbers = indices.mutableData<int64_t>();
    for (size_t at = along; at < numbers.size();
         at += static_cast<size_t>(view.rank))
      numbers[at] -= cut.begin(static_cast<int64_t>(part));
    std::vector<int64_t> extents(view.shape.begin(), view.shape.end());
    extents[along] = cut.width(static_cast<int64_t>(part));
    KILN_ASSIGN_OR_RETURN(call.outputs[2 * count + part],
                          integers(DType::Int64, extents));
  }
  return okStatus();
}

Status sparseSliceGrad(const HostCall &call) {
  const Tensor &gradient = call.inputs[0], &indices = call.inputs[1],
               &start = call.inputs[2], &kept = call.inputs[3];
  if (!isMatrix(indices) || !isMatrix(kept))
    return invalidArgumentError(strCat(
        "Input and output indices should be matrices but received shapes: ",
        indices.shape().toString(), " and ", kept.shape().toString()));
  if (!isVector(gradient))
    return invalidArgumentError(
        strCat("Input backprop_val_grad should be a vector but received "
               "shape: ",
               gradient.shape().toString()));
  if (indices.dim(1) != kept.dim(1))
    return invalidArgumentError(
        strCat("The input and output should have the same ndims: got: ",
               indices.dim(1), " and ", kept.dim(1)));
  if (kept.dim(0) > indices.dim(0))
    return invalidArgumentError(
        strCat("# rows of output_indices should be not greater than of "
               "input_indices, got ",
               kept.dim(0), " and ", indices.dim(0)));
  if (gradient.dim(0) != kept.dim(0))
    return invalidArgumentError(
        strCat("# elements of backprop_val_grad and # rows of output_indices "
               "should match (#nnz of sum): got ",
               gradient.dim(0), " and ", kept.dim(0)));
  if (!isVector(start))
    return invalidArgumentError(
        strCat("The input_start should be a vector but received shape ",
               start.shape().toString()));
  const int64_t rank = indices.dim(1), count = indices.dim(0);
  if (start.dim(0) != rank)
    return invalidArgumentError(
        strCat("Expected input_start to be a vector of length ", rank,
               " but got length ", start.dim(0)));
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::zeros(gradient.dtype(), {count}));
  ElementCopy copy(gradient, call.outputs[0]);
  auto isKept = [&](int64_t i, int64_t j) {
    for (int64_t d = 0; d < rank; ++d)
      if (checkedAdd(integerAt(kept, j * rank + d), integerAt(start, d)) !=
          integerAt(indices, i * rank + d))
        return false;
    return true;
  };
  int64_t used = 0;
  for (int64_t i = 0; i < count && used < gradient.dim(0); ++i)
    if (isKept(i, used))
      copy(used++, i);
  if (used != gradient.dim(0) && count > 0)
    return internalError(
        strCat("Elements of backprop_val_grad aren't all propagated. Num "
               "elements:",
               gradient.dim(0), ", used: ", used));
  return okStatus();
}

} // namespace kiln::host
