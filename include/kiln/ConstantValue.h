// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph under construction says of the values of its tensors.
#ifndef KILN_CONSTANTVALUE_H
#define KILN_CONSTANTVALUE_H

#include "kiln/Input.h"

#include <optional>

namespace kiln::ops {

/// The value of a Const, and of what only moves or counts what is known;
/// nothing where a run says it. **Source**: tensor_util.constant_value.
KILN_EXPORT std::optional<Tensor> constantValue(const Input &value);
/// The same of a tensor that is a shape, as far as its elements are known.
/// **Source**: tensor_util.constant_value_as_shape.
KILN_EXPORT Shape constantShape(const Output &tensor);

} // namespace kiln::ops

#endif // KILN_CONSTANTVALUE_H
