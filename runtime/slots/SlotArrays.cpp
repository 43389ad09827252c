// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays: the checks of each access, in TensorFlow's order and with its
// texts (2.21).
#include "runtime/kernels/AddElements.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/slots/SlotCall.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DTypeDispatch.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

bool isIn(int64_t index, const Slot &slot) {
  return index >= 0 && index < slot.size;
}

/// A shape that is number `first` and those behind it: rank or -1, dimensions.
SlotShape shapeOf(const SlotCall &call, int first) {
  SlotShape shape;
  shape.hasRank = call.number(first) >= 0;
  for (int i = first + 1; i < call.numNumbers(); ++i)
    shape.dims.push_back(call.number(i));
  return shape;
}

/// What TensorFlow calls an array: the run's number tells those of one name
/// apart.
std::string nameOf(const Slot &slot) {
  std::string name = strCat("TensorArray ", slot.name, "_", slot.number);
  return slot.source.empty() ? name : strCat(name, "@", slot.source);
}

/// The array that number `i` names; null, with the error, where it is closed.
Slot *arrayOf(const SlotCall &call, int i = 0) {
  Slot *slot = call.slot(i);
  if (slot && slot->is(slotIsClosed)) {
    call.failText(nameOf(*slot), " has already been closed.");
    return nullptr;
  }
  return slot;
}

void setFlags(Slot &slot, int64_t flags) {
  slot.flags = flags;
  slot.stateOfRead =
      slot.is(slotClearsRead) ? kilnSlotRead | kilnSlotCleared : kilnSlotRead;
}

/// size, name -> ; numbers: slot, flags, dtype, rank or -1, dimensions
int32_t make(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.newSlot();
  if (!slot)
    return 1;
  slot->name = call.text(1);
  slot->source = {};
  slot->numSplit = -1;
  setFlags(*slot, call.number(1));
  slot->type = static_cast<DType>(call.number(2));
  slot->shape = shapeOf(call, 3);
  slot->maxSize = -1;
  int32_t size = call.index(0);
  if (size < 0)
    return !call.failText("Size should be >= 0.");
  return !call.slots().make(*slot, size, call.state(), call.node());
}

/// Puts the gradient of that source in its place, where it moves: that of the
/// array that is there, which must not be another's where a stack holds it.
bool placeGradient(const SlotCall &call, Slot &array) {
  if (call.number(0) >= 0)
    return true;
  Slot **place = &array.gradients;
  while (*place && (*place)->source != call.text(0))
    place = &(*place)->nextGradient;
  Slot *found = *place;
  if (!found || (found->isHeld && found->madeOf != array.made)) {
    Slot *made = call.slots().addMoving(call.number(0));
    if (!made)
      return call.fail(ErrorKind::OutOfSlots, sizeof(Slot));
    made->source = call.text(0);
    made->nextGradient = found ? found->nextGradient : nullptr;
    *place = found = made;
  }
  return call.slots().move(call.number(0), found) ||
         call.fail(ErrorKind::OutOfSlots, sizeof(Slot));
}

/// Gives the elements of a gradient the shapes of those that the array has by
/// now, behind dimensions in front: where none is written, it is zeros.
bool shapeGradient(const SlotCall &call, Slot &gradient, const Slot &array,
                   std::span<const int32_t> front) {
  for (int64_t i = 0; i < array.size; ++i) {
    if (!array.isWritten(i))
      continue;
    std::span<const int64_t> shape = array.element(i).shape();
    std::vector<int64_t> dims(front.begin(), front.end());
    dims.insert(dims.end(), shape.begin(), shape.end());
    if (!call.slots().shape(gradient, i, dims,
                            SlotCall::bytesOf(dims, gradient.type),
                            call.state(), call.node()))
      return false;
    gradient.states[i] = slotHasShape;
  }
  return true;
}

/// source, dimensions in front of each element's or nothing -> ; numbers: the
/// gradient's slot, the array's. Made once for what the array is.
int32_t makeGradient(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *array = arrayOf(call, 1);
  if (!array || !placeGradient(call, *array))
    return 1;
  Slot *gradient = call.slot();
  if (!gradient)
    return 1;
  if (array->is(slotAddsWrites))
    return !call.failText(
        "Unable to create a gradients TensorArray of a gradients TensorArray.  "
        "Gradient calculation is impossible when multiple writes are performed "
        "to the same index.");
  if (gradient->madeOf == array->made)
    return 0;
  array->flags &= ~slotGrows;
  gradient->name = array->name;
  gradient->number = array->number;
  gradient->source = call.text(0);
  setFlags(*gradient,
           slotClearsRead | slotAddsWrites | (array->flags & slotHasOneShape));
  gradient->type = array->type;
  gradient->shape = array->shape;
  gradient->madeOf = array->made;
  gradient->numSplit = array->numSplit;
  std::span<const int32_t> front;
  if (call.numInputs() > 1)
    front = {call.input<int32_t>(1),
             static_cast<size_t>(call.inputElements(1))};
  if (gradient->shape.hasRank)
    gradient->shape.dims.insert(gradient->shape.dims.begin(), front.begin(),
                                front.end());
  if (!call.slots().make(*gradient, array->size, call.state(), call.node()))
    return 1;
  // What is of one shape that is known needs no shape of each.
  return !gradient->shape.isFullyDefined() &&
         !shapeGradient(call, *gradient, *array, front);
}

