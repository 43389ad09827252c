// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layers of kiln/Layers.h and kiln/VolumeLayers.h as objects, which are
// called several times and share their variables.
#ifndef KILN_LAYERCLASSES_H
#define KILN_LAYERCLASSES_H

#include "kiln/Layer.h"
#include "kiln/Layers.h"

#include <string>
#include <vector>

namespace kiln::layers {

// What the objects are made of may be changed until they are built or called:
// options, and variables in whose place a program puts tensors.

/// **Source**: tf.layers.Dense.
class KILN_EXPORT Dense : public Layer {
public:
  explicit Dense(int64_t units, const DenseOptions &options = {},
                 std::string kind = "Dense");
  std::optional<Shape> outputShape(const Shape &input) const override;

  int64_t units;
  DenseOptions options;
  Weight kernel, bias;

protected:
  void build(const Shape &input) override;
  Output call(const Output &inputs, const Input &training) override;
};

/// Over as many axes of space as the kernel has. **Source**: tf.layers.Conv1D,
/// Conv2D, Conv3D.
class KILN_EXPORT Convolution : public Layer {
public:
  Convolution(int64_t filters, std::vector<int64_t> kernelSize,
              const ConvolutionOptions &options = {}, std::string kind = {});
  std::optional<Shape> outputShape(const Shape &input) const override;

  int64_t filters;
  std::vector<int64_t> kernelSize;
  ConvolutionOptions options;
  Weight kernel, bias;

protected:
  void build(const Shape &input) override;
  Output call(const Output &inputs, const Input &training) override;
};

/// Over two or three axes of space. **Source**: tf.layers.Conv2DTranspose,
/// Conv3DTranspose.
class KILN_EXPORT TransposedConvolution : public Layer {
public:
  TransposedConvolution(int64_t filters, std::vector<int64_t> kernelSize,
                        const ConvolutionOptions &options = {},
                        std::string kind = {});
  std::optional<Shape> outputShape(const Shape &input) const override;

  int64_t filters;
  std::vector<int64_t> kernelSize;
  ConvolutionOptions options;
  Weight kernel, bias;

protected:
  void build(const Shape &input) override;
  Output call(const Output &inputs, const Input &training) override;
};

/// Over one or two axes of space. **Source**: tf.layers.SeparableConv1D,
/// SeparableConv2D.
class KILN_EXPORT SeparableConvolution : public Layer {
public:
  SeparableConvolution(int64_t filters, std::vector<int64_t> kernelSize,
                       const SeparableConvolutionOptions &options = {},
                       std::string kind = {});
  std::optional<Shape> outputShape(const Shape &input) const override;

  int64_t filters;
  std::vector<int64_t> kernelSize;
  SeparableConvolutionOptions options;
  Weight depthwiseKernel, pointwiseKernel, bias;

protected:
  void build(const Shape &input) override;
  Output call(const Output &inputs, const Input &training) override;
};

/// Over as many axes of space as the pool has. **Source**:
/// tf.layers.MaxPooling1D ... AveragePooling3D.
class KILN_EXPORT Pooling : public Layer {
public:
  enum class Of { Maxima, Averages };
  Pooling(Of of, std::vector<int64_t> poolSize, std::vector<int64_t> strides,
          const PoolingOptions &options = {}, std::string kind = {});
  std::optional<Shape> outputShape(const Shape &input) const override;

  Of of;
  std::vector<int64_t> poolSize, strides;
  PoolingOptions options;

protected:
  Output call(const Output &inputs, const Input &training) override;
};

/// **Source**: tf.layers.Flatten.
class KILN_EXPORT Flatten : public Layer {
public:
  explicit Flatten(const FlattenOptions &options = {},
                   std::string kind = "Flatten");
  std::optional<Shape> outputShape(const Shape &input) const override;

  FlattenOptions options;

protected:
  Output call(const Output &inputs, const Input &training) override;
};

/// **Source**: tf.layers.Dropout.
class KILN_EXPORT Dropout : public Layer {
public:
  explicit Dropout(const DropoutOptions &options = {},
                   std::string kind = "Dropout");
  std::optional<Shape> outputShape(const Shape &input) const override;

  DropoutOptions options;

protected:
  Output call(const Output &inputs, const Input &training) override;
};

/// **Source**: tf.layers.BatchNormalization.
class KILN_EXPORT BatchNormalization : public Layer {
public:
  explicit BatchNormalization(const BatchNormalizationOptions &options = {},
                              std::string kind = "BatchNormalization");
  std::optional<Shape> outputShape(const Shape &input) const override;

  BatchNormalizationOptions options;
  Weight gamma, beta, movingMean, movingVariance;
  /// Of renorm.
  Weight movingDeviation, renormMean, renormDeviation;

protected:
  void build(const Shape &input) override;
  Output call(const Output &inputs, const Input &training) override;
};

} // namespace kiln::layers

#endif // KILN_LAYERCLASSES_H
