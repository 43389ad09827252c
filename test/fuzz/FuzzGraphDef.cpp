// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GraphDef -> graph -> prune -> import -> compile -> run, natively and by the
// evaluator: any bytes give a Status or a value, and both give the same bits.
#include "kiln/GraphDef.h"
#include "kiln/Session.h"
#include "lib/IO/proto/Graph.pb.h"
#include "test/fuzz/GraphGrower.h"
#include "test/fuzz/MessageMutator.h"
#include "test/fuzz/Words.h"
#include "tools/compare/Tensors.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace kiln;

namespace {

GraphLoadOptions smallGraphs() {
  GraphLoadOptions options;
  options.limits.maxNodes = 64;
  options.maxConstantBytes = size_t{1} << 20;
  return options;
}

std::unique_ptr<Session> open(const std::shared_ptr<Graph> &graph,
                              ExecutionMode mode) {
  SessionOptions options;
  options.mode = mode;
  options.threads = 1;
  options.fileFolders.emplace(); // none
  options.limits.maxRunBytes = int64_t{4} << 20;
  auto session = Session::create(graph, options);
  return session.ok() ? *std::move(session) : nullptr;
}

/// A feed for a placeholder: extents that its shape leaves open are `extent`.
std::optional<Tensor> feedFor(const Node &node, int64_t extent) {
  DType dtype = node.outputDType(0);
  const Shape &declared = node.outputShape(0);
  std::vector<int64_t> dims(declared.dims().begin(), declared.dims().end());
  int64_t count = 1;
  for (int64_t &dim : dims) {
    if (dim < 0)
      dim = extent;
    if (dim > 4096 || (count *= dim) > 4096)
      return std::nullopt;
  }
  auto shape = Shape::fromDims(dims);
  if (!isSupported(dtype) || dtypeSize(dtype) == 0 || !shape.ok())
    return std::nullopt;
  auto tensor = Tensor::zeros(dtype, *shape);
  if (!tensor.ok())
    return std::nullopt;
  if (dtype == DType::String) {
    for (size_t i = 0; i < tensor->mutableData<String>().size(); i += 2)
      if (auto text = String::create("text"); text.ok())
        tensor->mutableData<String>()[i] = *std::move(text);
    return *std::move(tensor);
  }
  // 0, 1, 2 and 1.5, 2.5: small numbers serve as indices and as divisors.
  for (int64_t i = 0; i < tensor->numElements(); ++i) {
    auto *at = static_cast<char *>(tensor->mutableRawData()) +
               static_cast<size_t>(i) * dtypeSize(dtype);
    auto small = static_cast<int32_t>(i % 3);
    if (dtype == DType::Float32) {
      float value = static_cast<float>(small) + (i % 2 ? 0.5f : 0.0f);
      std::memcpy(at, &value, sizeof value);
    } else if (dtype == DType::Float64) {
      double value = small - 0.5;
      std::memcpy(at, &value, sizeof value);
    } else {
      *at = static_cast<char>(dtype == DType::Bool ? small & 1 : small);
    }
  }
  return *std::move(tensor);
}

/// Time and memory may run out for one executor alone.
bool isExhausted(const Status &status) {
  return status.code() == StatusCode::DeadlineExceeded ||
         status.code() == StatusCode::ResourceExhausted;
}

/// Ends the process where the two executors disagree: no crash is as bad as a
/// wrong value.
void compareResults(const StatusOr<std::vector<Tensor>> &native,
                    const StatusOr<std::vector<Tensor>> &evaluated) {
  if (native.ok() != evaluated.ok() && !isExhausted(native.status()) &&
      !isExhausted(evaluated.status())) {
    std::fprintf(stderr, "native: %s\nevaluator: %s\n",
                 native.status().toString().c_str(),
                 evaluated.status().toString().c_str());
    std::abort();
  }
  if (native.ok() && evaluated.ok()) {
    for (size_t i = 0; i < native->size(); ++i)
      if (auto found = compare::compareTensors((*native)[i], (*evaluated)[i])) {
        std::fprintf(stderr,
                     "fetch %zu, element %lld: native %s, evaluator %s\n", i,
                     static_cast<long long>(found->element),
                     found->first.c_str(), found->second.c_str());
        std::abort();
      }
  }
}

/// Random numbers without a seed are others in each session.
bool isDeterministic(const Graph &graph) {
  for (int id = 0; id < graph.numNodes(); ++id) {
    const Node &node = *graph.node(id);
    const OpDef *def = lookupOp(node.op());
    if (def && def->family == "Random" &&
        node.attrOr<int64_t>("seed", 0) == 0 &&
        node.attrOr<int64_t>("seed2", 0) == 0)
      return false;
  }
  return true;
}

void runBoth(const std::shared_ptr<Graph> &graph, bool isNative) {
  std::vector<bool> isUsed(static_cast<size_t>(graph->numNodes()));
  for (int id = 0; id < graph->numNodes(); ++id)
    for (const Output &input : graph->node(id)->inputs())
      isUsed[static_cast<size_t>(input.node->id())] = true;
  std::vector<Fetch> fetches;
  std::vector<OperationId> targets;
  std::vector<const Node *> placeholders;
  for (int id = 0; id < graph->numNodes(); ++id) {
    const Node *node = graph->node(id);
    if (node->op() == "Placeholder" && node->numOutputs() == 1)
      placeholders.push_back(node);
    else if (node->numOutputs() > 0 && !isUsed[static_cast<size_t>(id)])
      for (int i = 0; i < std::min(node->numOutputs(), 4); ++i)
        fetches.push_back(Output{node, i});
    else if (node->numOutputs() == 0)
      targets.push_back(node);
  }
  auto evaluator = open(graph, ExecutionMode::EvaluatorOnly);
  auto native = isNative ? open(graph, ExecutionMode::NativeOnly) : nullptr;
  bool isComparable = isDeterministic(*graph);
  RunOptions options;
  options.timeout = std::chrono::seconds(1);
  auto runAll = [&](const std::vector<Feed> &feeds,
                    const std::vector<Fetch> &wanted,
                    const std::vector<OperationId> &then, bool natively) {
    auto evaluated = evaluator->run(feeds, wanted, then, options);
    if (native && natively) {
      auto values = native->run(feeds, wanted, then, options);
      // A run that was too slow for one of them has left its variables behind.
      for (const Status &status : {values.status(), evaluated.status()})
        isComparable &= status.code() != StatusCode::DeadlineExceeded;
      if (isComparable)
        compareResults(values, evaluated);
    }
    bool isOk = evaluated.ok();
    // Variables and random streams may have come to different places.
    if (!isOk || !natively || !isComparable) {
      evaluator = open(graph, ExecutionMode::EvaluatorOnly);
      native = isNative ? open(graph, ExecutionMode::NativeOnly) : nullptr;
    }
    return isOk;
  };
  for (int64_t extent : {2, 1}) {
    std::vector<Feed> feeds;
    for (const Node *node : placeholders)
      if (auto value = feedFor(*node, extent))
        feeds.push_back({Output{node, 0}, *std::move(value)});
    if (runAll(feeds, fetches, targets, true))
      continue;
    // One bad node must not hide the others.
    for (size_t i = 0; i < std::min<size_t>(fetches.size(), 6); ++i)
      runAll(feeds, {fetches[i]}, {}, i == 0);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto graph =
      loadGraphDef({reinterpret_cast<const char *>(data), size}, smallGraphs());
  if (!graph.ok() || (*graph)->numNodes() == 0)
    return 0;
  // Native code costs a compilation: every eighth input.
  uint32_t sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum = sum * 31 + data[i];
  runBoth(*graph, sum % 8 == 0);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 2) {
    auto graph = loadGraphDef({reinterpret_cast<const char *>(data), size},
                              smallGraphs());
    if (!graph.ok())
      graph = std::make_shared<Graph>(makeNodeChecker());
    for (int i = 0, end = 1 + static_cast<int>(random() % 3); i < end; ++i)
      fuzz::growGraph(**graph, random);
    if (auto bytes = toGraphDef(**graph);
        bytes.ok() && bytes->size() <= maxSize) {
      std::memcpy(data, bytes->data(), bytes->size());
      return bytes->size();
    }
  }
  proto::GraphDef message;
  return fuzz::mutateBinary(message, data, size, maxSize, seed,
                            fuzz::opWords());
}
