// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a TensorArray behaves, as import tells the runtime.
#ifndef KILN_RUNTIME_ABI_SLOTFLAGS_H
#define KILN_RUNTIME_ABI_SLOTFLAGS_H

#include <cstdint>

namespace kiln {

enum SlotFlags : int64_t {
  slotGrows = 1,       ///< to the largest index that is written
  slotClearsRead = 2,  ///< an element is read once
  slotHasOneShape = 4, ///< the first element fixes the shape of all
  slotAddsWrites = 8,  ///< what is written again is added
  slotIsClosed = 16,   ///< nothing may use it any more
};

} // namespace kiln

#endif // KILN_RUNTIME_ABI_SLOTFLAGS_H
