// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the layers of kiln/Layers.h are written with.
#ifndef KILN_LIB_TRAIN_LAYERHELPERS_H
#define KILN_LIB_TRAIN_LAYERHELPERS_H

#include "kiln/GraphScopes.h"
#include "kiln/LayerClasses.h"
#include "kiln/ops/NnOps.h"
#include "lib/Build/BuildState.h"

#include <span>

namespace kiln::layers {

/// What layers of all kinds are told, of the options of one kind.
template <class Options> LayerOptions commonOptions(const Options &options) {
  LayerOptions common{.name = options.name};
  if constexpr (requires { options.trainable; })
    common.trainable = options.trainable;
  if constexpr (requires { options.reuse; })
    common.reuse = options.reuse;
  if constexpr (requires { options.activityRegularizer; })
    common.activityRegularizer = options.activityRegularizer;
  return common;
}

/// A layer that is made and called at once; where it has variables, its scope
/// has the name as it is.
template <class AnyLayer>
Output applied(AnyLayer &&layer, const Input &inputs,
               const Input &training = false) {
  GraphScope graph(graphOf(inputs).value_or(GraphBuilder::current()));
  if constexpr (requires { layer.options.reuse; })
    if (!layer.options.name.empty())
      layer.openScope(layer.options.name);
  return layer(inputs, training);
}

template <class Options> WeightOptions kernelOptions(const Options &options) {
  return {.initializer = options.kernelInitializer,
          .regularizer = options.kernelRegularizer,
          .constraint = options.kernelConstraint};
}
template <class Options> WeightOptions biasOptions(const Options &options) {
  return {.initializer = options.biasInitializer,
          .regularizer = options.biasRegularizer,
          .constraint = options.biasConstraint};
}

/// The result with the activation, where there is one.
inline Output activated(const Output &result, const Activation &activation) {
  return activation && result.node ? activation(result) : result;
}

/// "VALID" of "valid".
std::string upper(std::string text);
/// Whether the channels are the last axis; nothing for another format than
/// "channels_last" and "channels_first".
std::optional<bool> areLast(const std::string &format);
/// What is said then, and for other paddings.
std::string formatError(const std::string &format);

/// One number for each axis: one that is given stands for all, none for 1.
/// Nothing where there are others.
std::optional<std::vector<int64_t>> perAxis(std::vector<int64_t> numbers,
                                            size_t axes);
/// The numbers of the axes of space among those of all axes, the others 1.
std::vector<int64_t> ofSpace(const std::vector<int64_t> &each, bool isLast);

/// The product of the extents as a number of a shape that a graph holds, which
/// is an int32; nothing where one is unknown or the product is larger.
std::optional<int32_t> extentOf(std::span<const int64_t> extents);

/// How long an axis is behind a window that moves over it; -1 where it is not
/// known. **Source**: conv_utils.conv_output_length.
int64_t windowedExtent(int64_t extent, int64_t size, const std::string &padding,
                       int64_t stride, int64_t dilation = 1);

/// What convolutions check in build(): the rank, sizes, formats, and that the
/// extent of the channels is known.
class ConvolutionChecks {
public:
  /// Empty where all is well.
  std::string error;
  bool isLast = true;
  std::vector<int64_t> strides, dilations;

  template <class Options>
  ConvolutionChecks(const std::vector<int64_t> &kernelSize,
                    const Options &options, bool mayBeCausal)
      : ConvolutionChecks(kernelSize, options.strides, options.dilationRate,
                          options.padding, options.dataFormat, mayBeCausal) {}

private:
  ConvolutionChecks(const std::vector<int64_t> &kernelSize,
                    const std::vector<int64_t> &givenStrides,
                    const std::vector<int64_t> &givenDilations,
                    const std::string &padding, const std::string &format,
                    bool mayBeCausal);
};

} // namespace kiln::layers

#endif // KILN_LIB_TRAIN_LAYERHELPERS_H
