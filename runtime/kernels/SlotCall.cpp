// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies tensors into and out of slots.
#include "runtime/kernels/SlotCall.h"

#include "lib/Support/CheckedMath.h"
#include "runtime/RunStrings.h"

#include <algorithm>
#include <cstring>

namespace kiln {

std::string shapeText(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i == 0 ? "" : ",") +
            (dims[i] < 0 ? std::string("?") : std::to_string(dims[i]));
  return text + "]";
}

std::string shapeText(const SlotShape &shape) {
  return shape.hasRank ? shapeText(std::span<const int64_t>(shape.dims))
                       : "<unknown>";
}

Slot *SlotCall::anySlot(int i) const noexcept {
  Slot *slot = slots().at(number(i));
  if (!slot)
    fail(ErrorKind::OutOfSlots, sizeof(Slot));
  return slot;
}

Slot *SlotCall::slot(int i) const noexcept {
  Slot *slot = anySlot(i);
  if (slot && slot->is(slotIsClosed)) {
    failText("TensorArray has already been closed.");
    return nullptr;
  }
  return slot;
}

int64_t SlotCall::bytesOf(std::span<const int64_t> dims, DType dtype) noexcept {
  auto bytes = static_cast<int64_t>(dtypeSize(dtype));
  for (int64_t dim : dims)
    bytes *= dim;
  return bytes;
}

bool SlotCall::failWith(ErrorKind kind, std::string_view text) const {
  // The run keeps the text until its error is told.
  auto handle = context().strings->make(text);
  return handle.ok()
             ? fail(kind, static_cast<int64_t>(*handle))
             : fail(ErrorKind::OutOfStrings, static_cast<int64_t>(text.size()));
}

bool SlotCall::store(SlotElement &element, std::span<const int64_t> dims,
                     const void *data, DType dtype) const noexcept {
  int64_t bytes = bytesOf(dims, dtype);
  if (!slots().shape(element, dims, bytes, state(), node()))
    return false;
  if (bytes != 0)
    std::memcpy(element.data, data, static_cast<size_t>(bytes));
  return true;
}

bool SlotCall::prepareRead(Slot &slot, int64_t index) const {
  SlotElement &element = slot.elements[static_cast<size_t>(index)];
  if (element.state & SlotElement::written)
    return true;
  if (!slot.shape.isFullyDefined())
    return failText(
        "Could not read from TensorArray index ", index,
        ".  Furthermore, the element shape is not fully defined: ",
        shapeText(slot.shape),
        ".  It is possible you are working with a resizeable TensorArray and "
        "stop_gradients is not allowing the gradients to be written.  If you "
        "set the full element_shape property on the forward TensorArray, the "
        "proper all-zeros tensor will be returned instead of incurring this "
        "error.");
  CheckedInt64 bytes = static_cast<int64_t>(dtypeSize(slot.dtype));
  for (int64_t dim : slot.shape.dims)
    bytes *= dim;
  if (!slots().shape(element, slot.shape.dims,
                     bytes.value().value_or(INT64_MAX / 4), state(), node()))
    return false;
  std::memset(element.data, 0, static_cast<size_t>(element.bytes));
  element.state |= SlotElement::written;
  return true;
}

bool SlotCall::gather(Slot &slot, std::span<const int32_t> indices, char *to,
                      std::span<const int64_t> dims) const {
  for (int32_t index : indices) {
    const SlotElement &element = slot.elements[static_cast<size_t>(index)];
    const SlotElement &first =
        slot.elements[static_cast<size_t>(indices.front())];
    if (!std::ranges::equal(element.shape(), first.shape()))
      return failText("TensorArray has inconsistent shapes.  Index ",
                      indices.front(), " has shape: ", shapeText(first.shape()),
                      " but index ", index,
                      " has shape: ", shapeText(element.shape()));
    if (!std::ranges::equal(element.shape(), dims))
      return failStatic("expected element ", index, " of shape ",
                        shapeText(dims), ", got ", shapeText(element.shape()));
    if (element.bytes != 0)
      std::memcpy(to, element.data, static_cast<size_t>(element.bytes));
    to += element.bytes;
  }
  return true;
}

} // namespace kiln
