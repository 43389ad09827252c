// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run whose time is over long before its code is compiled, in a session that
// is a static object.
#include <kiln/GraphDef.h>
#include <kiln/Session.h>

#include <chrono>
#include <memory>
#include <string>

namespace {
std::unique_ptr<kiln::Session> session;
}

/// True when the time was over.
extern "C" [[gnu::visibility("default")]] bool runLate(int milliseconds) {
  std::string text = "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' "
                     "value { type: DT_FLOAT } } }";
  std::string last = "x";
  for (int i = 0; i < 100; ++i) {
    std::string name = "n" + std::to_string(i);
    text += " node { name: '" + name + "' op: 'MatMul' input: '" + last +
            "' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }";
    last = name;
    // Another row of functions each time: equal code would be made once.
    for (int bit = 0; bit < 7; ++bit) {
      name = "n" + std::to_string(i) + "_" + std::to_string(bit);
      text += " node { name: '" + name + "' op: '" +
              (i >> bit & 1 ? "Tanh" : "Sigmoid") + "' input: '" + last +
              "' attr { key: 'T' value { type: DT_FLOAT } } }";
      last = name;
    }
  }
  auto graph = kiln::loadGraphDef(text);
  if (!graph.ok())
    return false;
  kiln::SessionOptions options;
  options.mode = kiln::ExecutionMode::NativeOnly; // the evaluator is in time
  auto made = kiln::Session::create(*std::move(graph), options);
  if (!made.ok())
    return false;
  session = *std::move(made);
  auto x = kiln::Tensor::zeros(kiln::DType::Float32, {2, 2});
  auto result =
      session->run({{"x:0", *x}}, {last + ":0"}, {},
                   {.timeout = std::chrono::milliseconds(milliseconds)});
  return result.status().code() == kiln::StatusCode::DeadlineExceeded;
}
