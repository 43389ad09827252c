// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays: the checks of each access, in TensorFlow's order and with its
// texts (2.21).
#include "runtime/kernels/AddElements.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/SlotCall.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DTypeDispatch.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

bool isIn(int64_t index, const Slot &slot) {
  return index >= 0 && static_cast<uint64_t>(index) < slot.size;
}

/// size -> ; numbers: slot, flags, dtype, rank or -1, dimensions
int32_t make(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.anySlot();
  if (!slot)
    return 1;
  slot->flags = call.number(1);
  slot->dtype = static_cast<DType>(call.number(2));
  slot->shape.hasRank = call.number(3) >= 0;
  slot->shape.dims.assign(raw->numbers + 4, raw->numbers + raw->numNumbers);
  slot->maxSize = -1;
  int32_t size = call.index(0);
  if (size < 0)
    return !call.failText("Size should be >= 0.");
  return !call.slots().make(*slot, size, call.state(), call.node());
}

/// numbers: the gradient's slot, the array's. Made once for what the array is.
int32_t makeGradient(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *gradient = call.anySlot(), *array = call.slot(1);
  if (!gradient || !array)
    return 1;
  if (array->is(slotAddsWrites))
    return !call.failText(
        "Unable to create a gradients TensorArray of a gradients TensorArray.  "
        "Gradient calculation is impossible when multiple writes are performed "
        "to the same index.");
  if (gradient->madeOf == array->made)
    return 0;
  array->flags &= ~slotGrows;
  gradient->flags =
      slotClearsRead | slotAddsWrites | (array->flags & slotHasOneShape);
  gradient->dtype = array->dtype;
  gradient->shape = array->shape;
  gradient->madeOf = array->made;
  // The second number may be followed by dimensions put in front of each shape.
  gradient->shape.dims.insert(gradient->shape.dims.begin(), raw->numbers + 2,
                              raw->numbers + raw->numNumbers);
  return !call.slots().make(*gradient, static_cast<int64_t>(array->size),
                            call.state(), call.node());
}

bool write(const SlotCall &call, Slot &slot, int64_t index,
           std::span<const int64_t> dims, const void *data) {
  if (index < 0 || (!slot.is(slotGrows) && !isIn(index, slot)))
    return call.failText(
        "Tried to write to index ", index,
        " but array is not resizeable and size is: ", slot.size);
  if (!isIn(index, slot) &&
      !call.slots().resize(slot, index + 1, call.state(), call.node()))
    return false;
  if (!slot.shape.fits(dims))
    return call.failText(
        "Could not write to TensorArray index ", index,
        " because the value shape is ", shapeText(dims),
        " which is incompatible with the TensorArray's inferred element "
        "shape: ",
        shapeText(slot.shape), " (consider setting infer_shape=False).");
  if (slot.is(slotHasOneShape) && !slot.shape.isFullyDefined()) {
    slot.shape.hasRank = true;
    slot.shape.dims.assign(dims.begin(), dims.end());
  }
  SlotElement &element = slot.elements[static_cast<size_t>(index)];
  if (element.state & SlotElement::read)
    return call.failText("Could not write to TensorArray index ", index,
                         " because it has already been read.");
  if (!(element.state & SlotElement::written)) {
    element.state = SlotElement::written;
    return call.store(element, dims, data, slot.dtype);
  }
  if (!slot.is(slotAddsWrites))
    return call.failText("Could not write to TensorArray index ", index,
                         " because it has already been written to.");
  if (!std::ranges::equal(element.shape(), dims))
    return call.failText("Could not aggregate to TensorArray index ", index,
                         " because the existing shape is ",
                         shapeText(element.shape()),
                         " but the new input shape is ", shapeText(dims), ".");
  dispatchElement(slot.dtype, [&]<class T>(T) {
    addElements(reinterpret_cast<T *>(element.data),
                static_cast<const T *>(data),
                element.bytes / static_cast<int64_t>(sizeof(T)));
  });
  return true;
}

/// index, value ->
int32_t writeOne(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  return !slot || !write(call, *slot, call.index(0), call.inputDims(1),
                         call.input<char>(1));
}

