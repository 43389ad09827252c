// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of windows.
#include "lib/Shape/Windows.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

Status planWindow(DimSpace &space, Padding padding, WindowDim &dim) {
  const Dim one = Dim::known(1), stride = Dim::known(dim.stride);
  // From the first element of a window to the last, both included.
  Dim reach = space.add(
      space.mul(space.sub(dim.window, one), Dim::known(dim.dilation)), one);
  if (padding == Padding::Same) {
    dim.output = space.floorDiv(
        space.add(dim.input, Dim::known(dim.stride - 1)), stride);
    Dim needed =
        space.add(space.mul(space.sub(dim.output, one), stride), reach);
    Dim total = space.max(space.sub(needed, dim.input), Dim::known(0));
    dim.low = space.floorDiv(total, Dim::known(2));
    dim.high = space.sub(total, dim.low);
    return okStatus();
  }
  // TensorFlow's division rounds towards zero: an input that is a little too
  // small has no window.
  Dim padded = space.add(space.add(dim.input, dim.low), dim.high);
  Dim room = space.add(space.sub(padded, reach), stride);
  Dim found = space.floorDiv(room, stride);
  Dims output = {found}, input = {padded};
  std::string suffix =
      strCat(", effective_filter_size: ", space.sampleOf(reach).value_or(0),
             ", stride: ", dim.stride, "]");
  KILN_RETURN_IF_ERROR(
      space.require(Guard::Kind::NonNegative,
                    space.add(room, Dim::known(dim.stride - 1)), Dim::known(0),
                    {.prefix = "Computed output size would be negative: ",
                     .joiner = " [input_size: ",
                     .suffix = suffix,
                     .lhs = &output,
                     .rhs = &input,
                     .asNumbers = true}));
  dim.output = dim.stride == 1 ? found : space.max(found, Dim::known(0));
  return okStatus();
}

} // namespace kiln
