// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What metrics are written with.
#ifndef KILN_LIB_TRAIN_METRICPARTS_H
#define KILN_LIB_TRAIN_METRICPARTS_H

#include "kiln/Metrics.h"
#include "kiln/VariableScope.h"

namespace kiln::metrics {

/// The collection of metrics' variables. **Source**:
/// tf.GraphKeys.METRIC_VARIABLES.
inline constexpr std::string_view metricVariables = "metric_variables";

/// The graph of an input, and the metric's variable scope in it.
class MetricScope {
public:
  MetricScope(const Input &graphOfThis, const MetricOptions &options,
              const char *defaultName);
  /// Makes the graph's status an error.
  Metric refuse(std::string text) const;

private:
  GraphScope graph;
  VariableScope scope;
};

/// A sum that begins with zeros. **Source**: metrics_impl.metric_variable.
Variable sumVariable(const Shape &shape, DType dtype, const std::string &name);

struct Adjusted {
  Output predictions, labels;
  std::optional<Output> weights;
  /// Whether nothing went wrong.
  bool isValid() const { return predictions.node; }
};
/// Of one rank: an axis of extent 1 that one has too much is taken away.
/// **Source**: metrics_impl._remove_squeezable_dimensions.
Adjusted adjusted(const Input &predictions, const std::optional<Input> &labels,
                  const std::optional<Input> &weights);
/// **Errors** of the graph: INVALID_ARGUMENT where the shapes do not fit.
bool areCompatible(const Output &x, const Output &y);

/// Adds both to the collections.
Metric collected(const Output &value, const Output &update,
                 const MetricOptions &options);
/// The options without collections, of a metric that is part of another.
MetricOptions partOf(const MetricOptions &options, std::string name = {});

} // namespace kiln::metrics

#endif // KILN_LIB_TRAIN_METRICPARTS_H
