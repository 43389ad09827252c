// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorLists: the checks of each access, with TensorFlow's texts (2.21).
// Import has copied what must not change.
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/SlotList.h"

#include <algorithm>
#include <cstring>

namespace kiln {

bool makeList(const SlotCall &call, Slot &list, DType dtype, SlotShape shape,
              int64_t size) {
  list.flags = 0;
  list.dtype = dtype;
  list.shape = std::move(shape);
  list.maxSize = -1;
  return call.slots().make(list, size, call.state(), call.node());
}

bool putElement(const SlotCall &call, Slot &list, int64_t index,
                std::span<const int64_t> dims, const void *data) {
  SlotElement &element = list.elements[static_cast<size_t>(index)];
  element.state = SlotElement::written;
  return call.store(element, dims, data, list.dtype);
}

bool growList(const SlotCall &call, Slot &list) {
  if (list.maxSize >= 0 && sizeOf(list) >= list.maxSize)
    return call.failText("Tried to push item into a full list list size: ",
                         list.size, " max_num_elements: ", list.maxSize);
  return call.slots().resize(list, sizeOf(list) + 1, call.state(), call.node());
}

namespace {

/// A shape as an input: -1 as a scalar for an unknown rank, as a dimension for
/// an unknown one.
SlotShape shapeOf(const SlotCall &call, int input) {
  SlotShape shape;
  shape.hasRank = !call.inputDims(input).empty();
  for (int64_t i = 0; shape.hasRank && i < call.inputElements(input); ++i)
    shape.dims.push_back(call.inputDType(input) == DType::Int32
                             ? call.input<int32_t>(input)[i]
                             : call.input<int64_t>(input)[i]);
  return shape;
}

/// element_shape, max_num_elements -> ; numbers: slot, dtype
int32_t makeEmpty(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                         shapeOf(call, 0), 0))
    return 1;
  list->maxSize = call.index(1);
  return 0;
}

/// element_shape, num_elements -> ; numbers: slot, dtype
int32_t reserve(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  if (call.index(1) < 0)
    return !call.failText(
        "The num_elements to reserve must be a non negative number, but got ",
        call.index(1));
  Slot *list = call.anySlot();
  return !list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                            shapeOf(call, 0), call.index(1));
}

/// value ->
int32_t push(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  if (!list->shape.fits(call.inputDims(0)))
    return !call.failText("Tried to append a tensor with incompatible shape to "
                          "a list. Op element shape: ",
                          shapeText(call.inputDims(0)),
                          " list shape: ", shapeText(list->shape));
  return !growList(call, *list) ||
         !putElement(call, *list, sizeOf(*list) - 1, call.inputDims(0),
                     call.input<char>(0));
}

/// Copies an element, or zeros for one without a value, which must have a known
/// shape: its op's, its list's or that of other elements. The output has it.
bool get(const SlotCall &call, Slot &list, int64_t index, int shapeInput,
         char *to, std::span<const int64_t> dims) {
  const SlotElement &element = list.elements[static_cast<size_t>(index)];
  SlotShape wanted = shapeOf(call, shapeInput);
  if (isWritten(element)) {
    if (!wanted.fits(element.shape()))
      return call.failText(
          "Incompatible shapes during merge: ", shapeText(wanted), " vs. ",
          shapeText(element.shape()));
    auto place = static_cast<int32_t>(index);
    return call.gather(list, std::span(&place, 1), to, dims);
  }
  bool isKnown =
      wanted.isFullyDefined() || list.shape.isFullyDefined() ||
      std::any_of(list.elements.begin(),
                  list.elements.begin() + static_cast<ptrdiff_t>(list.size),
                  isWritten);
  if (!isKnown)
    return call.failText("Trying to read an uninitialized tensor but "
                         "element_shape is not fully defined: ",
                         shapeText(wanted), " and no list element is set.");
  int64_t bytes = SlotCall::bytesOf(dims, list.dtype);
  if (bytes != 0)
    std::memset(to, 0, static_cast<size_t>(bytes));
  return true;
}

/// element_shape -> value
int32_t pop(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  if (list->size == 0)
    return !call.failText("Trying to pop from an empty list.");
  bool taken = get(call, *list, sizeOf(*list) - 1, 0, call.output<char>(0),
                   call.outputDims(0));
  list->size -= 1;
  return !taken;
}

