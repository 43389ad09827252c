// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations that TensorFlow's Python makes of several ops, or around one.
#ifndef KILN_OPS_ACTIVATIONOPS_H
#define KILN_OPS_ACTIVATIONOPS_H

#include "kiln/OpOptions.h"

namespace kiln::ops {

struct CReluOptions {
  std::string name = {};
  int64_t axis = -1;
};
/// What is above 0, and what is below, negative, behind each other. **Source**:
/// tf.nn.crelu, "CRelu".
KILN_EXPORT Output crelu(const Input &features,
                         const CReluOptions &options = {});
struct LeakyReluOptions {
  double alpha = 0.2;
  std::string name = {};
};
/// Integers as float32. **Source**: tf.nn.leaky_relu, "LeakyRelu".
KILN_EXPORT Output leakyRelu(const Input &features,
                             const LeakyReluOptions &options = {});
/// x * sigmoid(beta * x), with a gradient that computes sigmoid(beta * x) again
/// instead of keeping it. **Source**: tf.nn.swish.
KILN_EXPORT Output swish(const Input &features, const Input &beta = 1.0);

/// x * weights + biases. **Source**: tf.nn.xw_plus_b, "xw_plus_b".
KILN_EXPORT Output xwPlusB(const Input &x, const Input &weights,
                           const Input &biases, const OpOptions &options = {});
/// relu(x * weights + biases). **Source**: tf.nn.relu_layer, "relu_layer".
KILN_EXPORT Output reluLayer(const Input &x, const Input &weights,
                             const Input &biases,
                             const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_ACTIVATIONOPS_H
