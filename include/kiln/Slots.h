// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots: variables that belong to another one and are saved beside it.
#ifndef KILN_SLOTS_H
#define KILN_SLOTS_H

#include "kiln/Initializers.h"
#include "kiln/Variable.h"

#include <string_view>

namespace kiln {

/// Makes PRIMARY/NAME with the initializer's values in the primary's shape, or
/// with a first value; a part of a partitioned variable has a part of a slot.
/// **Source**: slot_creator.create_slot, create_slot_with_initializer.
KILN_EXPORT Variable createSlot(const Variable &primary,
                                const Initializer &initializer,
                                std::string_view name);
/// The same in another shape or dtype.
KILN_EXPORT Variable createSlot(const Variable &primary,
                                const Initializer &initializer,
                                std::string_view name, const Shape &shape,
                                DType dtype);
/// **Source**: slot_creator.create_zeros_slot.
KILN_EXPORT Variable createZerosSlot(const Variable &primary,
                                     std::string_view name);
/// A slot of a tensor, in its dtype and shape, where the tensor is if it is
/// asked for.
KILN_EXPORT Variable createSlot(const Output &primary,
                                const Initializer &initializer,
                                std::string_view name, bool colocate);
KILN_EXPORT Variable createZerosSlot(const Output &primary,
                                     std::string_view name, bool colocate);

} // namespace kiln

#endif // KILN_SLOTS_H
