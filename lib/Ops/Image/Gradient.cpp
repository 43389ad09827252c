// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of resized images.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {

void registerImageGradients(GradientRegistry &registry) {
  registry.add({"ResizeBilinear"}, [](GradientCall &call) {
    call.set(0, addOp("ResizeBilinearGrad", {call.grad(), call.in(0)},
                      call.attrs({"align_corners", "half_pixel_centers"})));
  });
  registry.add({"ResizeNearestNeighbor"}, [](GradientCall &call) {
    Output size = ops::stridedSlice(ops::shape(call.in(0)), {1}, {3}, {1});
    call.set(0, addOp("ResizeNearestNeighborGrad", {call.grad(), size},
                      call.attrs({"align_corners", "half_pixel_centers"})));
  });
}

} // namespace kiln
