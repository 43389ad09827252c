// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elements must be put in, taken out or changed to make one sequence
// another.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kiln::host {
namespace {

Status checkSequences(const HostCall &call) {
  const Tensor &shape = call.inputs[2], &truth = call.inputs[5];
  constexpr const char *names[] = {"hypothesis", "truth"};
  auto wrong = [&](size_t side, std::string_view part, std::string_view kind,
                   const Tensor &tensor) {
    return invalidArgumentError(
        strCat(names[side], "_", part, " should be a ", kind,
               ", but got shape: ", tensor.shape().toString()));
  };
  for (size_t side : {size_t(0), size_t(1)})
    if (const Tensor &indices = call.inputs[3 * side]; !isMatrix(indices))
      return wrong(side, "indices", "matrix", indices);
  for (size_t side : {size_t(0), size_t(1)})
    if (const Tensor &values = call.inputs[3 * side + 1]; !isVector(values))
      return wrong(side, "values", "vector", values);
  for (size_t side : {size_t(0), size_t(1)})
    if (const Tensor &extents = call.inputs[3 * side + 2]; !isVector(extents))
      return wrong(side, "shape", "vector", extents);
  for (size_t side : {size_t(0), size_t(1)}) {
    const Tensor &indices = call.inputs[3 * side],
                 &values = call.inputs[3 * side + 1],
                 &extents = call.inputs[3 * side + 2];
    if (side == 1 && truth.dim(0) < 2)
      return invalidArgumentError(
          strCat("Input SparseTensors must have rank at least 2, but "
                 "truth_shape rank is: ",
                 truth.dim(0)));
    if (values.dim(0) != indices.dim(0))
      return invalidArgumentError(
          strCat("Expected ", names[side], "_values.NumElements == #rows(",
                 names[side],
                 "_indices), their shapes are: ", values.shape().toString(),
                 " and ", indices.shape().toString()));
    if (extents.dim(0) != indices.dim(1))
      return invalidArgumentError(strCat(
          "Expected ", names[side], "_shape.NumElements == #cols(", names[side],
          "_indices), their shapes are: ", extents.shape().toString(), " and ",
          indices.shape().toString()));
  }
  if (truth.dim(0) != shape.dim(0))
    return invalidArgumentError(
        strCat("Expected truth and hypothesis to have matching ranks, but "
               "their shapes are: ",
               truth.shape().toString(), " and ", shape.shape().toString()));
  return okStatus();
}

template <class T> bool areEqual(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(a) == static_cast<float>(b);
  else
    return a == b;
}

/// Levenshtein's distance, with a row of the table at a time.
template <class T>
int64_t distance(std::span<const T> a, std::span<const T> b,
                 std::vector<int64_t> &row) {
  row.resize(b.size() + 1);
  std::iota(row.begin(), row.end(), int64_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t diagonal = row[0];
    row[0] = static_cast<int64_t>(i) + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t changed = diagonal + (areEqual(a[i], b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

template <class T> Status distances(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(
      SparseView hypothesis,
      createView(call.inputs[0], call.inputs[1], call.inputs[2]));
  KILN_ASSIGN_OR_RETURN(
      SparseView truth,
      createView(call.inputs[3], call.inputs[4], call.inputs[5]));
  KILN_RETURN_IF_ERROR(checkExtents(hypothesis.shape).status());
  KILN_RETURN_IF_ERROR(checkExtents(truth.shape).status());
  std::vector<int64_t> extents;
  for (size_t d = 0; d + 1 < truth.shape.size(); ++d)
    extents.push_back(std::max(hypothesis.shape[d], truth.shape[d]));
  KILN_ASSIGN_OR_RETURN(int64_t elements, checkExtents(extents));
  if (elements == 0)
    return invalidArgumentError(strCat("Got output shape ", listText(extents),
                                       " which has 0 elements"));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::zeros(DType::Float32, Shape(std::span<const int64_t>(extents))));
  std::span<float> out = call.outputs[0].mutableData<float>();
  const std::vector<int64_t> strides = stridesOf(extents);
  const bool isNormalized = call.node.attrOr<bool>("normalize", true);
  auto sequence = [](const SparseView &view, const Groups &group) {
    return view.values->data<T>().subspan(static_cast<size_t>(group.first()),
                                          static_cast<size_t>(group.size()));
  };
  const int rank = truth.rank - 1;
  std::vector<int64_t> row;
  Groups walkH(hypothesis, rank), walkT(truth, rank);
  while (!walkH.done() || !walkT.done()) {
    const auto order = walkH.done() ? std::strong_ordering::greater
                       : walkT.done()
                           ? std::strong_ordering::less
                           : std::lexicographical_compare_three_way(
                                 walkH.key().begin(), walkH.key().end(),
                                 walkT.key().begin(), walkT.key().end());
    CheckedInt64 place = 0;
    std::span<const int64_t> key = order <= 0 ? walkH.key() : walkT.key();
    for (size_t d = 0; d < strides.size(); ++d)
      place += CheckedInt64(key[d]) * strides[d];
    const int64_t to = place.value().value_or(-1);
    if (to < 0 || to >= elements)
      return internalError(
          strCat("Got an inner product ", to,
                 " which would require writing to outside of the buffer for "
                 "the output tensor (max elements ",
                 elements, ")"));
    float &result = out[static_cast<size_t>(to)];
    if (order == 0) {
      result = static_cast<float>(distance<T>(
          sequence(truth, walkT), sequence(hypothesis, walkH), row));
      if (isNormalized)
        result /= static_cast<float>(walkT.size());
    } else if (order < 0) { // no truth
      result = isNormalized ? std::numeric_limits<float>::infinity()
                            : static_cast<float>(walkH.size());
    } else { // no hypothesis
      result = isNormalized ? 1.0f : static_cast<float>(walkT.size());
    }
    if (order <= 0)
      walkH.next();
    if (order >= 0)
      walkT.next();
  }
  return okStatus();
}

} // namespace

Status editDistance(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkSequences(call));
  const auto dtype = call.node.attrOr<DType>("T", DType::Invalid);
  if (dtype == DType::String)
    return distances<String>(call);
  return dispatchElement(dtype, [&]<class T>(T) { return distances<T>(call); });
}

} // namespace kiln::host