bool write(const SlotCall &call, Slot &slot, int64_t index,
           std::span<const int64_t> dims, const void *data) {
  if (index < 0 || (!slot.is(slotGrows) && !isIn(index, slot)))
    return call.failText(
        nameOf(slot), ": Tried to write to index ", index,
        " but array is not resizeable and size is: ", slot.size);
  if (!isIn(index, slot) &&
      !call.slots().resize(slot, index + 1, call.state(), call.node()))
    return false;
  if (!slot.shape.fits(dims))
    return call.failText(
        nameOf(slot), ": Could not write to TensorArray index ", index,
        " because the value shape is ", shapeText(dims),
        " which is incompatible with the TensorArray's inferred element "
        "shape: ",
        shapeText(slot.shape), " (consider setting infer_shape=False).");
  if (slot.is(slotHasOneShape) && !slot.shape.isFullyDefined()) {
    slot.shape.hasRank = true;
    slot.shape.dims.assign(dims.begin(), dims.end());
  }
  uint8_t &state = slot.states[index];
  if (state & kilnSlotRead)
    return call.failText(nameOf(slot),
                         ": Could not write to TensorArray index ", index,
                         " because it has already been read.");
  const bool isWritten = state & kilnSlotWritten;
  if (isWritten && !slot.is(slotAddsWrites))
    return call.failText(nameOf(slot),
                         ": Could not write to TensorArray index ", index,
                         " because it has already been written to.");
  SlotElement element = slot.element(index);
  if (slot.isShaped(index) && !std::ranges::equal(element.shape(), dims))
    return call.failText(
        nameOf(slot), ": Could not aggregate to TensorArray index ", index,
        " because the existing shape is ", shapeText(element.shape()),
        " but the new input shape is ", shapeText(dims), ".");
  if (!isWritten) {
    state = kilnSlotWritten;
    return call.store(slot, index, dims, data);
  }
  if (!isSupported(addedAs(slot.type)))
    return call.failText("expected elements of a dtype that is added, got ",
                         dtypeTfName(slot.type));
  dispatchElement(addedAs(slot.type), [&]<class T>(T) {
    addElements(reinterpret_cast<T *>(element.data),
                static_cast<const T *>(data),
                element.bytes / static_cast<int64_t>(sizeof(T)));
  });
  return true;
}

/// index, value ->
int32_t writeOne(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  return !slot || !write(call, *slot, call.index(0), call.inputDims(1),
                         call.input<char>(1));
}

/// Demands that an element has a value: one that was never written has zeros of
/// a known shape.
bool prepareRead(const SlotCall &call, Slot &slot, int64_t index) {
  if (slot.isWritten(index))
    return true;
  uint8_t &state = slot.states[index];
  if (slot.isShaped(index)) {
    if (SlotElement element = slot.element(index); element.bytes != 0)
      std::memset(element.data, 0, static_cast<size_t>(element.bytes));
    state = kilnSlotWritten;
    return true;
  }
  if (!slot.shape.isFullyDefined())
    return call.failText(
        nameOf(slot), ": Could not read from TensorArray index ", index,
        ".  Furthermore, the element shape is not fully defined: ",
        shapeText(slot.shape),
        ".  It is possible you are working with a resizeable TensorArray and "
        "stop_gradients is not allowing the gradients to be written.  If you "
        "set the full element_shape property on the forward TensorArray, the "
        "proper all-zeros tensor will be returned instead of incurring this "
        "error.");
  int64_t bytes = SlotCall::bytesOf(slot.shape.dims, slot.type);
  if (!call.slots().shape(slot, index, slot.shape.dims, bytes, call.state(),
                          call.node()))
    return false;
  if (bytes != 0)
    std::memset(slot.element(index).data, 0, static_cast<size_t>(bytes));
  state |= kilnSlotWritten;
  return true;
}

