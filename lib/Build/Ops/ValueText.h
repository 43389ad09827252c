// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as Python prints them, for TensorFlow's texts.
#ifndef KILN_LIB_BUILD_OPS_VALUETEXT_H
#define KILN_LIB_BUILD_OPS_VALUETEXT_H

#include "kiln/Input.h"

#include <string>

namespace kiln::ops {

/// A text as it is, a number, "[1 2 3]" for an array or for a tensor whose
/// value the graph knows, otherwise what stands for the tensor. **Edges**:
/// more than 1,000 elements are not written out. **Source**: str(value), of
/// NumPy's arrays.
std::string valueText(const Input &value);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_VALUETEXT_H
