// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs, numbers and the loop around a Callable.
#include "bench/MicroGraph.h"

#include "kiln/Ops.h"

#include <chrono>
#include <map>
#include <random>
#include <tuple>

namespace kiln::bench {

GraphWriter::GraphWriter()
    : target(std::make_shared<Graph>(makeNodeChecker())) {}

void GraphWriter::add(std::string name, std::string op,
                      std::vector<NodeInput> inputs, AttrMap attrs) {
  if (!first.ok())
    return;
  auto made = target->addNode({.name = std::move(name),
                               .op = std::move(op),
                               .inputs = std::move(inputs),
                               .attrs = std::move(attrs)});
  if (!made.ok())
    first = made.status();
}

void GraphWriter::placeholder(std::string name, DType dtype, Shape shape) {
  add(std::move(name), "Placeholder", {},
      {{"dtype", dtype}, {"shape", std::move(shape)}});
}

void GraphWriter::constant(std::string name, const StatusOr<Tensor> &value) {
  if (value.ok())
    add(std::move(name), "Const", {},
        {{"dtype", value->dtype()}, {"value", *value}});
  else if (first.ok())
    first = value.status();
}

void GraphWriter::scalar(std::string name, DType dtype, double value) {
  constant(std::move(name), dtype == DType::Float64
                                ? Tensor::scalar(value)
                                : Tensor::scalar(static_cast<float>(value)));
}

void GraphWriter::vector(std::string name, std::vector<int32_t> values) {
  constant(std::move(name),
           Tensor::fromValues<int32_t>({static_cast<int64_t>(values.size())},
                                       std::span<const int32_t>(values)));
}

void GraphWriter::variable(const std::string &name, DType dtype, Shape shape) {
  constant(name + "/initial", Tensor::zeros(dtype, shape));
  add(name, "VariableV2", {}, {{"dtype", dtype}, {"shape", shape}});
  add(name + "/Assign", "Assign", {name, name + "/initial"}, {{"T", dtype}});
  add("init", "NoOp", {"^" + name + "/Assign"}, {});
}

void GraphWriter::math(std::string name, std::string op,
                       std::vector<NodeInput> inputs, DType dtype) {
  add(std::move(name), std::move(op), std::move(inputs), {{"T", dtype}});
}

StatusOr<Bound>
bindSignature(const GraphWriter &writer, const std::vector<TensorId> &feedNames,
              std::vector<Tensor> feeds, const std::vector<Fetch> &fetches,
              const std::vector<OperationId> &targets, SessionOptions options) {
  if (!writer.status().ok())
    return writer.status();
  StatusOr<std::unique_ptr<Session>> session =
      Session::create(writer.graph(), options);
  if (!session.ok())
    return session.status();
  Bound bound{.session = *std::move(session),
              .callable = {},
              .feeds = std::move(feeds),
              .results = std::vector<Tensor>(fetches.size())};
  if (writer.graph()->lookup("init")) {
    auto initialized = bound.session->run({}, {}, {"init"});
    if (!initialized.ok())
      return initialized.status();
  }
  StatusOr<Callable> callable =
      bound.session->makeCallable(feedNames, fetches, targets);
  if (!callable.ok())
    return callable.status();
  bound.callable = *std::move(callable);
  // What is measured is native code, and its second call.
  std::vector<FeedInfo> infos;
  for (size_t i = 0; i < feedNames.size(); ++i)
    infos.push_back({feedNames[i], bound.feeds[i].shape(), bound.feeds[i]});
  Status status = bound.session->prepare(infos, fetches, targets);
  if (status.ok())
    status = bound.callable(bound.feeds, bound.results);
  if (!status.ok())
    return status;
  return bound;
}

StatusOr<Tensor> makeNumbers(DType dtype, const Shape &shape) {
  StatusOr<Tensor> tensor = Tensor::create(dtype, shape);
  if (!tensor.ok())
    return tensor;
  std::minstd_rand random(1);
  auto fill = [&](auto elements) {
    for (auto &element : elements)
      element = static_cast<std::remove_reference_t<decltype(element)>>(
          static_cast<double>(random()) /
              static_cast<double>(std::minstd_rand::max()) -
          0.5);
  };
  if (dtype == DType::Float64)
    fill(tensor->mutableData<double>());
  else
    fill(tensor->mutableData<float>());
  return tensor;
}

void timeSteps(benchmark::State &state, StatusOr<Bound> &bound,
               StepTraffic traffic) {
  if (!bound.ok())
    return state.SkipWithError(bound.status().toString().c_str());
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  for (auto _ : state) {
    Status status = bound->callable(bound->feeds, bound->results);
    if (!status.ok())
      return state.SkipWithError(status.toString().c_str());
  }
  if (traffic.bytes == 0)
    return;
  std::chrono::duration<double> time = Clock::now() - start;
  double gbs = traffic.bytes * static_cast<double>(state.iterations()) /
               time.count() / 1e9;
  state.counters["gbs"] = gbs;
  if (traffic.limitGbs > 0)
    state.counters["of_limit"] = gbs / traffic.limitGbs;
}

double cachedTrafficLimit(Traffic traffic, int64_t elements, int threads) {
  static std::map<std::tuple<Traffic, int64_t, int>, double> known;
  auto [found, isNew] = known.try_emplace({traffic, elements, threads}, 0);
  if (const MachineKernels *kernels = machineKernels(); isNew && kernels)
    found->second = trafficLimit(*kernels, traffic, elements, threads, 10);
  return found->second;
}

std::vector<int> threadCounts() {
  if (machineThreads() == 1)
    return {1};
  return {1, machineThreads()};
}

std::string shortName(DType dtype) {
  return dtype == DType::Float64 ? "f64" : "f32";
}

} // namespace kiln::bench
