// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of slots share: the slot that a call names, its elements,
// and errors that name shapes.
#ifndef KILN_RUNTIME_KERNELS_SLOTCALL_H
#define KILN_RUNTIME_KERNELS_SLOTCALL_H

#include "lib/Support/Strings.h"
#include "runtime/KernelCall.h"
#include "runtime/Slots.h"

#include <string>

namespace kiln {

/// A call whose first number is a slot. **Ownership**: borrows the call.
class SlotCall : public KernelCall {
public:
  explicit SlotCall(const KilnKernelCall *call) noexcept : KernelCall(call) {}

  SlotTable &slots() const noexcept { return *context().slots; }
  /// The slot that number `i` names; null, with the error, where there is no
  /// memory for it or it is closed.
  Slot *slot(int i = 0) const noexcept;
  /// As slot(), closed or not.
  Slot *anySlot(int i = 0) const noexcept;

  int32_t index(int input) const noexcept {
    return *this->input<int32_t>(input);
  }
  /// Elements of one of the call's tensors as bytes.
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

  /// Copies a tensor into an element.
  bool store(SlotElement &element, std::span<const int64_t> dims,
             const void *data, DType dtype) const noexcept;
  /// Demands that an element can be had as a tensor of its slot, an unwritten
  /// one as zeros of a known shape.
  bool prepareRead(Slot &slot, int64_t index) const;
  /// Copies elements of `indices` behind one another.
  bool gather(Slot &slot, std::span<const int32_t> indices, char *to,
              std::span<const int64_t> dims) const;
};

/// "[2,3]"
std::string shapeText(std::span<const int64_t> dims);
/// "[?,3]", "<unknown>"
std::string shapeText(const SlotShape &shape);

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_SLOTCALL_H
