// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of lists share.
#ifndef KILN_RUNTIME_SLOTS_SLOTLIST_H
#define KILN_RUNTIME_SLOTS_SLOTLIST_H

#include "runtime/slots/SlotCall.h"

namespace kiln {

inline bool isIn(int64_t index, const Slot &list) noexcept {
  return index >= 0 && index < list.size;
}

/// A shape as an input: -1 as a scalar for an unknown rank, as a dimension for
/// an unknown one.
SlotShape shapeOf(const SlotCall &call, int input);
/// Puts what `more` says of a shape into `shape`; false, with the error, where
/// they contradict each other.
bool merge(const SlotCall &call, SlotShape &shape,
           std::span<const int64_t> more);
/// What input `input` and the list say of the shape of elements.
bool mergedShape(const SlotCall &call, const Slot &list, int input,
                 SlotShape &shape);
/// Demands that the list holds what the op takes out of it or puts into it.
bool checkType(const SlotCall &call, const Slot &list, DType given);

/// Empties a list and gives it `size` elements without a value.
bool makeList(const SlotCall &call, Slot &list, DType dtype, SlotShape shape,
              int64_t size);
/// Sets an element that is there.
bool putElement(const SlotCall &call, Slot &list, int64_t index,
                std::span<const int64_t> dims, const void *data);
/// Gives a list an element more, behind the last.
bool growList(const SlotCall &call, Slot &list);

} // namespace kiln

#endif // KILN_RUNTIME_SLOTS_SLOTLIST_H
