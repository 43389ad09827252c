// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of neural networks, which make their variables themselves.
#ifndef KILN_LAYERS_H
#define KILN_LAYERS_H

#include "kiln/Initializers.h"
#include "kiln/OpOptions.h"
#include "kiln/Regularizers.h"
#include "kiln/VariableScope.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::layers {

// Each opens a variable scope of its name, or of its kind made unique, so that
// the variables are "dense/kernel", "dense/bias", "dense_1/kernel" …; with a
// name and reuse it shares them. **Errors** of the graph: INVALID_ARGUMENT for
// ranks and extents that do not fit or are not known.

/// A function of a layer's result.
using Activation = std::function<Output(const Output &)>;

struct DenseOptions {
  Activation activation = {};
  bool useBias = true;
  /// Glorot's uniform, or the variable scope's.
  std::optional<Initializer> kernelInitializer = {};
  Initializer biasInitializer = zerosInitializer();
  Regularizer kernelRegularizer = {};
  Regularizer biasRegularizer = {};
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

struct Conv1DOptions {
  int64_t stride = 1;
  std::string padding = "valid";
  Activation activation = {};
  bool useBias = true;
  std::optional<Initializer> kernelInitializer = {};
  Initializer biasInitializer = zerosInitializer();
  Regularizer kernelRegularizer = {};
  Regularizer biasRegularizer = {};
  Constraint kernelConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
/// **Shapes**: [batch, width, channels] to [batch, width, filters]. **Source**:
/// tf.layers.conv1d, "conv1d".
KILN_EXPORT Output conv1D(const Input &inputs, int64_t filters, int64_t size,
                          const Conv1DOptions &options = {});

struct Conv2DOptions {
  std::array<int64_t, 2> strides = {1, 1};
  std::string padding = "valid";
  /// "channels_last", "channels_first".
  std::string dataFormat = "channels_last";
  std::array<int64_t, 2> dilationRate = {1, 1};
  Activation activation = {};
  bool useBias = true;
  std::optional<Initializer> kernelInitializer = {};
  Initializer biasInitializer = zerosInitializer();
  Regularizer kernelRegularizer = {};
  Regularizer biasRegularizer = {};
  Constraint kernelConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
/// **Shapes**: [batch, height, width, channels] to [batch, height, width,
/// filters]. **Source**: tf.layers.conv2d, "conv2d".
KILN_EXPORT Output conv2D(const Input &inputs, int64_t filters,
                          std::array<int64_t, 2> kernelSize,
                          const Conv2DOptions &options = {});

struct SeparableConv2DOptions {
  std::array<int64_t, 2> strides = {1, 1};
  std::string padding = "valid";
  std::string dataFormat = "channels_last";
  int64_t depthMultiplier = 1;
  Activation activation = {};
  bool useBias = true;
  std::optional<Initializer> depthwiseInitializer = {};
  std::optional<Initializer> pointwiseInitializer = {};
  Initializer biasInitializer = zerosInitializer();
  Regularizer depthwiseRegularizer = {};
  Regularizer pointwiseRegularizer = {};
  Regularizer biasRegularizer = {};
  Constraint depthwiseConstraint = {};
  Constraint pointwiseConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
/// A convolution of each channel, then one over the channels. Variables
/// "…/depthwise_kernel", "…/pointwise_kernel", "…/bias". **Source**:
/// tf.layers.separable_conv2d, "separable_conv2d", without dilations.
KILN_EXPORT Output separableConv2D(const Input &inputs, int64_t filters,
                                   std::array<int64_t, 2> kernelSize,
                                   const SeparableConv2DOptions &options = {});

struct Conv2DTransposeOptions {
  std::array<int64_t, 2> strides = {1, 1};
  std::string padding = "valid";
  std::string dataFormat = "channels_last";
  Activation activation = {};
  bool useBias = true;
  std::optional<Initializer> kernelInitializer = {};
  Initializer biasInitializer = zerosInitializer();
  Regularizer kernelRegularizer = {};
  Regularizer biasRegularizer = {};
  Constraint kernelConstraint = {};
  Constraint biasConstraint = {};
  bool trainable = true;
  std::string name = {};
  Reuse reuse = false;
};
/// What a convolution with these strides would have been of. **Shapes**:
/// [batch, height, width, channels] to [batch, height * stride, width * stride,
/// filters], where "valid" adds what the kernel has over the stride.
/// **Source**: tf.layers.conv2d_transpose, "conv2d_transpose".
KILN_EXPORT Output conv2DTranspose(const Input &inputs, int64_t filters,
                                   std::array<int64_t, 2> kernelSize,
                                   const Conv2DTransposeOptions &options = {});

/// One axis, or several.
struct Axes : std::vector<int64_t> {
  Axes(int64_t axis) : std::vector<int64_t>{axis} {}
  Axes(std::initializer_list<int64_t> axes) : std::vector<int64_t>(axes) {}
};
struct BatchNormalizationOptions {
  /// The channels' axis; with several, each combination has its own averages.
  Axes axis = -1;
  double momentum = 0.99;
  double epsilon = 0.001;
  /// Whether there is a "beta", and a "gamma".
  bool center = true;
  bool scale = true;
  Initializer betaInitializer = zerosInitializer();
  Initializer gammaInitializer = onesInitializer();
  Initializer movingMeanInitializer = zerosInitializer();
  Initializer movingVarianceInitializer = onesInitializer();
  Regularizer betaRegularizer = {};
  Regularizer gammaRegularizer = {};
  Constraint betaConstraint = {};
  Constraint gammaConstraint = {};
  /// A bool, or a tensor of one: by the moments of the batch, or by the moving
  /// ones.
  Input training = false;
  bool trainable = true;
  /// Nothing: FusedBatchNormV3 where it computes it: of images and volumes, not
  /// of float64.
  std::optional<bool> fused = {};
  std::string name = {};
  Reuse reuse = false;
};
/// In training, what moves the averages goes into the collection "update_ops",
/// and a step has to wait for it: ControlScope(operations of that collection).
/// Variables "…/gamma", "…/beta", "…/moving_mean", "…/moving_variance".
/// **Source**: tf.layers.batch_normalization, "batch_normalization", without
/// renorm.
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

/// All axes but the first as one. **Source**: tf.layers.flatten, "flatten".
KILN_EXPORT Output flatten(const Input &inputs, const OpOptions &options = {});

struct DropoutOptions {
  double rate = 0.5;
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
