// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the windows of convolutions and pools lie along a dimension.
#ifndef KILN_LIB_SHAPE_WINDOWS_H
#define KILN_LIB_SHAPE_WINDOWS_H

#include "lib/Shape/DimSpace.h"

namespace kiln {

enum class Padding : uint8_t { Valid, Same, Explicit };

/// Element k of window o is element o * stride + k * dilation of the dimension
/// with `low` elements of padding before it and `high` behind.
struct WindowDim {
  Dim input = Dim::unknown(), window = Dim::unknown();
  int64_t stride = 1, dilation = 1;
  Dim output = Dim::unknown();
  Dim low = Dim::known(0), high = Dim::known(0);
};

/// Sets `output`, and with Padding::Same `low` and `high` (TensorFlow's
/// GetWindowedOutputSize). **Errors**: INVALID_ARGUMENT where the input is too
/// small for a window.
Status planWindow(DimSpace &space, Padding padding, WindowDim &dim);

} // namespace kiln

#endif // KILN_LIB_SHAPE_WINDOWS_H
