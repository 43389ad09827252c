// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorLists and whole tensors: lists as tensors, tensors as lists.
#include "runtime/kernels/Kernels.h"
#include "runtime/slots/SlotList.h"

#include "lib/Support/CheckedMath.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

bool isVector(const SlotCall &call, int input) {
  return !call.inputDims(input).empty() ||
         call.failText("Tensor must be at least a vector, but saw shape: []");
}

/// Whether dimensions behind the first are what the shape says.
bool fitsBehindFirst(const SlotShape &shape, std::span<const int64_t> dims) {
  return std::equal(shape.dims.begin() + 1, shape.dims.end(), dims.begin() + 1,
                    dims.end(),
                    [](int64_t a, int64_t b) { return a < 0 || a == b; });
}

/// Copies element i behind what is there, zeros for one without a value.
void append(PieceCopy &copy, char *&to, const Slot &list, int64_t i,
            int64_t bytes) {
  if (list.isWritten(i))
    copy.add(to, list.element(i).data, bytes);
  else if (bytes != 0)
    std::memset(to, 0, static_cast<size_t>(bytes));
  to += bytes;
}

//===--- Lists as tensors -------------------------------------------------===//

/// element_shape -> all elements; numbers: slot, their number or -1
int32_t stack(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.outputDType(0)))
    return 1;
  if (call.number(1) >= 0 && call.number(1) != list->size)
    return !call.failText("Operation expected a list with ", call.number(1),
                          " elements but got a list with ", list->size,
                          " elements.");
  SlotShape shape;
  if (!mergedShape(call, *list, 0, shape))
    return 1;
  if (list->size == 0 && !shape.isFullyDefined())
    return !call.failText("Tried to stack elements of an empty list with "
                          "non-fully-defined element_shape: ",
                          shapeText(shape));
  for (int64_t i = 0; i < list->size; ++i)
    if (list->isWritten(i) && !merge(call, shape, list->element(i).shape()))
      return 1;
  if (!shape.isFullyDefined())
    return !call.failText("Tried to stack list which only contains "
                          "uninitialized tensors and has a non-fully-defined "
                          "element_shape: ",
                          shapeText(shape));
  int64_t bytes = SlotCall::bytesOf(shape.dims, list->type);
  shape.dims.insert(shape.dims.begin(), list->size);
  char *to = nullptr;
  if (!call.give(0, shape.dims, to))
    return 1;
  PieceCopy copy;
  for (int64_t i = 0; i < list->size; ++i)
    append(copy, to, *list, i, bytes);
  return mustStop(call.state());
}

/// indices, element_shape -> their elements
int32_t gather(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.outputDType(0)))
    return 1;
  std::span indices(call.input<int32_t>(0),
                    static_cast<size_t>(call.inputElements(0)));
  SlotShape shape;
  if (!mergedShape(call, *list, 1, shape))
    return 1;
  if (indices.empty() && !shape.isFullyDefined())
    return !call.failText("Tried to gather 0-elements from a list with "
                          "non-fully-defined shape: ",
                          shapeText(shape));
  for (int32_t index : indices) {
    if (!isIn(index, *list))
      return !call.failText("Trying to gather element ", index,
                            " in a list with ", list->size, " elements.");
    if (list->isWritten(index) &&
        !merge(call, shape, list->element(index).shape()))
      return 1;
  }
  if (!shape.isFullyDefined())
    return !call.failText("Tried to gather uninitialized tensors from a list "
                          "with non-fully-defined element_shape: ",
                          shapeText(shape));
  int64_t bytes = SlotCall::bytesOf(shape.dims, list->type);
  shape.dims.insert(shape.dims.begin(), static_cast<int64_t>(indices.size()));
  char *to = nullptr;
  if (!call.give(0, shape.dims, to))
    return 1;
  PieceCopy copy;
  for (int32_t index : indices)
    append(copy, to, *list, index, bytes);
  return mustStop(call.state());
}

/// What all elements of a list that becomes one tensor have in common.
struct ConcatShape {
  int64_t rows =
      -1; ///< of an element without a value; -1 for an unknown number
  SlotShape row;
};

/// Finds out the shape of rows, and the number of rows that an element without
/// a value has where none is told: that of all others.
bool findRows(const SlotCall &call, const Slot &list, bool isTold,
              ConcatShape &shape) {
  int64_t given = shape.rows;
  bool isFirst = true;
  for (int64_t i = 0; i < list.size; ++i) {
    if (!list.isWritten(i))
      continue;
    std::span<const int64_t> dims = list.element(i).shape();
    if (dims.empty())
      return call.failText("Concat saw a scalar shape at index ", i,
                           " but requires at least vectors.");
    if (!merge(call, shape.row, dims.subspan(1)))
      return false;
    if (given >= 0 && dims[0] != given)
      return call.failText("First entry of element_shape input does not match "
                           "the first dim of list element at index: ",
                           i, " Expected: ", given, " Actual: ", dims[0]);
    if (given < 0 && !isTold)
      shape.rows = isFirst || shape.rows == dims[0] ? dims[0] : -1;
    isFirst = false;
  }
  return shape.row.isFullyDefined() ||
         call.failText("Trying to concat list with only uninitialized tensors "
                       "but element_shape_except_first_dim is not fully "
                       "defined: ",
                       shapeText(shape.row));
}

