// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of neural networks, which make their variables themselves.
#ifndef KILN_LAYERS_H
#define KILN_LAYERS_H

#include "kiln/Initializers.h"
#include "kiln/Layer.h"
#include "kiln/Regularizers.h"
#include "kiln/VariableScope.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::layers {

// Each makes a layer (kiln/LayerClasses.h) and calls it: it opens a variable
// scope of its name, or of its kind made unique, so that the variables are
// "dense/kernel", "dense/bias", "dense_1/kernel" …; with a name and reuse it
// shares them. **Errors** of the graph: INVALID_ARGUMENT for
// ranks and extents that do not fit or are not known.

struct DenseOptions {
  Activation activation = {};
  bool useBias = true;
  /// Glorot's uniform, or the variable scope's.
  std::optional<Initializer> kernelInitializer = {};
  std::optional<Initializer> biasInitializer = zerosInitializer();
  Regularizer kernelRegularizer = {};
  Regularizer biasRegularizer = {};
  Activation activityRegularizer = {};
  Constraint kernelConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
/// inputs * kernel + bias, over the last axis. **Shapes**: [..., n] to
/// [..., units]. **Source**: tf.layers.dense, "dense".
KILN_EXPORT Output dense(const Input &inputs, int64_t units,
                         const DenseOptions &options = {});

/// Sizes, strides and dilations are one number an axis of space; one number
/// stands for all of them, none for 1.
struct ConvolutionOptions {
  std::vector<int64_t> strides = {};
  /// "valid", "same"; of sequences "causal", too: nothing looks ahead.
  std::string padding = "valid";
  /// "channels_last", "channels_first".
  std::string dataFormat = "channels_last";
  std::vector<int64_t> dilationRate = {};
  Activation activation = {};
  bool useBias = true;
  std::optional<Initializer> kernelInitializer = {};
  std::optional<Initializer> biasInitializer = zerosInitializer();
  Regularizer kernelRegularizer = {};
  Regularizer biasRegularizer = {};
  Activation activityRegularizer = {};
  Constraint kernelConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
using Conv1DOptions = ConvolutionOptions;
/// **Shapes**: [batch, width, channels] to [batch, width, filters]. **Source**:
/// tf.layers.conv1d, "conv1d".
KILN_EXPORT Output conv1D(const Input &inputs, int64_t filters, int64_t size,
                          const Conv1DOptions &options = {});
using Conv2DOptions = ConvolutionOptions;
/// **Shapes**: [batch, height, width, channels] to [batch, height, width,
/// filters]. **Source**: tf.layers.conv2d, "conv2d".
KILN_EXPORT Output conv2D(const Input &inputs, int64_t filters,
                          std::array<int64_t, 2> kernelSize,
                          const Conv2DOptions &options = {});

struct SeparableConvolutionOptions {
  std::vector<int64_t> strides = {};
  std::string padding = "valid";
  std::string dataFormat = "channels_last";
  std::vector<int64_t> dilationRate = {};
  int64_t depthMultiplier = 1;
  Activation activation = {};
  bool useBias = true;
  std::optional<Initializer> depthwiseInitializer = {};
  std::optional<Initializer> pointwiseInitializer = {};
  std::optional<Initializer> biasInitializer = zerosInitializer();
  Regularizer depthwiseRegularizer = {};
  Regularizer pointwiseRegularizer = {};
  Regularizer biasRegularizer = {};
  Activation activityRegularizer = {};
  Constraint depthwiseConstraint = {};
  Constraint pointwiseConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
using SeparableConv2DOptions = SeparableConvolutionOptions;
/// A convolution of each channel, then one over the channels. Variables
/// "…/depthwise_kernel", "…/pointwise_kernel", "…/bias". **Source**:
/// tf.layers.separable_conv2d, "separable_conv2d".
KILN_EXPORT Output separableConv2D(const Input &inputs, int64_t filters,
                                   std::array<int64_t, 2> kernelSize,
                                   const SeparableConv2DOptions &options = {});

using Conv2DTransposeOptions = ConvolutionOptions;
/// What a convolution with these strides would have been of; without dilations.
/// **Shapes**: [batch, height, width, channels] to [batch, height * stride,
/// width * stride, filters], where "valid" adds what the kernel has over the
/// stride. **Source**: tf.layers.conv2d_transpose, "conv2d_transpose".
KILN_EXPORT Output conv2DTranspose(const Input &inputs, int64_t filters,
                                   std::array<int64_t, 2> kernelSize,
                                   const Conv2DTransposeOptions &options = {});

/// One axis, or several.
struct Axes : std::vector<int64_t> {
  Axes(int64_t axis) : std::vector<int64_t>{axis} {}
  Axes(std::initializer_list<int64_t> axes) : std::vector<int64_t>(axes) {}
  Axes(std::vector<int64_t> axes) : std::vector<int64_t>(std::move(axes)) {}
};
struct BatchNormalizationOptions {
  /// The channels' axis; with several, each combination has its own averages.
  Axes axis = -1;
  double momentum = 0.99;
  double epsilon = 0.001;
  /// Whether there is a "beta", and a "gamma".
  bool center = true;
  bool scale = true;
  std::optional<Initializer> betaInitializer = zerosInitializer();
  std::optional<Initializer> gammaInitializer = onesInitializer();
  std::optional<Initializer> movingMeanInitializer = zerosInitializer();
  std::optional<Initializer> movingVarianceInitializer = onesInitializer();
  Regularizer betaRegularizer = {};
  Regularizer gammaRegularizer = {};
  Constraint betaConstraint = {};
  Constraint gammaConstraint = {};
  /// A bool, or a tensor of one: by the moments of the batch, or by the moving
  /// ones.
  Input training = false;
  /// Batch renormalization: training computes with corrections by the moving
  /// moments, too. The limits are none where they are not given.
  bool renorm = false;
  std::optional<double> renormMin = {}, renormMax = {}, renormShift = {};
  double renormMomentum = 0.99;
  bool trainable = true;
  /// Nothing: FusedBatchNormV3 where it computes it: of images and volumes, not
  /// of float64.
  std::optional<bool> fused = {};
  /// So many rows of the batch have moments of their own.
  std::optional<int64_t> virtualBatchSize = {};
  /// In training, a scale and a bias for the normalized values, of the shape of
  /// the inputs.
  std::function<std::pair<Output, Output>(const Output &shape)> adjustment = {};
  std::string name = {};
  Reuse reuse = false;
};
/// In training, what moves the averages goes into the collection "update_ops",
/// and a step has to wait for it: ControlScope(operations of that collection).
/// Variables "…/gamma", "…/beta", "…/moving_mean", "…/moving_variance".
/// **Source**: tf.layers.batch_normalization, "batch_normalization".
KILN_EXPORT Output batchNormalization(
    const Input &inputs, const BatchNormalizationOptions &options = {});

struct PoolingOptions {
  std::string padding = "valid";
  std::string dataFormat = "channels_last";
  std::string name = {};
};
/// **Source**: tf.layers.max_pooling2d, "max_pooling2d".
KILN_EXPORT Output maxPooling2D(const Input &inputs,
                                std::array<int64_t, 2> poolSize,
                                std::array<int64_t, 2> strides,
                                const PoolingOptions &options = {});
/// **Source**: tf.layers.average_pooling2d, "average_pooling2d".
KILN_EXPORT Output averagePooling2D(const Input &inputs,
                                    std::array<int64_t, 2> poolSize,
                                    std::array<int64_t, 2> strides,
                                    const PoolingOptions &options = {});

struct FlattenOptions {
  std::string name = {};
  /// Of images whose channels are first, these become the last axis before.
  std::string dataFormat = "channels_last";
};
/// All axes but the first as one. **Source**: tf.layers.flatten, "flatten".
KILN_EXPORT Output flatten(const Input &inputs,
                           const FlattenOptions &options = {});

struct DropoutOptions {
  Input rate = 0.5;
  std::optional<Input> noiseShape = {};
  std::optional<int64_t> seed = {};
  /// A bool, or a tensor of one.
  Input training = false;
  std::string name = {};
};
/// In training, elements become 0 with this probability and the others are
/// scaled. **Source**: tf.layers.dropout, "dropout".
KILN_EXPORT Output dropout(const Input &inputs,
                           const DropoutOptions &options = {});

} // namespace kiln::layers

#endif // KILN_LAYERS_H
