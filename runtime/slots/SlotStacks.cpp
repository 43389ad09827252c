// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks, of tensors and of the handles of TensorArrays, with TensorFlow's
// texts (2.21).
#include "runtime/kernels/Kernels.h"
#include "runtime/slots/SlotCall.h"

namespace kiln {
namespace {

std::string stackName(const Slot &slot) {
  return strCat("Stack[", slot.name, "_", slot.number, "]");
}

/// The stack that the call names; null, with the error, where it is closed.
Slot *stackOf(const SlotCall &call) {
  Slot *slot = call.slot();
  if (slot && slot->is(slotIsClosed)) {
    call.failText(stackName(*slot), " has already been closed.");
    return nullptr;
  }
  return slot;
}

/// size, name -> ; numbers: slot, dtype
int32_t make(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = call.newSlot();
  if (!slot)
    return 1;
  slot->name = call.text(1);
  slot->flags = 0;
  slot->stateOfRead = 0;
  slot->type = static_cast<DType>(call.number(1));
  slot->shape = SlotShape();
  slot->maxSize = call.index(0);
  return !call.slots().make(*slot, 0, call.state(), call.node());
}

/// Adds an element without a value; false with the error.
bool addOne(const SlotCall &call, Slot &stack) {
  int64_t size = stack.size;
  if (stack.maxSize >= 0 && size >= stack.maxSize)
    return call.failText(stackName(stack), " overflowed its max_size (",
                         stack.maxSize, ")");
  if (!call.slots().resize(stack, size + 1, call.state(), call.node()))
    return false;
  stack.states[size] = kilnSlotWritten;
  return true;
}

/// The number of the last element, which is taken away; -1 with the error.
int64_t takeOne(const SlotCall &call, Slot &stack) {
  if (stack.size != 0)
    return stack.size -= 1;
  call.failText(stackName(stack), " is empty when calling Pop().");
  return -1;
}

/// value ->
int32_t push(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = stackOf(call);
  return !slot || !addOne(call, *slot) ||
         !call.store(*slot, slot->size - 1, call.inputDims(0),
                     call.input<char>(0));
}

/// -> the last element
int32_t pop(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = stackOf(call);
  int64_t last = slot ? takeOne(call, *slot) : -1;
  return last < 0 || !call.giveElement(0, slot->element(last));
}

/// numbers: slot, an array's
int32_t pushHandle(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = stackOf(call), *array = call.slot(1);
  return !slot || !array || !addOne(call, *slot) ||
         !call.slots().hold(*slot, slot->size - 1, *array, call.state(),
                            call.node());
}

/// numbers: slot, what the last element, an array, is called now
int32_t popHandle(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *slot = stackOf(call);
  int64_t last = slot ? takeOne(call, *slot) : -1;
  if (last < 0)
    return 1;
  return !call.slots().move(call.number(1), slot->inner(last)) &&
         !call.fail(ErrorKind::OutOfSlots, sizeof(Slot));
}

/// numbers: what the array is called behind a branch, or in the next round of a
/// loop; what in it; whether it stays what it is
int32_t pick(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *array = call.slot(1);
  if (!array)
    return 1;
  array->isHeld |= call.number(2) != 0;
  return !call.slots().move(call.number(0), array) &&
         !call.fail(ErrorKind::OutOfSlots, sizeof(Slot));
}

} // namespace

std::vector<Kernel> slotStackKernels() {
  return {slotKernel<make>("SlotMakeStack"),
          slotKernel<push>("SlotPush"),
          slotKernel<pop>("SlotPop"),
          slotKernel<pushHandle>("SlotPushHandle"),
          slotKernel<popHandle>("SlotPopHandle"),
          slotKernel<pick>("SlotPick")};
}

} // namespace kiln