/// Gives all elements along dimension 0, and their lengths. `told` has the
/// numbers of rows of elements without a value.
int32_t concatRows(const SlotCall &call, const Slot &list, ConcatShape shape,
                   std::span<const int64_t> told) {
  if (list.size == 0 && !shape.row.isFullyDefined())
    return !call.failText("All except the first dimension must be fully "
                          "defined when concating an empty tensor list. "
                          "element_shape: ",
                          shapeText(shape.row));
  if (!findRows(call, list, !told.empty(), shape))
    return 1;
  auto rowsOf = [&](int64_t i) {
    auto place = static_cast<size_t>(i);
    return list.isWritten(i)     ? list.element(i).shape()[0]
           : place < told.size() ? told[place]
                                 : shape.rows;
  };
  CheckedInt64 rows;
  for (int64_t i = 0; i < list.size; ++i) {
    if (rowsOf(i) < 0)
      return !call.failText("List contains uninitialized tensor at index ", i,
                            " but leading_dims has only ", told.size(),
                            " elements.");
    rows += rowsOf(i);
  }
  int64_t bytes = SlotCall::bytesOf(shape.row.dims, list.type),
          count = list.size;
  // Sizes that cannot be are refused with the memory.
  shape.row.dims.insert(shape.row.dims.begin(),
                        rows.value().value_or(INT64_MAX));
  char *to = nullptr, *lengths = nullptr;
  if (!call.give(0, shape.row.dims, to) ||
      !call.give(1, std::span(&count, 1), lengths))
    return 1;
  PieceCopy copy;
  for (int64_t i = 0; i < list.size; ++i) {
    reinterpret_cast<int64_t *>(lengths)[i] = rowsOf(i);
    append(copy, to, list, i, rowsOf(i) * bytes);
  }
  return mustStop(call.state());
}

/// element_shape, leading_dims -> all elements along dimension 0, their lengths
int32_t concat(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.outputDType(0)))
    return 1;
  SlotShape whole;
  if (!mergedShape(call, *list, 0, whole))
    return 1;
  if (whole.hasRank && whole.dims.empty())
    return !call.failText("Concat requires elements to be at least vectors, "
                          "found scalars instead.");
  std::span told(call.input<int64_t>(1),
                 static_cast<size_t>(call.inputElements(1)));
  ConcatShape shape;
  if (whole.hasRank) {
    shape.rows = whole.dims[0];
    shape.row.hasRank = true;
    shape.row.dims.assign(whole.dims.begin() + 1, whole.dims.end());
  }
  return concatRows(call, *list, std::move(shape), told);
}

/// -> all elements along dimension 0, their lengths; numbers: slot, rank of a
/// row or -1, its dimensions
int32_t concatOld(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.outputDType(0)))
    return 1;
  ConcatShape shape;
  shape.row.hasRank = call.number(1) >= 0;
  for (int i = 2; i < call.numNumbers(); ++i)
    shape.row.dims.push_back(call.number(i));
  return concatRows(call, *list, std::move(shape), {});
}

//===--- Tensors as lists -------------------------------------------------===//

/// Puts the rows of input 0 into a list, where indexOf says.
template <class IndexOf>
bool putRows(const SlotCall &call, Slot &list, std::span<const int64_t> row,
             int64_t count, IndexOf &&indexOf) {
  return call.storeRows(list, count, row, call.input<char>(0), /*forbidden=*/0,
                        indexOf, [&](int64_t index, const char *data) {
                          return putElement(call, list, index, row, data);
                        });
}

/// tensor, element_shape -> ; numbers: slot, dtype
int32_t fromTensor(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  std::span<const int64_t> all = call.inputDims(0);
  if (!list || !isVector(call, 0) ||
      !makeList(call, *list, static_cast<DType>(call.number(1)),
                shapeOf(call, 1), all[0]))
    return 1;
  if (!list->shape.fits(all.subspan(1)))
    return !call.failText("Specified a list with shape ",
                          shapeText(list->shape), " from a tensor with shape ",
                          shapeText(all.subspan(1)));
  return !putRows(call, *list, all.subspan(1), all[0], [](int64_t i) {
    return i;
  }) || mustStop(call.state());
}

