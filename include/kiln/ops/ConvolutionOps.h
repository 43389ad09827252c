// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as TensorFlow's Python functions add them.
#ifndef KILN_OPS_CONVOLUTIONOPS_H
#define KILN_OPS_CONVOLUTIONOPS_H

#include "kiln/OpOptions.h"

#include <functional>
#include <optional>
#include <vector>

namespace kiln::ops {

/// What is put around a tensor: "SAME", "VALID", or how many zeros before and
/// behind each axis.
struct Padding {
  Padding(const char *name) : name(name) {}
  Padding(std::string name) : name(std::move(name)) {}
  Padding(std::vector<std::vector<int64_t>> numbers)
      : numbers(std::move(numbers)) {}

  std::string name; ///< empty where there are numbers
  std::vector<std::vector<int64_t>> numbers;
};

// Strides and dilations are one number an axis, one for each of the axes of
// space, or one for all of these. Channels are the last axis, or the second one
// where the format begins with "NC". **Errors** of the graph: INVALID_ARGUMENT
// with TensorFlow's texts for lists of other lengths, formats and paddings.

struct Conv2DOptions {
  bool useCudnnOnGpu = true;
  std::string dataFormat = "NHWC";
  std::vector<int64_t> dilations = {1, 1, 1, 1};
  std::string name = {};
};
/// **Shapes**: input: [..., h, w, c], filter: [h, w, c, channels]. **Source**:
/// tf.nn.conv2d, "Conv2D".
KILN_EXPORT Output conv2D(const Input &input, const Input &filter,
                          const std::vector<int64_t> &strides,
                          const Padding &padding,
                          const Conv2DOptions &options = {});

struct Conv1DOptions {
  bool useCudnnOnGpu = true;
  /// "NWC" where it is empty; "NCW".
  std::string dataFormat = {};
  std::string name = {};
  std::vector<int64_t> dilations = {};
};
/// **Shapes**: value: [..., w, c], filters: [w, c, channels]. **Source**:
/// tf.nn.conv1d, "conv1d".
KILN_EXPORT Output conv1D(const Input &value, const Input &filters,
                          const std::vector<int64_t> &stride,
                          const std::string &padding,
                          const Conv1DOptions &options = {});

struct ConvolutionOptions {
  std::vector<int64_t> strides = {};
  std::vector<int64_t> dilationRate = {};
  std::string name = {};
  std::string dataFormat = {};
};
/// Over one, two or three axes of space, as the rank says. Dilations are made
/// of blocks of the batch. **Errors** of the graph: as above, and for strides
/// together with dilations. **Source**: tf.nn.convolution, "convolution".
KILN_EXPORT Output convolution(const Input &input, const Input &filter,
                               const Padding &padding,
                               const ConvolutionOptions &options = {});
/// **Source**: tf.nn.atrous_conv2d, "convolution".
KILN_EXPORT Output atrousConv2D(const Input &value, const Input &filters,
                                int64_t rate, const Padding &padding,
                                const OpOptions &options = {});

struct DepthwiseConv2DOptions {
  /// Dilations of the two axes of space.
  std::vector<int64_t> rate = {};
  std::string name = {};
  std::string dataFormat = {};
};
/// A convolution of each channel. **Shapes**: filter: [h, w, c, multiplier].
/// **Source**: tf.nn.depthwise_conv2d, "depthwise".
KILN_EXPORT Output depthwiseConv2D(const Input &input, const Input &filter,
                                   const std::vector<int64_t> &strides,
                                   const Padding &padding,
                                   const DepthwiseConv2DOptions &options = {});
/// A convolution of each channel, then one over the channels. **Shapes**:
/// depthwiseFilter: [h, w, c, multiplier], pointwiseFilter: [1, 1, c *
/// multiplier, channels]. **Source**: tf.nn.separable_conv2d,
/// "separable_conv2d".
KILN_EXPORT Output separableConv2D(const Input &input,
                                   const Input &depthwiseFilter,
                                   const Input &pointwiseFilter,
                                   const std::vector<int64_t> &strides,
                                   const Padding &padding,
                                   const DepthwiseConv2DOptions &options = {});

// The gradients of convolutions whose inputs had these shapes.

struct ConvTransposeOptions {
  /// With the channels last where it is empty.
  std::string dataFormat = {};
  std::string name = {};
  std::vector<int64_t> dilations = {};
};
/// **Shapes**: filter: [h, w, channels, c]. **Source**: tf.nn.conv2d_transpose,
/// "conv2d_transpose".
KILN_EXPORT Output conv2DTranspose(const Input &value, const Input &filter,
                                   const Input &outputShape,
                                   const std::vector<int64_t> &strides,
                                   const Padding &padding = "SAME",
                                   const ConvTransposeOptions &options = {});
/// **Source**: tf.nn.conv3d_transpose, "conv3d_transpose".
KILN_EXPORT Output conv3DTranspose(const Input &value, const Input &filter,
                                   const Input &outputShape,
                                   const std::vector<int64_t> &strides,
                                   const std::string &padding = "SAME",
                                   const ConvTransposeOptions &options = {});
/// **Source**: tf.nn.conv1d_transpose, "conv1d_transpose".
KILN_EXPORT Output conv1DTranspose(const Input &input, const Input &filters,
                                   const Input &outputShape,
                                   const std::vector<int64_t> &strides,
                                   const std::string &padding = "SAME",
                                   const ConvTransposeOptions &options = {});
/// The one of these that the length of the shape says. **Source**:
/// tf.nn.conv_transpose, "conv_transpose".
KILN_EXPORT Output convTranspose(const Input &input, const Input &filters,
                                 const Input &outputShape,
                                 const std::vector<int64_t> &strides,
                                 const std::string &padding = "SAME",
                                 const ConvTransposeOptions &options = {});
/// The gradient of atrousConv2D(). **Source**: tf.nn.atrous_conv2d_transpose,
/// "atrous_conv2d_transpose".
KILN_EXPORT Output atrousConv2DTranspose(const Input &value,
                                         const Input &filters,
                                         const Input &outputShape, int64_t rate,
                                         const std::string &padding,
                                         const OpOptions &options = {});

/// The sums of the least differences: a minimum under a filter. **Source**:
/// tf.nn.erosion2d, "erosion2d".
KILN_EXPORT Output erosion2D(const Input &value, const Input &kernel,
                             const std::vector<int64_t> &strides,
                             const std::vector<int64_t> &rates,
                             const std::string &padding,
                             const OpOptions &options = {});

struct SpaceToBatchOptions {
  /// Needed for "SAME".
  std::optional<Input> filterShape = {};
  /// The axes of space; those behind the batch where it is empty.
  std::vector<int64_t> spatialDims = {};
  std::string dataFormat = {};
};
/// What a function makes of a tensor, dilated: it is given blocks of the tensor
/// as a larger batch, and "VALID". **Edges**: with dilations of 1, the tensor
/// and the padding as they are. **Source**: tf.nn.with_space_to_batch.
KILN_EXPORT Output withSpaceToBatch(
    const Input &input, const std::vector<int64_t> &dilationRate,
    const Padding &padding,
    const std::function<Output(const Output &blocks, int64_t spatialDims,
                               const Padding &padding)> &op,
    const SpaceToBatchOptions &options = {});

struct BlockPaddings {
  Output paddings, crops;
};
struct BlockPaddingOptions {
  /// What is put around anyway; nothing: none.
  std::optional<Input> basePaddings = {};
  std::string name = {};
};
/// What must be put around a tensor so that blocks fill it, and what is cut off
/// again. **Source**: tf.required_space_to_batch_paddings,
/// "required_space_to_batch_paddings".
KILN_EXPORT BlockPaddings
requiredSpaceToBatchPaddings(const Input &inputShape, const Input &blockShape,
                             const BlockPaddingOptions &options = {});
/// Blocks of images as a larger batch. **Source**: tf.space_to_batch,
/// "SpaceToBatchND".
KILN_EXPORT Output spaceToBatch(const Input &input, const Input &paddings,
                                int64_t blockSize,
                                const OpOptions &options = {});
/// **Source**: tf.batch_to_space, "BatchToSpaceND".
KILN_EXPORT Output batchToSpace(const Input &input, const Input &crops,
                                int64_t blockSize,
                                const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_CONVOLUTIONOPS_H
