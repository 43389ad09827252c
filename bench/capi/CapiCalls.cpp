// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TensorFlow's C interface adds to a call: TF_SessionRun beside a Callable
// of the same signature, and eager ops.
//
// Capi/WAY/f32/SHAPE/THREADS. It does not measure computing, compiling, or the
// first call of a signature.
#include "kiln/GraphDef.h"
#include "kiln/Session.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/eager/c_api.h"

#include "benchmark/benchmark.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace kiln::bench {
namespace {

/// bench/graphs/overhead.pb: one addition.
std::string overheadGraph() {
  std::ifstream file(KILN_SOURCE_DIR "/bench/graphs/overhead.pb",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void callable(benchmark::State &state) {
  auto graph = loadGraphDef(overheadGraph());
  auto session = Session::create(*graph);
  auto call =
      (*session)->makeCallable({TensorId("Placeholder:0")}, {Fetch("add:0")});
  if (!call.ok())
    return state.SkipWithError(call.status().toString().c_str());
  std::vector<Tensor> feeds = {Tensor::scalar(1.0f)}, results(1);
  // A first call, and those behind which native code is made.
  for (int i = 0; i < 2000; ++i)
    if (Status status = (*call)(feeds, results); !status.ok())
      return state.SkipWithError(status.toString().c_str());
  for (auto _ : state) {
    // Results are the caller's: as TF_SessionRun's.
    std::vector<Tensor> fresh(1);
    benchmark::DoNotOptimize((*call)(feeds, fresh).ok());
  }
}
BENCHMARK(callable)->Name("Capi/callable/f32/scalar/1");

/// A session on the graph, and the tensors of its signature.
struct Running {
  Running() {
    const std::string bytes = overheadGraph();
    TF_Buffer *buffer = TF_NewBufferFromString(bytes.data(), bytes.size());
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, buffer, options, status);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    TF_SessionOptions *sessionOptions = TF_NewSessionOptions();
    session = TF_NewSession(graph, sessionOptions, status);
    TF_DeleteSessionOptions(sessionOptions);
    input = {TF_GraphOperationByName(graph, "Placeholder"), 0};
    output = {TF_GraphOperationByName(graph, "add"), 0};
    *static_cast<float *>(TF_TensorData(value)) = 1;
  }
  bool step() {
    TF_Tensor *result = nullptr;
    TF_SessionRun(session, nullptr, &input, &value, 1, &output, &result, 1,
                  nullptr, 0, nullptr, status);
    TF_DeleteTensor(result);
    return TF_GetCode(status) == TF_OK;
  }
  ~Running() {
    TF_DeleteTensor(value);
    TF_DeleteSession(session, status);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
  }

  TF_Status *status = TF_NewStatus();
  TF_Graph *graph = TF_NewGraph();
  TF_Session *session = nullptr;
  TF_Tensor *value = TF_AllocateTensor(TF_FLOAT, nullptr, 0, sizeof(float));
  TF_Output input, output;
};

void sessionRun(benchmark::State &state) {
  Running running;
  for (int i = 0; i < 2000; ++i)
    if (!running.step())
      return state.SkipWithError(TF_Message(running.status));
  for (auto _ : state)
    benchmark::DoNotOptimize(running.step());
}
BENCHMARK(sessionRun)->Name("Capi/session_run/f32/scalar/1");

void eagerAdd(benchmark::State &state) {
  TF_Status *status = TF_NewStatus();
  TFE_ContextOptions *options = TFE_NewContextOptions();
  TFE_Context *context = TFE_NewContext(options, status);
  TFE_DeleteContextOptions(options);
  const int64_t dims[] = {4};
  TF_Tensor *tensor = TF_AllocateTensor(TF_FLOAT, dims, 1, 16);
  std::fill_n(static_cast<float *>(TF_TensorData(tensor)), 4, 1.f);
  TFE_TensorHandle *value = TFE_NewTensorHandle(tensor, status);
  auto step = [&] {
    TFE_Op *op = TFE_NewOp(context, "AddV2", status);
    TFE_OpAddInput(op, value, status);
    TFE_OpAddInput(op, value, status);
    TFE_TensorHandle *result = nullptr;
    int count = 1;
    TFE_Execute(op, &result, &count, status);
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(result);
    return TF_GetCode(status) == TF_OK;
  };
  for (int i = 0; i < 2000; ++i)
    if (!step())
      state.SkipWithError(TF_Message(status));
  for (auto _ : state)
    benchmark::DoNotOptimize(step());
  TFE_DeleteTensorHandle(value);
  TF_DeleteTensor(tensor);
  TFE_DeleteContext(context);
  TF_DeleteStatus(status);
}
BENCHMARK(eagerAdd)->Name("Capi/eager_add/f32/4/1");

} // namespace
} // namespace kiln::bench
