// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of rounding to evenly spaced numbers: as if nothing were rounded,
// inside of the range.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {

void registerQuantizationGradients(GradientRegistry &registry) {
  registry.add({"QuantizeAndDequantize", "QuantizeAndDequantizeV2",
                "QuantizeAndDequantizeV3"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
  registry.add({"QuantizeAndDequantizeV4"}, [](GradientCall &call) {
    auto gradients =
        addOpOutputs("QuantizeAndDequantizeV4Grad",
                     {call.grad(), call.in(0), call.in(1), call.in(2)}, 3,
                     call.attrs({"axis"}));
    for (int i = 0; i < 3; ++i)
      call.set(i, gradients[static_cast<size_t>(i)]);
  });
  // TensorFlow has a function for it, which it cannot call.
  registry.add({"QuantizeAndDequantizeV4Grad"}, [](GradientCall &call) {
    call.fail(invalidArgumentError(
        "_QuantizeAndDequantizeV4GradGrad() takes 2 positional arguments but 4 "
        "were given"));
  });
  registry.add({"FakeQuantWithMinMaxArgs"}, [](GradientCall &call) {
    call.set(0,
             addOp("FakeQuantWithMinMaxArgsGradient", {call.grad(), call.in(0)},
                   call.attrs({"min", "max", "num_bits", "narrow_range"})));
  });
  registry.add({"FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"},
               [](GradientCall &call) {
                 auto gradients = addOpOutputs(
                     call.node.op() + "Gradient",
                     {call.grad(), call.in(0), call.in(1), call.in(2)}, 3,
                     call.attrs({"num_bits", "narrow_range"}));
                 for (int i = 0; i < 3; ++i)
                   call.set(i, gradients[static_cast<size_t>(i)]);
               });
}

} // namespace kiln
