// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of recurrent steps.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

/// That of the memories and of the outputs flows back, not of the gates.
/// **Source**: rnn_grad.
void blockLstmGradient(GradientCall &call) {
  std::vector<std::variant<Input, InputList>> inputs;
  for (int i = 0; i < call.node.numInputs(); ++i)
    inputs.emplace_back(Input(call.in(i)));
  for (int i = 0; i < 7; ++i)
    inputs.emplace_back(Input(call.out(i)));
  inputs.emplace_back(Input(call.grad(1)));
  inputs.emplace_back(Input(call.grad(6)));
  const bool isSecond = call.node.op() == "BlockLSTMV2";
  std::vector<Output> gradients = addOpOutputs(
      isSecond ? "BlockLSTMGradV2" : "BlockLSTMGrad", std::move(inputs), 8,
      {{"use_peephole", call.attr<bool>("use_peephole")}});
  for (int i = 0; i < 8; ++i)
    call.set(i + 1, gradients[static_cast<size_t>(i)]);
}

} // namespace

void registerRecurrentGradients(GradientRegistry &registry) {
  registry.add({"BlockLSTM", "BlockLSTMV2"}, blockLstmGradient);
}

} // namespace kiln
