// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorLists: the checks of each access, with TensorFlow's texts (2.21).
// Import has copied what must not change.
#include "lib/Support/DTypeDispatch.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/slots/SlotList.h"

#include <algorithm>
#include <cstring>

namespace kiln {

bool makeList(const SlotCall &call, Slot &list, DType dtype, SlotShape shape,
              int64_t size) {
  list.flags = 0;
  list.stateOfRead = 0;
  list.type = dtype;
  list.shape = std::move(shape);
  list.maxSize = -1;
  return call.slots().make(list, size, call.state(), call.node());
}

bool putElement(const SlotCall &call, Slot &list, int64_t index,
                std::span<const int64_t> dims, const void *data) {
  list.states[index] = kilnSlotWritten;
  return call.store(list, index, dims, data);
}

bool growList(const SlotCall &call, Slot &list) {
  if (list.maxSize >= 0 && list.size >= list.maxSize)
    return call.failText("Tried to push item into a full list list size: ",
                         list.size, " max_num_elements: ", list.maxSize);
  return call.slots().resize(list, list.size + 1, call.state(), call.node());
}

SlotShape shapeOf(const SlotCall &call, int input) {
  SlotShape shape;
  shape.hasRank = !call.inputDims(input).empty();
  for (int64_t i = 0; shape.hasRank && i < call.inputElements(input); ++i)
    shape.dims.push_back(call.inputDType(input) == DType::Int32
                             ? call.input<int32_t>(input)[i]
                             : call.input<int64_t>(input)[i]);
  return shape;
}

bool merge(const SlotCall &call, SlotShape &shape,
           std::span<const int64_t> more) {
  if (!shape.hasRank) {
    shape.hasRank = true;
    shape.dims.assign(more.begin(), more.end());
    return true;
  }
  if (shape.dims.size() != more.size())
    return call.failText(
        "PartialTensorShape: Incompatible ranks during merge: ",
        shape.dims.size(), " vs. ", more.size());
  for (size_t d = 0; d < more.size(); ++d)
    if (shape.dims[d] >= 0 && more[d] >= 0 && shape.dims[d] != more[d])
      return call.failText(
          "PartialTensorShape: Incompatible shapes during merge: ",
          shapeText(shape), " vs. ", shapeText(more));
  for (size_t d = 0; d < more.size(); ++d)
    if (shape.dims[d] < 0)
      shape.dims[d] = more[d];
  return true;
}

bool mergedShape(const SlotCall &call, const Slot &list, int input,
                 SlotShape &shape) {
  shape = shapeOf(call, input);
  return !list.shape.hasRank || merge(call, shape, list.shape.dims);
}

bool checkType(const SlotCall &call, const Slot &list, DType given) {
  // What a list of lists has where none was put, as TensorFlow says it.
  if (list.type == DType::Invalid)
    return call.failText("Input handle is not a list. Saw: 'Variant<type: int "
                         "value: 0>'");
  return given == storedAs(list.type) ||
         call.failText("Invalid data types; op elements ", dtypeTfName(given),
                       " but list elements ", dtypeTfName(list.type));
}

namespace {

/// element_shape, max_num_elements -> ; numbers: slot, dtype
int32_t makeEmpty(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                         shapeOf(call, 0), 0))
    return 1;
  list->maxSize = call.index(1);
  return 0;
}

/// element_shape, num_elements -> ; numbers: slot, dtype
int32_t reserve(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  if (call.inputElements(1) != 1)
    return !call.failText(
        "The num_elements to reserve must be a tensor size 1, but got ",
        shapeText(call.inputDims(1)));
  if (call.index(1) < 0)
    return !call.failText(
        "The num_elements to reserve must be a non negative number, but got ",
        call.index(1));
  Slot *list = call.slot();
  return !list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                            shapeOf(call, 0), call.index(1));
}

/// value ->
int32_t push(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.inputDType(0)))
    return 1;
  if (!list->shape.fits(call.inputDims(0)))
    return !call.failText("Tried to append a tensor with incompatible shape to "
                          "a list. Op element shape: ",
                          shapeText(call.inputDims(0)),
                          " list shape: ", shapeText(list->shape));
  return !growList(call, *list) ||
         !putElement(call, *list, list->size - 1, call.inputDims(0),
                     call.input<char>(0));
}

