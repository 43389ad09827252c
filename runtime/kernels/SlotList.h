// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of lists share.
#ifndef KILN_RUNTIME_KERNELS_SLOTLIST_H
#define KILN_RUNTIME_KERNELS_SLOTLIST_H

#include "runtime/kernels/SlotCall.h"

namespace kiln {

inline int64_t sizeOf(const Slot &list) noexcept {
  return static_cast<int64_t>(list.size);
}
inline bool isIn(int64_t index, const Slot &list) noexcept {
  return index >= 0 && index < sizeOf(list);
}
inline bool isWritten(const SlotElement &element) noexcept {
  return element.state & SlotElement::written;
}

/// Empties a list and gives it `size` elements without a value.
bool makeList(const SlotCall &call, Slot &list, DType dtype, SlotShape shape,
              int64_t size);
/// Sets an element that is there.
bool putElement(const SlotCall &call, Slot &list, int64_t index,
                std::span<const int64_t> dims, const void *data);
/// Gives a list an element more, behind the last.
bool growList(const SlotCall &call, Slot &list);

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_SLOTLIST_H