bool readable(const SlotCall &call, Slot &slot, int64_t index) {
  if (!isIn(index, slot))
    return call.failText("Tried to read from index ", index,
                         " but array size is: ", slot.size);
  if (slot.elements[static_cast<size_t>(index)].state & SlotElement::cleared)
    return call.failText("Could not read index ", index,
                         " twice because it was cleared after a previous read "
                         "(perhaps try setting clear_after_read = false?).");
  return call.prepareRead(slot, index);
}

void noteRead(const Slot &slot, SlotElement &element) {
  element.state |= slot.is(slotClearsRead)
                       ? SlotElement::read | SlotElement::cleared
                       : SlotElement::read;
}

/// index -> value
int32_t readOne(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  int32_t index = call.index(0);
  return !slot || !readable(call, *slot, index) ||
         !call.gather(*slot, std::span(&index, 1), call.output<char>(0),
                      call.outputDims(0)) ||
         (noteRead(*slot, slot->elements[static_cast<size_t>(index)]), false);
}

/// indices -> their elements
int32_t readMany(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  if (!slot)
    return 1;
  std::span indices(call.input<int32_t>(0),
                    static_cast<size_t>(call.inputElements(0)));
  for (int32_t index : indices) {
    if (!readable(call, *slot, index))
      return 1;
    noteRead(*slot, slot->elements[static_cast<size_t>(index)]);
  }
  return !call.gather(*slot, indices, call.output<char>(0),
                      call.outputDims(0).subspan(1));
}

/// indices, value -> ; row i goes to element indices[i]
int32_t writeMany(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  if (!slot)
    return 1;
  std::span indices(call.input<int32_t>(0),
                    static_cast<size_t>(call.inputElements(0)));
  int64_t largest = -1;
  for (int32_t index : indices)
    largest = std::max<int64_t>(largest, index);
  if (largest >= static_cast<int64_t>(slot->size)) {
    if (!slot->is(slotGrows))
      return !call.failText("Max scatter index must be < array size (", largest,
                            " vs. ", slot->size, ")");
    if (!call.slots().resize(*slot, largest + 1, call.state(), call.node()))
      return 1;
  }
  std::span<const int64_t> dims = call.inputDims(1).subspan(1);
  int64_t bytes = SlotCall::bytesOf(dims, slot->dtype);
  const char *row = call.input<char>(1);
  for (int32_t index : indices) {
    if (!write(call, *slot, index, dims, row))
      return 1;
    row += bytes;
  }
  return mustStop(call.state());
}

/// -> all elements along dimension 0, their lengths
int32_t concat(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  if (!slot)
    return 1;
  char *to = call.output<char>(0);
  std::span<const int64_t> all = call.outputDims(0), first;
  int64_t rows = 0;
  if (static_cast<int64_t>(slot->size) != call.outputElements(1))
    return !call.failStatic("expected an array of ", call.outputElements(1),
                            " elements, got ", slot->size);
  for (size_t i = 0; i < slot->size; ++i) {
    if (!readable(call, *slot, static_cast<int64_t>(i)))
      return 1;
    SlotElement &element = slot->elements[i];
    std::span<const int64_t> shape = element.shape();
    if (shape.empty())
      return !call.failText("Concat saw a scalar shape at index ", i,
                            " but requires at least vectors.  Did you mean to "
                            "call pack?");
    if (i == 0)
      first = shape;
    if (!std::ranges::equal(shape.subspan(1), first.subspan(1)))
      return !call.failText(
          "TensorArray has inconsistent shapes.  Index 0 has (excepting "
          "dimension 0) shape: ",
          shapeText(first.subspan(1)), " but index ", i,
          " has (excepting dimension 0) shape: ", shapeText(shape.subspan(1)));
    rows += shape[0];
    if (rows > all[0] || !std::ranges::equal(shape.subspan(1), all.subspan(1)))
      return !call.failStatic("expected elements of ", all[0], " rows, got ",
                              rows);
    if (element.bytes != 0)
      std::memcpy(to, element.data, static_cast<size_t>(element.bytes));
    to += element.bytes;
    call.output<int64_t>(1)[i] = shape[0];
    noteRead(*slot, element);
  }
  return rows == all[0] ? mustStop(call.state())
                        : !call.failStatic("expected elements of ", all[0],
                                           " rows, got ", rows);
}

