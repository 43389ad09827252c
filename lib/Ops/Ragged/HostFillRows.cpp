// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives rows without elements one with a default, and takes gradients back.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::host {
namespace {

/// Elements by rows: their indices have `width` numbers, of which the first is
/// the row's.
struct Rows {
  std::span<const int64_t> indices;
  int64_t width;
  const Tensor &indexTensor, &values, &fill;
  int64_t count;

  int64_t row(int64_t i) const {
    return indices[static_cast<size_t>(i * width)];
  }
  int64_t size() const { return values.dim(0); }
  Shape shape(int64_t elements) const {
    return indexTensor.rank() == 1 ? Shape({elements})
                                   : Shape({elements, width});
  }
};

/// Output 0 to 3: indices, values, which rows are empty, where elements went.
Status fillRows(const HostCall &call, const Rows &rows) {
  if (rows.count < 0)
    return invalidArgumentError(
        strCat("Expected a non-negative size, got ", rows.count));
  KILN_ASSIGN_OR_RETURN(call.outputs[2],
                        Tensor::create(DType::Bool, {rows.count}));
  KILN_ASSIGN_OR_RETURN(call.outputs[3],
                        Tensor::create(DType::Int64, {rows.size()}));
  if (rows.count == 0 &&
      rows.size() == 0) { // TensorFlow's indices are a matrix here in any case
    KILN_ASSIGN_OR_RETURN(call.outputs[0],
                          Tensor::create(DType::Int64, {0, rows.width}));
    call.outputs[1] = rows.values;
    return okStatus();
  }
  // Where a row's next element goes.
  std::vector<int64_t> places(static_cast<size_t>(rows.count) + 1, 0);
  std::span<bool> empty = call.outputs[2].mutableData<bool>();
  KILN_RETURN_IF_ERROR(
      placeRows(rows.indices, rows.width, rows.size(), places, empty));
  std::span<int64_t> map = call.outputs[3].mutableData<int64_t>();
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::zeros(DType::Int64, rows.shape(places.back())));
  KILN_ASSIGN_OR_RETURN(call.outputs[1],
                        Tensor::create(rows.values.dtype(), {places.back()}));
  std::span<int64_t> indices = call.outputs[0].mutableData<int64_t>();
  const auto width = static_cast<size_t>(rows.width);
  ElementCopy defaults(rows.fill, call.outputs[1]);
  for (size_t row = 0; row < empty.size(); ++row)
    if (empty[row]) {
      defaults(0, places[row]);
      indices[static_cast<size_t>(places[row]) * width] =
          static_cast<int64_t>(row);
    }
  ElementCopy copy(rows.values, call.outputs[1]);
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t to = places[static_cast<size_t>(rows.row(i))]++;
    std::copy_n(rows.indices.begin() + i * rows.width, width,
                indices.begin() + to * rows.width);
    copy(i, to);
    map[static_cast<size_t>(i)] = to;
  }
  return okStatus();
}

Status checkVector(const Tensor &tensor, std::string_view name) {
  return isVector(tensor)
             ? okStatus()
             : invalidArgumentError(strCat(name, " must be a vector, saw: ",
                                           tensor.shape().toString()));
}

Status checkScalar(const Tensor &tensor, std::string_view name) {
  return tensor.rank() == 0
             ? okStatus()
             : invalidArgumentError(strCat(name, " must be a scalar, saw: ",
                                           tensor.shape().toString()));
}

Status checkLengths(const Tensor &values, const Tensor &indices,
                    std::string_view name) {
  return values.dim(0) == indices.dim(0)
             ? okStatus()
             : invalidArgumentError(
                   strCat("The length of `values` (", values.dim(0),
                          ") must match the first dimension of `", name, "` (",
                          indices.dim(0), ")."));
}

} // namespace

Status raggedFillEmptyRows(const HostCall &call) {
  const Tensor &ids = call.inputs[0], &values = call.inputs[1],
               &rows = call.inputs[2], &fill = call.inputs[3];
  KILN_RETURN_IF_ERROR(checkScalar(rows, "nrows"));
  KILN_RETURN_IF_ERROR(checkVector(ids, "value_rowids"));
  KILN_RETURN_IF_ERROR(checkVector(values, "values"));
  KILN_RETURN_IF_ERROR(checkLengths(values, ids, "value_rowids"));
  KILN_RETURN_IF_ERROR(checkScalar(fill, "default_value"));
  return fillRows(call, {ids.data<int64_t>(), 1, ids, values, fill,
                         rows.data<int64_t>()[0]});
}

} // namespace kiln::host
