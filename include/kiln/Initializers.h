// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initializers: functions that make the first values of variables.
#ifndef KILN_INITIALIZERS_H
#define KILN_INITIALIZERS_H

#include "kiln/Variable.h"

#include <functional>
#include <optional>
#include <vector>

namespace kiln {

/// The part of a partitioned variable that is initialized.
struct PartitionInfo {
  Shape fullShape;
  std::vector<int64_t> offset;
};

/// A function of shape and dtype, a function without arguments, or a value.
class KILN_EXPORT Initializer {
public:
  using Function = std::function<Output(const Shape &shape, DType dtype,
                                        const PartitionInfo *partition)>;

  Initializer(Function function) : function(std::move(function)) {}
  Initializer(InitialValue function) : bare(std::move(function)) {}
  template <class T>
    requires std::is_convertible_v<const T &, Input>
  Initializer(const T &value) : constant(Input(value)) {}

  /// The value, where it is one.
  const std::optional<Input> &value() const noexcept { return constant; }
  bool needsShape() const noexcept { return static_cast<bool>(function); }
  /// Each the function, where it is one.
  const Function &shaped() const noexcept { return function; }
  const std::optional<InitialValue> &plain() const noexcept { return bare; }
  /// Adds what makes the first value. **Errors** are the graph's.
  Output operator()(const Shape &shape, DType dtype,
                    const PartitionInfo *partition = nullptr) const;

private:
  Function function;
  std::optional<InitialValue> bare;
  std::optional<Input> constant;
};

/// **Source**: tf.zeros_initializer and so on.
KILN_EXPORT Initializer zerosInitializer();
KILN_EXPORT Initializer onesInitializer();
/// **Edges**: the last element stands for those that are missing.
KILN_EXPORT Initializer constantInitializer(const Input &value);
KILN_EXPORT Initializer randomUniformInitializer(
    double minimum = 0, double maximum = 1, std::optional<int64_t> seed = {});
KILN_EXPORT Initializer randomNormalInitializer(
    double mean = 0, double stddev = 1, std::optional<int64_t> seed = {});
KILN_EXPORT Initializer truncatedNormalInitializer(
    double mean = 0, double stddev = 1, std::optional<int64_t> seed = {});
struct VarianceScalingOptions {
  double scale = 1;
  /// "fan_in", "fan_out", "fan_avg".
  std::string mode = "fan_in";
  /// "truncated_normal" or "normal", "untruncated_normal", "uniform".
  std::string distribution = "truncated_normal";
  std::optional<int64_t> seed = {};
};
/// **Errors** of the graph, when it is used: INVALID_ARGUMENT for a scale that
/// is not above 0 and for other modes and distributions.
KILN_EXPORT Initializer
varianceScalingInitializer(const VarianceScalingOptions &options = {});
KILN_EXPORT Initializer
glorotUniformInitializer(std::optional<int64_t> seed = {});
KILN_EXPORT Initializer
glorotNormalInitializer(std::optional<int64_t> seed = {});
/// For layers of rectified units.
KILN_EXPORT Initializer heUniformInitializer(std::optional<int64_t> seed = {});
KILN_EXPORT Initializer heNormalInitializer(std::optional<int64_t> seed = {});
KILN_EXPORT Initializer
lecunUniformInitializer(std::optional<int64_t> seed = {});
KILN_EXPORT Initializer
lecunNormalInitializer(std::optional<int64_t> seed = {});
/// **Errors** of the graph, when it is used: INVALID_ARGUMENT for a rank below
/// 2.
KILN_EXPORT Initializer orthogonalInitializer(double gain = 1,
                                              std::optional<int64_t> seed = {});

/// The gain on the diagonal. **Errors** of the graph, when it is used:
/// INVALID_ARGUMENT for another rank than 2.
KILN_EXPORT Initializer identityInitializer(double gain = 1);
/// Uniformly within factor * sqrt(3 / n), where n is the product of all extents
/// but the last.
KILN_EXPORT Initializer uniformUnitScalingInitializer(
    double factor = 1, std::optional<int64_t> seed = {});

} // namespace kiln

#endif // KILN_INITIALIZERS_H
