// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small graphs for the micro-benchmarks, and timing their steps.
#ifndef KILN_BENCH_MICROGRAPH_H
#define KILN_BENCH_MICROGRAPH_H

#include "bench/MachineLimit.h"
#include "kiln/Session.h"

#include "benchmark/benchmark.h"

#include <string>
#include <vector>

namespace kiln::bench {

/// Writes nodes as a TensorFlow program would have. The first failure stays,
/// and later calls do nothing.
class GraphWriter {
public:
  GraphWriter();

  void add(std::string name, std::string op, std::vector<NodeInput> inputs,
           AttrMap attrs);
  void placeholder(std::string name, DType dtype, Shape shape);
  /// A rank-0 constant of a float dtype.
  void scalar(std::string name, DType dtype, double value);
  void vector(std::string name, std::vector<int32_t> values);
  void variable(const std::string &name, DType dtype, Shape shape);
  /// An op of one dtype "T".
  void math(std::string name, std::string op, std::vector<NodeInput> inputs,
            DType dtype);

  const std::shared_ptr<Graph> &graph() const { return target; }
  const Status &status() const { return first; }

private:
  void constant(std::string name, const StatusOr<Tensor> &value);
  std::shared_ptr<Graph> target;
  Status first;
};

/// A signature bound in a session of its own, with values to feed it.
struct Bound {
  std::unique_ptr<Session> session;
  Callable callable;
  std::vector<Tensor> feeds, results;
};

/// Binds it, initializes variables by the operation `init` if there is one, and
/// runs a first step, which compiles.
StatusOr<Bound> bindSignature(const GraphWriter &writer,
                              const std::vector<TensorId> &feedNames,
                              std::vector<Tensor> feeds,
                              const std::vector<Fetch> &fetches,
                              const std::vector<OperationId> &targets = {},
                              SessionOptions options = {});

/// A tensor of numbers in [-0.5, 0.5).
StatusOr<Tensor> makeNumbers(DType dtype, const Shape &shape);

/// What a step moves and how fast the machine moves it.
struct StepTraffic {
  double bytes = 0;    ///< a step
  double limitGbs = 0; ///< 0: there is none
};

/// Times the steps of a bound signature. Sets the counters "gbs" and, as a
/// share of the limit in this run, "of_limit".
void timeSteps(benchmark::State &state, StatusOr<Bound> &bound,
               StepTraffic traffic = {});

/// As trafficLimit(), measured once for each set of arguments.
double cachedTrafficLimit(Traffic traffic, int64_t elements, int threads);

/// 1, and all threads of the machine when these are more.
std::vector<int> threadCounts();

/// "f32", "f64" …
std::string shortName(DType dtype);

} // namespace kiln::bench

#endif // KILN_BENCH_MICROGRAPH_H
