// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plug-in on Kiln that beside_tensorflow.py loads into a process with
// TensorFlow.
#include "kiln/GraphDef.h"
#include "kiln/Session.h"

#include <cstdio>

using namespace kiln;

namespace {

StatusOr<float> train(const char *path, int steps) {
  auto graph = loadGraphDefFile(path);
  if (!graph.ok())
    return graph.status();
  // Text goes through another part of protobuf.
  auto text = toGraphDef(**graph, GraphDefFormat::Text);
  if (!text.ok())
    return text.status();
  graph = loadGraphDef(*text);
  if (!graph.ok())
    return graph.status();
  auto session = Session::create(*graph, {.mode = ExecutionMode::NativeOnly});
  if (!session.ok())
    return session.status();
  auto initialized = (*session)->run({}, {"init"});
  if (!initialized.ok())
    return initialized.status();
  std::vector<float> rows(100 * 11), labels(100);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<float>(i * 7919 % 101) / 101;
  for (size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<float>(i % 7);
  std::vector<Feed> feeds = {
      {"X:0", *Tensor::borrow(DType::Float32, {100, 11}, rows.data())},
      {"y:0", *Tensor::borrow(DType::Float32, {100, 1}, labels.data())}};
  float loss = 0;
  for (int step = 0; step < steps; ++step) {
    RunStats stats;
    auto results =
        (*session)->run(feeds, {"mse:0"}, {"train_op"}, RunOptions(), &stats);
    if (!results.ok())
      return results.status();
    if (stats.executor != Executor::Native)
      return internalError("expected native code");
    loss = (*results)[0].data<float>()[0];
  }
  return loss;
}

} // namespace

/// Trains `steps` steps of examples/graphs/linear_regression.pb in a session of
/// its own and writes the last loss; 0, or 1 with a message.
extern "C" [[gnu::visibility("default")]] int kilnTrain(const char *path,
                                                        int steps, float *loss,
                                                        char *message,
                                                        size_t messageBytes) {
  auto result = train(path, steps);
  if (result.ok()) {
    *loss = *result;
    return 0;
  }
  std::snprintf(message, messageBytes, "%s",
                result.status().toString().c_str());
  return 1;
}