bool readable(const SlotCall &call, Slot &slot, int64_t index) {
  if (isIn(index, slot) &&
      (slot.states[index] & (kilnSlotWritten | kilnSlotCleared)) ==
          kilnSlotWritten)
    return true;
  if (!isIn(index, slot))
    return call.failText("Tried to read from index ", index,
                         " but array size is: ", slot.size);
  if (slot.states[index] & kilnSlotCleared)
    return call.failText(nameOf(slot), ": Could not read index ", index,
                         " twice because it was cleared after a previous read "
                         "(perhaps try setting clear_after_read = false?).");
  return prepareRead(call, slot, index);
}

void noteRead(Slot &slot, int64_t index) {
  slot.states[index] |= slot.stateOfRead;
}

/// index -> value
int32_t readOne(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  int32_t index = call.index(0);
  if (!slot || !readable(call, *slot, index))
    return 1;
  noteRead(*slot, index);
  return !call.giveElement(0, slot->element(index));
}

/// Demands that the op says a shape for what has no elements: what the array
/// was made for does not count.
bool demandShape(const SlotCall &call, const SlotShape &shape,
                 std::string_view name, std::string_view verb) {
  return shape.isFullyDefined() ||
         call.failStatic("TensorArray has size zero, but ", name, " ",
                         shapeText(shape),
                         " is not fully defined. Currently only static shapes "
                         "are supported when ",
                         verb, " zero-size TensorArrays.");
}

/// indices -> their elements; numbers: slot, rank of an element or -1,
/// dimensions
int32_t readMany(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  if (!slot)
    return 1;
  SlotShape wanted = shapeOf(call, 1);
  // What is not known of the array's shape yet is said here.
  if (!slot->shape.hasRank)
    slot->shape = wanted;
  for (size_t d = 0;
       d < wanted.dims.size() && wanted.dims.size() == slot->shape.dims.size();
       ++d)
    if (slot->shape.dims[d] < 0)
      slot->shape.dims[d] = wanted.dims[d];
  std::span indices(call.input<int32_t>(0),
                    static_cast<size_t>(call.inputElements(0)));
  if (indices.empty() && !demandShape(call, wanted, "element shape", "packing"))
    return 1;
  auto elementAt = [&](size_t i) { return slot->element(indices[i]); };
  for (int32_t index : indices) {
    if (!readable(call, *slot, index))
      return 1;
    noteRead(*slot, index);
  }
  std::vector<int64_t> dims = {static_cast<int64_t>(indices.size())};
  std::span<const int64_t> row = indices.empty()
                                     ? std::span<const int64_t>(wanted.dims)
                                     : elementAt(0).shape();
  if (!wanted.fits(row))
    return !call.failText(
        "TensorArray was passed element_shape ", shapeText(wanted),
        " which does not match the Tensor at index 0: ", shapeText(row));
  for (size_t i = slot->isRowOf(row) ? indices.size() : 1; i < indices.size();
       ++i)
    if (!std::ranges::equal(elementAt(i).shape(), row))
      return !call.failText(
          "TensorArray has inconsistent shapes.  Index 0 has shape: ",
          shapeText(row), " but index ", i,
          " has shape: ", shapeText(elementAt(i).shape()));
  dims.insert(dims.end(), row.begin(), row.end());
  char *to = nullptr;
  if (!call.give(0, dims, to))
    return 1;
  PieceCopy copy;
  for (size_t i = 0; i < indices.size(); ++i) {
    SlotElement element = elementAt(i);
    copy.add(to, element.data, element.bytes);
    to += element.bytes;
  }
  return mustStop(call.state());
}

/// indices, value -> ; row i goes to element indices[i]
int32_t writeMany(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  if (!slot)
    return 1;
  if (call.inputDims(1).empty())
    return !call.failText("Input value for unpack must be at least a vector "
                          "but received shape: []");
  std::span indices(call.input<int32_t>(0),
                    static_cast<size_t>(call.inputElements(0)));
  int64_t largest = -1;
  for (int32_t index : indices)
    largest = std::max<int64_t>(largest, index);
  if (largest >= slot->size) {
    if (!slot->is(slotGrows))
      return !call.failText("Max scatter index must be < array size (", largest,
                            " vs. ", slot->size, ")");
    if (!call.slots().resize(*slot, largest + 1, call.state(), call.node()))
      return 1;
  }
  std::span<const int64_t> dims = call.inputDims(1).subspan(1);
  bool isDone = call.storeRows(
      *slot, call.inputElements(0), dims, call.input<char>(1),
      /*forbidden=*/0xff,
      [&](int64_t i) { return indices[static_cast<size_t>(i)]; },
      [&](int64_t index, const char *row) {
        return write(call, *slot, index, dims, row);
      });
  return !isDone || mustStop(call.state());
}

