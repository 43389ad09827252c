// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling as TensorFlow's Python functions add it.
#ifndef KILN_OPS_POOLINGOPS_H
#define KILN_OPS_POOLINGOPS_H

#include "kiln/ops/ConvolutionOps.h"

namespace kiln::ops {

// Sizes and strides are as strides of convolutions.

struct PoolOptions {
  std::string dataFormat = "NHWC";
  std::string name = {};
};
/// **Source**: tf.nn.max_pool, "MaxPool".
KILN_EXPORT Output maxPool(const Input &value,
                           const std::vector<int64_t> &ksize,
                           const std::vector<int64_t> &strides,
                           const Padding &padding,
                           const PoolOptions &options = {});
/// **Source**: tf.nn.max_pool2d, "MaxPool2d".
KILN_EXPORT Output maxPool2D(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const Padding &padding,
                             const PoolOptions &options = {});
/// **Source**: tf.nn.avg_pool, "AvgPool".
KILN_EXPORT Output avgPool(const Input &value,
                           const std::vector<int64_t> &ksize,
                           const std::vector<int64_t> &strides,
                           const std::string &padding,
                           const PoolOptions &options = {});

struct SequencePoolOptions {
  std::string dataFormat = "NWC";
  std::string name = {};
};
/// **Source**: tf.nn.max_pool1d, "MaxPool1d".
KILN_EXPORT Output maxPool1D(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const Padding &padding,
                             const SequencePoolOptions &options = {});
/// **Source**: tf.nn.avg_pool1d, "AvgPool1D".
KILN_EXPORT Output avgPool1D(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const std::string &padding,
                             const SequencePoolOptions &options = {});

struct VolumePoolOptions {
  std::string dataFormat = "NDHWC";
  std::string name = {};
};
/// **Source**: tf.nn.max_pool3d, "MaxPool3D".
KILN_EXPORT Output maxPool3D(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const std::string &padding,
                             const VolumePoolOptions &options = {});
/// **Source**: tf.nn.avg_pool3d, "AvgPool3D".
KILN_EXPORT Output avgPool3D(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const std::string &padding,
                             const VolumePoolOptions &options = {});

struct AnyPoolOptions {
  /// Empty: channels last.
  std::string dataFormat = {};
  std::string name = {};
};
/// Of one, two or three axes of space, as the rank says. **Errors** of the
/// graph: INVALID_ARGUMENT for other ranks. **Source**: tf.nn.max_pool_v2,
/// "MaxPool1d", "MaxPool2d", "MaxPool3D".
KILN_EXPORT Output maxPoolV2(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const Padding &padding,
                             const AnyPoolOptions &options = {});
/// **Source**: tf.nn.avg_pool_v2, "AvgPool1D", "AvgPool", "AvgPool3D".
KILN_EXPORT Output avgPoolV2(const Input &input,
                             const std::vector<int64_t> &ksize,
                             const std::vector<int64_t> &strides,
                             const std::string &padding,
                             const AnyPoolOptions &options = {});

struct WindowPoolOptions {
  std::vector<int64_t> dilationRate = {};
  std::vector<int64_t> strides = {};
  std::string name = {};
  std::string dataFormat = {};
};
/// Pooling of a type, "MAX" or "AVG", of one to three axes of space. **Errors**
/// of the graph: INVALID_ARGUMENT with TensorFlow's texts for other types and
/// numbers of axes, "SAME" with dilations, strides beyond the window.
/// **Source**: tf.nn.pool, "max_pool", "avg_pool".
KILN_EXPORT Output pool(const Input &input,
                        const std::vector<int64_t> &windowShape,
                        const std::string &poolingType,
                        const std::string &padding,
                        const WindowPoolOptions &options = {});

struct ArgmaxPoolOptions {
  std::string dataFormat = "NHWC";
  /// Of the indices.
  DType targmax = DType::Int64;
  std::string name = {};
  bool includeBatchInIndex = false;
};
struct PooledMaxima {
  Output output, argmax;
};
/// The maxima, and where they lie. **Source**: tf.nn.max_pool_with_argmax,
/// "MaxPoolWithArgmax".
KILN_EXPORT PooledMaxima maxPoolWithArgmax(
    const Input &input, const std::vector<int64_t> &ksize,
    const std::vector<int64_t> &strides, const std::string &padding,
    const ArgmaxPoolOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_POOLINGOPS_H