/// index, element_shape -> value
int32_t getItem(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  if (!isIn(call.index(0), *list))
    return !call.failText("Trying to access element ", call.index(0),
                          " in a list with ", list->size, " elements.");
  return !get(call, *list, call.index(0), 1, call.output<char>(0),
              call.outputDims(0));
}

/// index, value -> ; numbers: slot, whether the list grows
int32_t setItem(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
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
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  *call.output<int32_t>(0) = static_cast<int32_t>(list->size);
  return 0;
}

/// element_shape -> all elements; numbers: slot, their number or -1
int32_t stack(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  if (call.number(1) >= 0 && call.number(1) != sizeOf(*list))
    return !call.failText("Operation expected a list with ", call.number(1),
                          " elements but got a list with ", list->size,
                          " elements.");
  std::span<const int64_t> all = call.outputDims(0);
  if (all[0] != sizeOf(*list))
    return !call.failStatic("expected a list with ", all[0],
                            " elements, got one with ", list->size);
  SlotShape wanted = shapeOf(call, 0);
  bool isKnown = wanted.isFullyDefined() || list->shape.isFullyDefined();
  if (list->size == 0 && !isKnown)
    return !call.failText("Tried to stack elements of an empty list with "
                          "non-fully-defined element_shape: ",
                          shapeText(list->shape));
  char *to = call.output<char>(0);
  int64_t bytes = SlotCall::bytesOf(all.subspan(1), list->dtype);
  for (int64_t i = 0; i < all[0]; ++i, to += bytes)
    if (!get(call, *list, i, 0, to, all.subspan(1)))
      return 1;
  return mustStop(call.state());
}

/// indices, element_shape -> their elements
int32_t gather(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  std::span<const int64_t> row = call.outputDims(0).subspan(1);
  char *to = call.output<char>(0);
  for (int64_t i = 0; i < call.inputElements(0); ++i) {
    int32_t index = call.input<int32_t>(0)[i];
    if (!isIn(index, *list))
      return !call.failText("Trying to gather element ", index,
                            " in a list with ", list->size, " elements.");
    if (!get(call, *list, index, 1, to, row))
      return 1;
    to += SlotCall::bytesOf(row, list->dtype);
  }
  return mustStop(call.state());
}

/// tensor, element_shape -> ; numbers: slot, dtype
int32_t fromTensor(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  std::span<const int64_t> all = call.inputDims(0);
  if (!list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                         shapeOf(call, 1), all[0]))
    return 1;
  if (!list->shape.fits(all.subspan(1)))
    return !call.failText("Specified a list with shape ",
                          shapeText(list->shape), " from a tensor with shape ",
                          shapeText(all.subspan(1)));
  const char *row = call.input<char>(0);
  for (int64_t i = 0; i < all[0]; ++i) {
    if (!putElement(call, *list, i, all.subspan(1), row))
      return 1;
    row += SlotCall::bytesOf(all.subspan(1), list->dtype);
  }
  return mustStop(call.state());
}

/// Row i of input 0 goes to element indices[i], for which the list grows.
int32_t scatterInto(const SlotCall &call, Slot &list) {
  std::span<const int64_t> all = call.inputDims(0);
  if (!list.shape.fits(all.subspan(1)))
    return !call.failText("Specified a list with shape ", shapeText(list.shape),
                          " from a tensor with shape ",
                          shapeText(all.subspan(1)));
  int64_t largest = -1;
  std::span indices(call.input<int32_t>(1),
                    static_cast<size_t>(call.inputElements(1)));
  for (int32_t index : indices) {
    if (index < 0)
      return !call.failText(
          "Indices in TensorListScatter must all be non-negative.");
    largest = std::max<int64_t>(largest, index);
  }
  if (largest >= sizeOf(list) &&
      !call.slots().resize(list, largest + 1, call.state(), call.node()))
    return 1;
  const char *row = call.input<char>(0);
  for (int32_t index : indices) {
    if (!putElement(call, list, index, all.subspan(1), row))
      return 1;
    row += SlotCall::bytesOf(all.subspan(1), list.dtype);
  }
  return mustStop(call.state());
}

/// tensor, indices ->
int32_t scatter(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  return list ? scatterInto(call, *list) : 1;
}

/// tensor, indices, element_shape, num_elements -> ; numbers: slot, dtype
int32_t scatterNew(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  int64_t least = call.index(3);
  if (least < -1)
    return !call.failText(
        "TensorListScatter expects num_elements >= -1, found: ", least);
  return !list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                            shapeOf(call, 2), std::max<int64_t>(least, 0))
             ? 1
             : scatterInto(call, *list);
}