/// -> all elements along dimension 0, their lengths; numbers: slot, rank of an
/// element less 1 or -1, dimensions
int32_t concat(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  if (!slot)
    return 1;
  SlotShape except0 = shapeOf(call, 1);
  int64_t count = slot->size;
  // What has become of the array since then was not in the value that was
  // split.
  if (slot->is(slotAddsWrites) && slot->numSplit >= 0)
    count = std::min(count, slot->numSplit);
  if (count == 0 &&
      !demandShape(call, except0, "element_shape_except0", "concatenating"))
    return 1;
  for (int64_t i = 0; i < count; ++i) {
    if (!readable(call, *slot, i))
      return 1;
    noteRead(*slot, i);
  }
  std::span<const int64_t> row = except0.dims;
  std::vector<int64_t> dims = {0};
  CheckedInt64 rows;
  for (int64_t i = 0; i < count; ++i) {
    std::span<const int64_t> shape = slot->element(i).shape();
    if (shape.empty())
      return !call.failText("Concat saw a scalar shape at index ", i,
                            " but requires at least vectors.  Did you mean to "
                            "call pack?");
    if (i == 0 && !except0.fits(shape.subspan(1)))
      return !call.failText(
          "TensorArray was passed element_shape_except0 ", shapeText(except0),
          " but index 0 has (excepting dimension 0) shape: ",
          shapeText(shape.subspan(1)), " which does not match.");
    if (i == 0)
      row = shape.subspan(1);
    if (!std::ranges::equal(shape.subspan(1), row))
      return !call.failText(
          "TensorArray has inconsistent shapes.  Index 0 has (excepting "
          "dimension 0) shape: ",
          shapeText(row), " but index ", i,
          " has (excepting dimension 0) shape: ", shapeText(shape.subspan(1)));
    rows += shape[0];
  }
  // Sizes that cannot be are refused with the memory.
  dims[0] = rows.value().value_or(INT64_MAX);
  dims.insert(dims.end(), row.begin(), row.end());
  char *to = nullptr, *lengths = nullptr;
  if (!call.give(0, dims, to) || !call.give(1, std::span(&count, 1), lengths))
    return 1;
  PieceCopy copy;
  for (int64_t i = 0; i < count; ++i) {
    SlotElement element = slot->element(i);
    copy.add(to, element.data, element.bytes);
    to += element.bytes;
    reinterpret_cast<int64_t *>(lengths)[i] = element.shape()[0];
  }
  return mustStop(call.state());
}

/// value, lengths ->
int32_t split(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  if (!slot)
    return 1;
  if (call.inputDims(1).size() != 1)
    return !call.failText("Expected lengths to be a vector, received shape: ",
                          shapeText(call.inputDims(1)));
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
  auto count = static_cast<int64_t>(lengths.size());
  if (count > slot->size && slot->is(slotGrows) &&
      !call.slots().resize(*slot, count, call.state(), call.node()))
    return 1;
  if (count != slot->size)
    return !call.failText("TensorArray's size is not equal to the size of "
                          "lengths (",
                          slot->size, " vs. ", lengths.size(), ")",
                          slot->is(slotGrows)
                              ? ""
                              : ", and the TensorArray is not marked as "
                                "dynamically resizeable");
  if (!slot->is(slotAddsWrites))
    slot->numSplit = count;
  std::vector<int64_t> dims(all.begin(), all.end());
  const char *row = call.input<char>(0);
  for (int64_t i = 0; i < count; ++i) {
    dims[0] = lengths[static_cast<size_t>(i)];
    if (!write(call, *slot, i, dims, row))
      return 1;
    row += SlotCall::bytesOf(dims, slot->type);
  }
  return mustStop(call.state());
}

/// -> the number of elements
int32_t size(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = arrayOf(call);
  return !slot || !call.giveSize(0, *slot);
}

int32_t close(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.slot();
  if (!slot)
    return 1;
  slot->flags |= slotIsClosed;
  return !call.slots().make(*slot, 0, call.state(), call.node());
}

} // namespace

std::vector<Kernel> slotArrayKernels() {
  return {slotKernel<make>("SlotMake"),
          slotKernel<makeGradient>("SlotMakeGradient"),
          slotKernel<writeOne>("SlotWrite"),
          slotKernel<readOne>("SlotRead"),
          slotKernel<readMany>("SlotReadMany"),
          slotKernel<writeMany>("SlotWriteMany"),
          slotKernel<concat>("SlotConcat"),
          slotKernel<split>("SlotSplit"),
          slotKernel<size>("SlotSize"),
          slotKernel<close>("SlotClose")};
}

} // namespace kiln
