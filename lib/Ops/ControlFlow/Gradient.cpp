// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of identities, optionals, calls, and the conditionals and loops of
// TensorFlow 1.
#include "lib/Autodiff/ControlFlowGradients.h"
#include "lib/Autodiff/FunctionGradients.h"

namespace kiln {

void registerControlFlowGradients(GradientRegistry &registry) {
  registry.add({"If", "StatelessIf", "Case", "StatelessCase"}, branchGradient);
  registry.add({"While", "StatelessWhile"}, loopGradient);
  registry.add({"PartitionedCall", "StatefulPartitionedCall"},
               partitionedCallGradient);
  registry.add({"Identity", "RefIdentity"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
  registry.add({"IdentityN"}, [](GradientCall &call) {
    for (int i = 0; i < call.node.numInputs(); ++i)
      call.set(i, call.sparseGrad(i));
  });
  registry.add({"OptionalFromValue"}, [](GradientCall &call) {
    std::vector<DType> types;
    std::vector<Shape> shapes;
    for (const Output &value : call.node.inputs()) {
      types.push_back(value.dtype());
      shapes.push_back(value.shape());
    }
    size_t count = types.size();
    auto values =
        addOpOutputs("OptionalGetValue", {call.grad()}, count,
                     {{"output_types", types}, {"output_shapes", shapes}});
    for (size_t i = 0; i < count; ++i)
      call.set(static_cast<int>(i), values[i]);
  });
  registry.add({"OptionalGetValue"}, [](GradientCall &call) {
    std::vector<Output> values;
    for (int i = 0; i < call.node.numOutputs(); ++i)
      values.push_back(call.grad(i));
    call.set(0, addOp("OptionalFromValue", {InputList(values)}));
  });
  registry.add({"PreventGradient"}, [](GradientCall &call) {
    call.fail(notFoundError("Gradient explicitly disabled. Reason: " +
                            call.attr<std::string>("message")));
  });
  registry.add({"Merge", "RefMerge"}, mergeGradient);
  registry.add({"Switch", "RefSwitch"}, switchGradient);
  registry.add({"Exit", "RefExit"}, exitGradient);
  registry.add({"Enter", "RefEnter"}, enterGradient);
  registry.add({"NextIteration", "RefNextIteration"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
  registry.add({"LoopCond"}, [](GradientCall &) {});
}

} // namespace kiln