/// size ->
int32_t resize(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  if (call.index(0) < 0)
    return !call.failText("TensorListSlice expects size to be non-negative. "
                          "Got: ",
                          call.index(0));
  return !call.slots().resize(*list, call.index(0), call.state(), call.node());
}

/// element_shape, leading_dims -> all elements along dimension 0, their lengths
int32_t concat(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  std::span<const int64_t> all = call.outputDims(0);
  char *to = call.output<char>(0);
  int64_t rows = 0;
  if (call.outputElements(1) != sizeOf(*list))
    return !call.failStatic("expected a list with ", call.outputElements(1),
                            " elements, got one with ", list->size);
  for (size_t i = 0; i < list->size; ++i) {
    const SlotElement &element = list->elements[i];
    if (!isWritten(element) || element.shape().empty() ||
        !std::ranges::equal(element.shape().subspan(1), all.subspan(1)) ||
        rows + element.shape()[0] > all[0])
      return !call.failStatic("expected element ", i, " of shape ",
                              shapeText(all), " at most, got ",
                              isWritten(element) ? shapeText(element.shape())
                                                 : "none");
    if (element.bytes != 0)
      std::memcpy(to, element.data, static_cast<size_t>(element.bytes));
    to += element.bytes;
    rows += element.shape()[0];
    call.output<int64_t>(1)[i] = element.shape()[0];
  }
  return rows == all[0] ? mustStop(call.state())
                        : !call.failStatic("expected elements of ", all[0],
                                           " rows, got ", rows);
}

/// tensor, element_shape, lengths -> ; numbers: slot, dtype
int32_t split(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  std::span<const int64_t> all = call.inputDims(0);
  int64_t count = call.inputElements(2);
  if (!list || !makeList(call, *list, static_cast<DType>(call.number(1)),
                         shapeOf(call, 1), count))
    return 1;
  std::vector<int64_t> dims(all.begin(), all.end());
  const char *row = call.input<char>(0);
  int64_t rows = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t more = dims[0] = call.input<int64_t>(2)[i];
    if (more < 0)
      return !call.failText("Invalid value in lengths: ", more);
    if (more > all[0] - rows)
      return !call.failText("Attempting to slice [", rows, ", ", rows + more,
                            "] from tensor with length ", all[0]);
    if (!list->shape.fits(dims))
      return !call.failText("Specified a list with shape ",
                            shapeText(list->shape),
                            " from a tensor with shape ", shapeText(dims));
    if (!putElement(call, *list, i, dims, row))
      return 1;
    row += SlotCall::bytesOf(dims, list->dtype);
    rows += more;
  }
  return rows == all[0] ? mustStop(call.state())
                        : !call.failText("Unused values in tensor. Length of "
                                         "tensor: ",
                                         all[0], " Values used: ", rows);
}

/// -> the shape of elements, -1 for an unknown rank
int32_t elementShape(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.anySlot();
  if (!list)
    return 1;
  int64_t count = call.outputElements(0);
  if (call.outputDims(0).empty()
          ? list->shape.hasRank
          : !list->shape.hasRank ||
                count != static_cast<int64_t>(list->shape.dims.size()))
    return !call.failStatic("expected the shape of elements to have ", count,
                            " dimensions, got ", shapeText(list->shape));
  for (int64_t i = 0; i < count; ++i) {
    int64_t dim =
        list->shape.hasRank ? list->shape.dims[static_cast<size_t>(i)] : -1;
    if (call.outputDType(0) == DType::Int32)
      call.output<int32_t>(0)[i] = static_cast<int32_t>(dim);
    else
      call.output<int64_t>(0)[i] = dim;
  }
  return 0;
}

} // namespace

std::vector<Kernel> slotListKernels() {
  auto kernel = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/true, /*mayFail=*/true};
  };
  return {
      kernel("ListMake", makeEmpty),  kernel("ListReserve", reserve),
      kernel("ListPush", push),       kernel("ListPop", pop),
      kernel("ListGet", getItem),     kernel("ListSet", setItem),
      kernel("ListLength", length),   kernel("ListStack", stack),
      kernel("ListGather", gather),   kernel("ListFromTensor", fromTensor),
      kernel("ListScatter", scatter), kernel("ListScatterNew", scatterNew),
      kernel("ListResize", resize),   kernel("ListConcat", concat),
      kernel("ListSplit", split),     kernel("ListElementShape", elementShape)};
}

} // namespace kiln
