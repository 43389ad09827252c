// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of sequences and volumes: convolutions and pooling in one and in three
// dimensions. Scopes and errors are those of kiln/Layers.h.
#ifndef KILN_VOLUMELAYERS_H
#define KILN_VOLUMELAYERS_H

#include "kiln/Layers.h"

namespace kiln::layers {

using SeparableConv1DOptions = SeparableConvolutionOptions;
/// **Shapes**: [batch, width, channels] to [batch, width, filters]. **Source**:
/// tf.layers.separable_conv1d, "separable_conv1d".
KILN_EXPORT Output separableConv1D(const Input &inputs, int64_t filters,
                                   int64_t size,
                                   const SeparableConv1DOptions &options = {});

using Conv3DOptions = ConvolutionOptions;
/// **Shapes**: [batch, depth, height, width, channels] to [batch, depth,
/// height, width, filters]. **Source**: tf.layers.conv3d, "conv3d".
KILN_EXPORT Output conv3D(const Input &inputs, int64_t filters,
                          std::array<int64_t, 3> kernelSize,
                          const Conv3DOptions &options = {});
/// What a convolution with these strides would have been of; without dilations.
/// **Source**: tf.layers.conv3d_transpose, "conv3d_transpose".
KILN_EXPORT Output conv3DTranspose(const Input &inputs, int64_t filters,
                                   std::array<int64_t, 3> kernelSize,
                                   const Conv3DOptions &options = {});

/// **Source**: tf.layers.max_pooling1d, "max_pooling1d".
KILN_EXPORT Output maxPooling1D(const Input &inputs, int64_t poolSize,
                                int64_t stride,
                                const PoolingOptions &options = {});
/// **Source**: tf.layers.average_pooling1d, "average_pooling1d".
KILN_EXPORT Output averagePooling1D(const Input &inputs, int64_t poolSize,
                                    int64_t stride,
                                    const PoolingOptions &options = {});
/// **Source**: tf.layers.max_pooling3d, "max_pooling3d".
KILN_EXPORT Output maxPooling3D(const Input &inputs,
                                std::array<int64_t, 3> poolSize,
                                std::array<int64_t, 3> strides,
                                const PoolingOptions &options = {});
/// **Source**: tf.layers.average_pooling3d, "average_pooling3d".
KILN_EXPORT Output averagePooling3D(const Input &inputs,
                                    std::array<int64_t, 3> poolSize,
                                    std::array<int64_t, 3> strides,
                                    const PoolingOptions &options = {});

} // namespace kiln::layers

#endif // KILN_VOLUMELAYERS_H
