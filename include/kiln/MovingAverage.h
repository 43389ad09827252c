// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Averages of variables over the steps of a training.
#ifndef KILN_MOVINGAVERAGE_H
#define KILN_MOVINGAVERAGE_H

#include "kiln/Variable.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct MovingAverageOptions {
  /// Makes the decay smaller while it is small: (1 + n) / (10 + n).
  std::optional<Input> numUpdates = {};
  /// Averages of tensors are freed from their start at 0.
  bool zeroDebias = false;
  std::string name = "ExponentialMovingAverage";
};

/// average = decay * average + (1 - decay) * value, for variables and tensors
/// of floating-point numbers. Averages are variables VARIABLE/NAME that are not
/// trained; those of variables begin with their first values, those of tensors
/// with 0. **Ownership**: keeps the averages, and so their graphs. **Source**:
/// tf.train.ExponentialMovingAverage.
class KILN_EXPORT ExponentialMovingAverage {
public:
  explicit ExponentialMovingAverage(const Input &decay,
                                    const MovingAverageOptions &options = {})
      : decay(decay), options(options) {}

  /// Adds an operation that brings the averages up to date, and the averages
  /// that are missing. Variables go into the collection
  /// "moving_average_variables". **Errors** of the graph: INVALID_ARGUMENT
  /// "The variables must be half, float, or double: …" (a TypeError).
  const Node *apply(const InputList &list);
  /// The same for all trainable variables.
  const Node *apply();

  /// None where there is none.
  Variable average(const Input &of) const;
  /// The name that the average has, or would have.
  std::string averageName(const Input &of) const;
  /// Variables by the names to restore them from: the average's where a
  /// variable has one, or could. Nothing: trainable variables and those of
  /// "moving_average_variables".
  std::map<std::string, Variable>
  variablesToRestore(std::optional<std::vector<Variable>> averaged = {}) const;

private:
  Input decay;
  MovingAverageOptions options;
  std::map<std::pair<const Node *, int>, Variable> averages;
};

struct AssignMovingAverageOptions {
  /// Frees the average from its start at 0, with two more variables.
  bool zeroDebias = true;
  std::string name = {};
};
/// average -= (1 - decay) * (average - value). **Source**:
/// moving_averages.assign_moving_average, "AssignMovingAvg".
KILN_EXPORT Assignment assignMovingAverage(
    const Variable &average, const Input &value, const Input &decay,
    const AssignMovingAverageOptions &options = {});

} // namespace kiln

#endif // KILN_MOVINGAVERAGE_H
