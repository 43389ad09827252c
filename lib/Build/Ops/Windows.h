// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convolutions and pooling have in common: numbers an axis, paddings.
#ifndef KILN_LIB_BUILD_OPS_WINDOWS_H
#define KILN_LIB_BUILD_OPS_WINDOWS_H

#include "kiln/Status.h"
#include "kiln/ops/ConvolutionOps.h"

#include <functional>

namespace kiln::ops {

using Numbers = std::vector<int64_t>;

/// One number each of `spatial` axes of space, of the batch and of the
/// channels, which are axis 1 or the last one. **Errors**: INVALID_ARGUMENT
/// with TensorFlow's text. **Source**: nn_ops._get_sequence.
StatusOr<Numbers> perAxis(const Numbers &given, size_t spatial,
                          bool channelsFirst, std::string_view name);

/// A padding as attributes have it.
struct PaddingAttrs {
  std::string name;
  Numbers numbers;
};
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts. **Source**:
/// nn_ops.convert_padding.
StatusOr<PaddingAttrs> attrsOf(const Padding &padding,
                               size_t expectedLength = 4);

/// Fills in ones, and checks them. **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts. **Source**: nn_ops._get_strides_and_dilation_rate.
Status checkStrides(size_t spatial, Numbers &strides, Numbers &dilations);

inline bool channelsFirst(const std::string &format) {
  return format.starts_with("NC");
}

/// "[1, 2]", as Python prints a list.
std::string listText(const Numbers &numbers);

/// What a function makes of a tensor of `innerRank` axes and a batch, for one
/// that has several batches. **Source**: nn_ops.squeeze_batch_dims.
Output squeezeBatches(const Input &input,
                      const std::function<Output(const Output &)> &op,
                      int innerRank, const std::string &name);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_WINDOWS_H
