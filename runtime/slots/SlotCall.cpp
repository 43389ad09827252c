// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies tensors into and out of slots.
#include "runtime/slots/SlotCall.h"

#include "lib/Support/CheckedMath.h"
#include "runtime/memory/RunStrings.h"

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

Slot *SlotCall::slot(int i) const noexcept {
  return hide(i, slots().at(number(i)));
}

Slot *SlotCall::newSlot() const noexcept {
  return hide(0, slots().renewed(number(0)));
}

Slot *SlotCall::hide(int i, Slot *slot) const noexcept {
  if (!slot)
    fail(ErrorKind::OutOfSlots, sizeof(Slot));
  else
    slot->hide();
  return hidden[i] = slot;
}

std::string_view SlotCall::text(int i) const noexcept {
  return stringOf(*input<StringHandle>(i)).view();
}

int64_t SlotCall::bytesOf(std::span<const int64_t> dims, DType dtype) noexcept {
  CheckedInt64 bytes = static_cast<int64_t>(dtypeSize(dtype));
  for (int64_t dim : dims)
    bytes *= dim;
  return bytes.value().value_or(INT64_MAX);
}

bool SlotCall::isInRun() const noexcept {
  const KilnRunState *run = state();
  if (!run || !run->context)
    return false;
  const RunContext &found = context();
  return found.slots && found.strings;
}

bool SlotCall::failWith(ErrorKind kind, std::string_view text) const {
  // The run keeps the text until its error is told.
  auto handle = context().strings->make(text);
  return handle.ok()
             ? fail(kind, static_cast<int64_t>(*handle))
             : fail(ErrorKind::OutOfStrings, static_cast<int64_t>(text.size()));
}

bool SlotCall::store(Slot &slot, int64_t i, std::span<const int64_t> dims,
                     const void *data) const noexcept {
  int64_t bytes = bytesOf(dims, slot.type);
  if (!slots().shape(slot, i, dims, bytes, state(), node()))
    return false;
  if (bytes != 0)
    std::memcpy(slot.element(i).data, data, static_cast<size_t>(bytes));
  return true;
}

bool SlotCall::give(int output, std::span<const int64_t> dims,
                    char *&to) const {
  if (hasAnyShape(output)) {
    to = static_cast<char *>(allocateAs(output, dims));
    return to != nullptr;
  }
  std::span<const int64_t> made = outputDims(output);
  bool isFoundOut = false;
  if (!std::equal(made.begin(), made.end(), dims.begin(), dims.end(),
                  [&](int64_t a, int64_t b) {
                    isFoundOut |= a < 0;
                    return a < 0 || a == b;
                  }))
    return failStatic("expected a result of shape ", shapeText(made), ", got ",
                      shapeText(dims));
  to = this->output<char>(output);
  if (!isFoundOut)
    return true;
  for (size_t d = 0; d < dims.size(); ++d)
    if (made[d] < 0)
      bind(static_cast<int>(-1 - made[d]), dims[d]);
  to = allocateOutput<char>(output);
  return to != nullptr;
}

bool SlotCall::giveSize(int output, const Slot &slot) const {
  char *to = nullptr;
  if (!give(output, {}, to))
    return false;
  *reinterpret_cast<int32_t *>(to) = static_cast<int32_t>(slot.size);
  return true;
}

bool SlotCall::giveElement(int output, const SlotElement &element) const {
  char *to = nullptr;
  if (!give(output, element.shape(), to))
    return false;
  if (element.bytes != 0)
    std::memcpy(to, element.data, static_cast<size_t>(element.bytes));
  return true;
}

} // namespace kiln