/// Row i of input 0 goes to element indices[i], for which the list grows up to
/// `maxSize`.
int32_t scatterInto(const SlotCall &call, Slot &list, int64_t maxSize) {
  std::span<const int64_t> row = call.inputDims(0).subspan(1);
  std::span indices(call.input<int32_t>(1),
                    static_cast<size_t>(call.inputElements(1)));
  int64_t largest = -1;
  for (int32_t index : indices) {
    if (index < 0)
      return !call.failText(
          "Indices in TensorListScatter must all be non-negative.");
    if (index >= maxSize)
      return !call.failText("TensorListScatter: Trying to scatter at index ",
                            index, " in list with size ", maxSize);
    largest = std::max<int64_t>(largest, index);
  }
  if (largest >= list.size &&
      !call.slots().resize(list, largest + 1, call.state(), call.node()))
    return 1;
  return !putRows(call, list, row, call.inputElements(1), [&](int64_t i) {
    return indices[static_cast<size_t>(i)];
  }) || mustStop(call.state());
}

/// tensor, indices -> . What the list was made for is not looked at, as in
/// TensorFlow.
int32_t scatter(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.inputDType(0)) ||
      !isVector(call, 0))
    return 1;
  if (call.inputElements(1) != call.inputDims(0)[0])
    return !call.failText("Expected len(indices) == tensor.shape[0], but saw: ",
                          call.inputElements(1), " vs. ", call.inputDims(0)[0]);
  return scatterInto(call, *list, INT64_MAX);
}

/// tensor, indices, element_shape, num_elements -> ; numbers: slot, dtype
int32_t scatterNew(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list)
    return 1;
  if (!call.inputDims(3).empty())
    return !call.failText("num_elements must be a scalar");
  int64_t least = call.index(3);
  if (least < -1)
    return !call.failText(
        "TensorListScatter expects num_elements >= -1, found: ", least);
  if (!isVector(call, 0))
    return 1;
  std::span<const int64_t> all = call.inputDims(0);
  SlotShape shape = shapeOf(call, 2);
  if (!shape.fits(all.subspan(1)))
    return !call.failText("Specified a list with shape ", shapeText(shape),
                          " from a tensor with shape ",
                          shapeText(all.subspan(1)));
  if (call.inputElements(1) != all[0])
    return !call.failText("Invalid number of rows in input tensor. Expected: ",
                          call.inputElements(1), " Actual: ", all[0]);
  return !makeList(call, *list, static_cast<DType>(call.number(1)),
                   std::move(shape), std::max<int64_t>(least, 0))
             ? 1
             : scatterInto(call, *list, least < 0 ? INT64_MAX : least);
}

/// tensor, element_shape, lengths -> ; numbers: slot, dtype
int32_t split(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  std::span<const int64_t> all = call.inputDims(0);
  if (!isVector(call, 0))
    return 1;
  if (call.inputDims(2).size() != 1)
    return !call.failText("Expected lengths to be a vector, received shape: ",
                          shapeText(call.inputDims(2)));
  SlotShape shape = shapeOf(call, 1);
  if (shape.hasRank && shape.dims.empty())
    return !call.failText("TensorListSplit requires element_shape to be at "
                          "least of rank 1, but saw: []");
  // Whatever number of rows an element has, its rows are the tensor's.
  if (shape.hasRank &&
      (shape.dims.size() != all.size() || !fitsBehindFirst(shape, all)))
    return !call.failText("tensor shape ", shapeText(all),
                          " is not compatible with element_shape ",
                          shapeText(shape));
  int64_t count = call.inputElements(2);
  if (!list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                         std::move(shape), count))
    return 1;
  std::vector<int64_t> dims(all.begin(), all.end());
  const char *row = call.input<char>(0);
  int64_t rows = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t more = dims[0] = call.input<int64_t>(2)[i];
    if (more < 0)
      return !call.failText("Invalid value in lengths: ", more);
    if (more > all[0] - rows)
      return !call.failText("Attempting to slice [", rows, ", ",
                            static_cast<uint64_t>(rows) +
                                static_cast<uint64_t>(more),
                            "] from tensor with length ", all[0]);
    if (!list->shape.fits(dims))
      return !call.failText("Specified a list with shape ",
                            shapeText(list->shape),
                            " from a tensor with shape ", shapeText(dims));
    if (!putElement(call, *list, i, dims, row))
      return 1;
    row += SlotCall::bytesOf(dims, list->type);
    rows += more;
  }
  return rows == all[0] ? mustStop(call.state())
                        : !call.failText("Unused values in tensor. Length of "
                                         "tensor: ",
                                         all[0], " Values used: ", rows);
}

} // namespace

std::vector<Kernel> slotListTensorKernels() {
  return {slotKernel<stack>("ListStack"),
          slotKernel<gather>("ListGather"),
          slotKernel<concat>("ListConcat"),
          slotKernel<concatOld>("ListConcatOld"),
          slotKernel<fromTensor>("ListFromTensor"),
          slotKernel<scatter>("ListScatter"),
          slotKernel<scatterNew>("ListScatterNew"),
          slotKernel<split>("ListSplit")};
}

} // namespace kiln
