// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of slots share: the slot that a call names, its elements,
// and errors that name shapes.
#ifndef KILN_RUNTIME_SLOTS_SLOTCALL_H
#define KILN_RUNTIME_SLOTS_SLOTCALL_H

#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/KernelRegistry.h"
#include "runtime/slots/Slots.h"

#include <cstring>
#include <string>

namespace kiln {

/// Copies pieces of memory, those that lie side by side at once; the last with
/// its end.
class PieceCopy {
public:
  PieceCopy() = default;
  PieceCopy(const PieceCopy &) = delete;
  PieceCopy &operator=(const PieceCopy &) = delete;
  ~PieceCopy() { flush(); }

  void add(char *to, const char *from, int64_t more) noexcept {
    if (to != end || from != fromEnd) {
      flush();
      end = to;
      fromEnd = from;
    }
    end += more;
    fromEnd += more;
    bytes += more;
  }
  void flush() noexcept {
    if (bytes != 0)
      std::memcpy(end - bytes, fromEnd - bytes, static_cast<size_t>(bytes));
    bytes = 0;
  }

private:
  char *end = nullptr;
  const char *fromEnd = nullptr;
  int64_t bytes = 0;
};

/// A call whose first number is a slot. While it lasts native code sees nothing
/// of its slots. **Ownership**: borrows the call.
class SlotCall : public KernelCall {
public:
  explicit SlotCall(const KilnKernelCall *call) noexcept : KernelCall(call) {}
  SlotCall(const SlotCall &) = delete;
  SlotCall &operator=(const SlotCall &) = delete;
  ~SlotCall() {
    for (Slot *slot : hidden)
      if (slot)
        slot->expose();
  }

  /// Whether there is a run whose slots the call can mean.
  bool isInRun() const noexcept;
  SlotTable &slots() const noexcept { return *context().slots; }
  /// The slot that number `i` names, 0 or 1; null, with the error, where there
  /// is no memory for it.
  Slot *slot(int i = 0) const noexcept;
  /// As slot(), to be made.
  Slot *newSlot() const noexcept;
  /// The string that input i is.
  std::string_view text(int i) const noexcept;

  int32_t index(int input) const noexcept {
    return *this->input<int32_t>(input);
  }
  /// What a tensor takes; INT64_MAX for one that cannot be.
  static int64_t bytesOf(std::span<const int64_t> dims, DType dtype) noexcept;

  /// Records a text that no kind of ErrorKinds.def has; returns false.
  template <class... Parts> bool failText(const Parts &...parts) const {
    return failWith(ErrorKind::SlotMisuse, strCat(parts...));
  }
  /// As failText(), where a run would have to do what its code was not made
  /// for.
  template <class... Parts> bool failStatic(const Parts &...parts) const {
    return failWith(ErrorKind::SlotUnimplemented, strCat(parts...));
  }
  bool failWith(ErrorKind kind, std::string_view text) const;

  /// Copies a tensor into element i.
  bool store(Slot &slot, int64_t i, std::span<const int64_t> dims,
             const void *data) const noexcept;
  /// Says the shape of an output, of which the run may find out sizes, and
  /// where its elements go. False, with the error, where the code was made for
  /// another shape or there is no memory.
  bool give(int output, std::span<const int64_t> dims, char *&to) const;
  /// Gives the number of a slot's elements, an int32 scalar.
  bool giveSize(int output, const Slot &slot) const;
  /// As give(), of an element that has a value.
  bool giveElement(int output, const SlotElement &element) const;
  /// Gives elements the rows of a tensor: row i goes to element indexOf(i), by
  /// put(index, row) or, where its state has none of `forbidden`, as the one
  /// before it went.
  template <class IndexOf, class Put>
  bool storeRows(Slot &slot, int64_t count, std::span<const int64_t> dims,
                 const char *row, uint8_t forbidden, IndexOf &&indexOf,
                 Put &&put) const {
    int64_t bytes = bytesOf(dims, slot.type);
    PieceCopy copy;
    bool isRow = false;
    for (int64_t i = 0; i < count; ++i, row += bytes) {
      int64_t index = indexOf(i);
      if (isRow && index >= 0 && index < slot.size &&
          !(slot.states[index] & forbidden)) {
        slot.states[index] = kilnSlotWritten;
        copy.add(slot.element(index).data, row, bytes);
        continue;
      }
      copy.flush();
      if (!put(index, row))
        return false;
      isRow = slot.isRowOf(dims);
    }
    return true;
  }

private:
  Slot *hide(int i, Slot *slot) const noexcept;
  mutable Slot *hidden[2] = {};
};

/// The kernel with that name and function, which demands a run.
template <KilnKernelFn run> Kernel slotKernel(std::string name) {
  constexpr auto inRun = [](const KilnKernelCall *raw) noexcept -> int32_t {
    SlotCall call(raw);
    return call.isInRun() ? run(raw) : !call.fail(ErrorKind::SlotsOutsideRun);
  };
  return {std::move(name), inRun, /*hasEffects=*/true, /*mayFail=*/true,
          /*effectsEndWithRun=*/true};
}

/// "[2,3]"
std::string shapeText(std::span<const int64_t> dims);
/// "[?,3]", "<unknown>"
std::string shapeText(const SlotShape &shape);

} // namespace kiln

#endif // KILN_RUNTIME_SLOTS_SLOTCALL_H
