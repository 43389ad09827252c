// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a tensor is what a layer demands of an input.
#ifndef KILN_LIB_TRAIN_INPUTSPEC_H
#define KILN_LIB_TRAIN_INPUTSPEC_H

#include "kiln/Layer.h"

namespace kiln::layers {

/// **Errors**: INVALID_ARGUMENT in TensorFlow's words. **Source**:
/// input_spec.assert_input_compatibility.
Status checkInput(const InputSpec &spec, const Output &input, size_t number,
                  const std::string &layer);

/// "[None, 3]", as Python writes a list.
std::string listText(const Shape &shape);

} // namespace kiln::layers

#endif // KILN_LIB_TRAIN_INPUTSPEC_H