/// Gives an element, or zeros of a shape for one without a value.
bool give(const SlotCall &call, const Slot &list, int64_t index,
          const SlotShape &shape) {
  if (list.isWritten(index))
    return call.giveElement(0, list.element(index));
  char *to = nullptr;
  if (!call.give(0, shape.dims, to))
    return false;
  if (int64_t bytes = SlotCall::bytesOf(shape.dims, list.type); bytes != 0)
    std::memset(to, 0, static_cast<size_t>(bytes));
  return true;
}

/// element_shape -> value
int32_t pop(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list)
    return 1;
  if (list->size == 0)
    return !call.failText("Trying to pop from an empty list.");
  if (!checkType(call, *list, call.outputDType(0)))
    return 1;
  SlotShape shape;
  if (!list->isWritten(list->size - 1)) {
    if (!mergedShape(call, *list, 0, shape))
      return 1;
    if (!shape.isFullyDefined())
      return !call.failText("Trying to read an uninitialized tensor but "
                            "element_shape is not fully defined.",
                            shapeText(shape));
  }
  list->size -= 1;
  return !give(call, *list, list->size, shape);
}

/// index, element_shape -> value
int32_t getItem(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.outputDType(0)))
    return 1;
  if (!isIn(call.index(0), *list))
    return !call.failText("Trying to access element ", call.index(0),
                          " in a list with ", list->size, " elements.");
  SlotShape shape;
  if (!list->isWritten(call.index(0))) {
    if (!mergedShape(call, *list, 1, shape))
      return 1;
    // What is not known of the shape the other elements say.
    bool isOpen = !shape.isFullyDefined();
    for (int64_t i = 0; isOpen && i < list->size; ++i)
      if (list->isWritten(i) && !merge(call, shape, list->element(i).shape()))
        return 1;
    if (!shape.isFullyDefined())
      return !call.failText("Trying to read an uninitialized tensor but "
                            "element_shape is not fully defined: ",
                            shapeText(shape), " and no list element is set.");
  }
  return !give(call, *list, call.index(0), shape);
}

/// index, value -> ; numbers: slot, whether the list grows
int32_t setItem(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list || !checkType(call, *list, call.inputDType(1)))
    return 1;
  int64_t index = call.index(0);
  bool grows = call.number(1) != 0 && index >= 0;
  if (!isIn(index, *list) && !grows)
    return !call.failText("Trying to modify element ", index,
                          " in a list with ", list->size, " elements.");
  if (!list->shape.fits(call.inputDims(1)))
    return !call.failText("Tried to set a tensor with incompatible shape at a "
                          "list index. Item element shape: ",
                          shapeText(call.inputDims(1)),
                          " list shape: ", shapeText(list->shape));
  if (!isIn(index, *list) &&
      !call.slots().resize(*list, index + 1, call.state(), call.node()))
    return 1;
  return !putElement(call, *list, index, call.inputDims(1),
                     call.input<char>(1));
}

/// -> the number of elements
int32_t length(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  return !list || !call.giveSize(0, *list);
}

/// size ->
int32_t resize(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list)
    return 1;
  if (call.index(0) < 0)
    return !call.failText("TensorListSlice expects size to be non-negative. "
                          "Got: ",
                          call.index(0));
  return !call.slots().resize(*list, call.index(0), call.state(), call.node());
}

/// -> the shape of elements, -1 for an unknown rank
int32_t elementShape(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot();
  if (!list)
    return 1;
  const SlotShape &shape = list->shape;
  int64_t rank = static_cast<int64_t>(shape.dims.size()), noRank = -1;
  std::span<const int64_t> dims(&noRank, 1);
  if (shape.hasRank)
    dims = shape.dims;
  char *to = nullptr;
  if (!call.give(0, {&rank, shape.hasRank ? size_t(1) : size_t(0)}, to))
    return 1;
  if (call.outputDType(0) == DType::Int32)
    std::copy(dims.begin(), dims.end(), reinterpret_cast<int32_t *>(to));
  else
    std::copy(dims.begin(), dims.end(), reinterpret_cast<int64_t *>(to));
  return 0;
}

} // namespace

std::vector<Kernel> slotListKernels() {
  return {slotKernel<makeEmpty>("ListMake"),
          slotKernel<reserve>("ListReserve"),
          slotKernel<push>("ListPush"),
          slotKernel<pop>("ListPop"),
          slotKernel<getItem>("ListGet"),
          slotKernel<setItem>("ListSet"),
          slotKernel<length>("ListLength"),
          slotKernel<resize>("ListResize"),
          slotKernel<elementShape>("ListElementShape")};
}

} // namespace kiln
