// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learning rates that fall as a global step grows.
#ifndef KILN_LEARNINGRATES_H
#define KILN_LEARNINGRATES_H

#include "kiln/OpOptions.h"

#include <string>
#include <vector>

namespace kiln {

// Each is a tensor in the dtype of the first learning rate, a float32 for a
// number. Everything may be a number, a tensor or a variable.

struct DecayOptions {
  /// The exponent is rounded down: the rate falls in stairs.
  bool staircase = false;
  std::string name = {};
};
/// rate * decayRate ^ (step / decaySteps). **Source**:
/// tf.train.exponential_decay, "ExponentialDecay".
KILN_EXPORT Output exponentialDecay(const Input &learningRate,
                                    const Input &globalStep,
                                    const Input &decaySteps,
                                    const Input &decayRate,
                                    const DecayOptions &options = {});
/// rate * exp(-decayRate * step / decaySteps). **Source**:
/// tf.train.natural_exp_decay, "ExponentialDecay".
KILN_EXPORT Output naturalExpDecay(const Input &learningRate,
                                   const Input &globalStep,
                                   const Input &decaySteps,
                                   const Input &decayRate,
                                   const DecayOptions &options = {});
/// rate / (1 + decayRate * step / decaySteps). **Source**:
/// tf.train.inverse_time_decay, "InverseTimeDecay".
KILN_EXPORT Output inverseTimeDecay(const Input &learningRate,
                                    const Input &globalStep,
                                    const Input &decaySteps,
                                    const Input &decayRate,
                                    const DecayOptions &options = {});

/// One of the values: the first for a step up to the first boundary, the last
/// for one above the last. **Errors** of the graph: INVALID_ARGUMENT where
/// there is not one value more than boundaries, no boundary, or dtypes differ.
/// **Source**: tf.train.piecewise_constant_decay, "PiecewiseConstant".
KILN_EXPORT Output piecewiseConstant(const Input &x,
                                     const InputList &boundaries,
                                     const InputList &values,
                                     const OpOptions &options = {});

struct PolynomialDecayOptions {
  Input endLearningRate = 0.0001;
  Input power = 1.0;
  /// Starts again, for as long as it takes, where the steps are done.
  bool cycle = false;
  std::string name = {};
};
/// (rate - end) * (1 - step / decaySteps) ^ power + end. **Source**:
/// tf.train.polynomial_decay, "PolynomialDecay".
KILN_EXPORT Output polynomialDecay(const Input &learningRate,
                                   const Input &globalStep,
                                   const Input &decaySteps,
                                   const PolynomialDecayOptions &options = {});

struct CosineDecayOptions {
  /// What is left of the rate in the end.
  Input alpha = 0.0;
  std::string name = {};
};
/// **Source**: tf.train.cosine_decay, "CosineDecay".
KILN_EXPORT Output cosineDecay(const Input &learningRate,
                               const Input &globalStep, const Input &decaySteps,
                               const CosineDecayOptions &options = {});

struct CosineDecayRestartsOptions {
  /// How much longer each period is than the one before it.
  Input tMul = 2.0;
  /// What is left of the rate at each start.
  Input mMul = 1.0;
  Input alpha = 0.0;
  std::string name = {};
};
/// **Source**: tf.train.cosine_decay_restarts, "SGDRDecay".
KILN_EXPORT Output
cosineDecayRestarts(const Input &learningRate, const Input &globalStep,
                    const Input &firstDecaySteps,
                    const CosineDecayRestartsOptions &options = {});

struct LinearCosineDecayOptions {
  Input numPeriods = 0.5;
  Input alpha = 0.0;
  Input beta = 0.001;
  std::string name = {};
};
/// **Source**: tf.train.linear_cosine_decay, "LinearCosineDecay".
KILN_EXPORT Output linearCosineDecay(
    const Input &learningRate, const Input &globalStep, const Input &decaySteps,
    const LinearCosineDecayOptions &options = {});

struct NoisyLinearCosineDecayOptions {
  Input initialVariance = 1.0;
  Input varianceDecay = 0.55;
  Input numPeriods = 0.5;
  Input alpha = 0.0;
  Input beta = 0.001;
  std::string name = {};
};
/// As linearCosineDecay(), with noise whose variance is initialVariance / (1 +
/// step) ^ varianceDecay. **Source**: tf.train.noisy_linear_cosine_decay,
/// "NoisyLinearCosineDecay".
KILN_EXPORT Output noisyLinearCosineDecay(
    const Input &learningRate, const Input &globalStep, const Input &decaySteps,
    const NoisyLinearCosineDecayOptions &options = {});

} // namespace kiln

#endif // KILN_LEARNINGRATES_H