/// value, lengths ->
int32_t split(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  if (!slot)
    return 1;
  std::span lengths(call.input<int64_t>(1),
                    static_cast<size_t>(call.inputElements(1)));
  std::span<const int64_t> all = call.inputDims(0);
  if (all.empty())
    return !call.failText(
        "Expected value to be at least a vector, but received "
        "shape: []");
  CheckedInt64 sum;
  for (int64_t length : lengths)
    sum += length < 0 ? INT64_MAX : length;
  if (sum.value() != all[0])
    return !call.failText("Expected sum of lengths to be equal to "
                          "values.shape[0], but sum of lengths is ",
                          sum.value().value_or(INT64_MAX),
                          " and value's shape is: ", shapeText(all));
  if (lengths.size() > slot->size && slot->is(slotGrows) &&
      !call.slots().resize(*slot, static_cast<int64_t>(lengths.size()),
                           call.state(), call.node()))
    return 1;
  if (lengths.size() != slot->size)
    return !call.failText("TensorArray's size is not equal to the size of "
                          "lengths (",
                          slot->size, " vs. ", lengths.size(), ")",
                          slot->is(slotGrows)
                              ? ""
                              : ", and the TensorArray is not marked as "
                                "dynamically resizeable");
  std::vector<int64_t> dims(all.begin(), all.end());
  const char *row = call.input<char>(0);
  for (size_t i = 0; i < lengths.size(); ++i) {
    dims[0] = lengths[i];
    if (!write(call, *slot, static_cast<int64_t>(i), dims, row))
      return 1;
    row += SlotCall::bytesOf(dims, slot->dtype);
  }
  return mustStop(call.state());
}

/// -> the number of elements
int32_t size(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  if (!slot)
    return 1;
  *call.output<int32_t>(0) = static_cast<int32_t>(slot->size);
  return 0;
}

int32_t close(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.anySlot();
  if (!slot)
    return 1;
  slot->flags |= slotIsClosed;
  return !call.slots().make(*slot, 0, call.state(), call.node());
}

//===--- Stacks -----------------------------------------------------------===//

/// size -> ; numbers: slot, dtype
int32_t makeStack(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.anySlot();
  if (!slot)
    return 1;
  slot->flags = 0;
  slot->dtype = static_cast<DType>(call.number(1));
  slot->shape = SlotShape();
  slot->maxSize = call.index(0);
  return !call.slots().make(*slot, 0, call.state(), call.node());
}

/// value ->
int32_t push(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.anySlot();
  if (!slot)
    return 1;
  if (slot->is(slotIsClosed))
    return !call.failText("Stack has already been closed.");
  auto size = static_cast<int64_t>(slot->size);
  if (slot->maxSize >= 0 && size >= slot->maxSize)
    return !call.failText("Stack overflowed its max_size (", slot->maxSize,
                          ")");
  if (!call.slots().resize(*slot, size + 1, call.state(), call.node()))
    return 1;
  SlotElement &element = slot->elements[static_cast<size_t>(size)];
  element.state = SlotElement::written;
  return !call.store(element, call.inputDims(0), call.input<char>(0),
                     slot->dtype);
}

/// -> the last element
int32_t pop(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.anySlot();
  if (!slot)
    return 1;
  if (slot->is(slotIsClosed))
    return !call.failText("Stack has already been closed.");
  if (slot->size == 0)
    return !call.failText("Stack is empty when calling Pop().");
  auto last = static_cast<int32_t>(slot->size - 1);
  bool taken = call.gather(*slot, std::span(&last, 1), call.output<char>(0),
                           call.outputDims(0));
  slot->size -= 1;
  return !taken;
}

} // namespace

std::vector<Kernel> slotArrayKernels() {
  auto kernel = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/true, /*mayFail=*/true};
  };
  return {kernel("SlotMake", make),
          kernel("SlotMakeGradient", makeGradient),
          kernel("SlotWrite", writeOne),
          kernel("SlotRead", readOne),
          kernel("SlotReadMany", readMany),
          kernel("SlotWriteMany", writeMany),
          kernel("SlotConcat", concat),
          kernel("SlotSplit", split),
          kernel("SlotSize", size),
          kernel("SlotClose", close),
          kernel("SlotMakeStack", makeStack),
          kernel("SlotPush", push),
          kernel("SlotPop", pop)};
}

} // namespace kiln
