// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tensors as TensorFlow's Python functions add them. Seeds of ops go
// with the graph's (GraphBuilder::seedsFor()).
#ifndef KILN_OPS_RANDOMOPS_H
#define KILN_OPS_RANDOMOPS_H

#include "kiln/OpOptions.h"

#include <optional>

namespace kiln::ops {

struct RandomOptions {
  DType dtype = DType::Float32;
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// Between 0 and 1. **Source**: tf.random_uniform, "random_uniform".
KILN_EXPORT Output randomUniform(const Input &shape,
                                 const RandomOptions &options = {});
/// From minimum to maximum, which is left out.
KILN_EXPORT Output randomUniform(const Input &shape, const Input &minimum,
                                 const Input &maximum,
                                 const RandomOptions &options = {});

struct NormalOptions {
  Input mean = 0.0;
  Input stddev = 1.0;
  DType dtype = DType::Float32;
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// **Source**: tf.random_normal, "random_normal".
KILN_EXPORT Output randomNormal(const Input &shape,
                                const NormalOptions &options = {});
/// Values beyond two standard deviations are drawn again. **Source**:
/// tf.truncated_normal, "truncated_normal".
KILN_EXPORT Output truncatedNormal(const Input &shape,
                                   const NormalOptions &options = {});

struct SeedOptions {
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// The rows in another order. **Source**: tf.random_shuffle, "RandomShuffle".
KILN_EXPORT Output randomShuffle(const Input &value,
                                 const SeedOptions &options = {});
struct MultinomialOptions {
  std::optional<int64_t> seed = {};
  DType outputType = DType::Int64;
  std::string name = {};
};
/// **Source**: tf.multinomial, "multinomial".
KILN_EXPORT Output multinomial(const Input &logits, const Input &numSamples,
                               const MultinomialOptions &options = {});

struct GammaOptions {
  /// Nothing: 1.
  std::optional<Input> beta = {};
  DType dtype = DType::Float32;
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// Numbers of Gamma distributions. **Shapes**: the shape, then that to which
/// alpha and beta broadcast. **Source**: tf.random_gamma, "random_gamma".
KILN_EXPORT Output randomGamma(const Input &shape, const Input &alpha,
                               const GammaOptions &options = {});

// Random numbers that depend on their seed alone, two integers.

struct StatelessUniformOptions {
  Input minimum = 0;
  /// Left out; nothing: 1, of integers all that the type has.
  std::optional<Input> maximum = {};
  DType dtype = DType::Float32;
  std::string name = {};
};
/// **Errors** of the graph: INVALID_ARGUMENT for another dtype. **Source**:
/// tf.random.stateless_uniform, "stateless_random_uniform".
KILN_EXPORT Output
statelessUniform(const Input &shape, const Input &seed,
                 const StatelessUniformOptions &options = {});
struct StatelessNormalOptions {
  Input mean = 0.0;
  Input stddev = 1.0;
  DType dtype = DType::Float32;
  std::string name = {};
};
/// **Source**: tf.random.stateless_normal, "stateless_random_normal".
KILN_EXPORT Output statelessNormal(const Input &shape, const Input &seed,
                                   const StatelessNormalOptions &options = {});
/// **Source**: tf.random.stateless_truncated_normal,
/// "stateless_truncated_normal".
KILN_EXPORT Output
statelessTruncatedNormal(const Input &shape, const Input &seed,
                         const StatelessNormalOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_RANDOMOPS_H
