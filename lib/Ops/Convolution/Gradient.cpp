// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions, and of their gradients: each of the three ops of a
// kind has the other two.
#include "lib/Autodiff/GradientCall.h"

#include <array>

namespace kiln {
namespace {

/// The forward op and the gradients for its image and its filter.
struct Kind {
  std::string forward, image, filter;
};

/// Calls `use` with the kind's attributes of the node.
AttrMap attrsOf(const GradientCall &call) {
  return call.attrs({"strides", "padding", "explicit_paddings", "dilations",
                     "data_format", "use_cudnn_on_gpu"});
}

void addKind(GradientRegistry &registry, const Kind &kind, bool asksTogether) {
  registry.add({kind.forward}, [kind, asksTogether](GradientCall &call) {
    Output image = call.in(0), filter = call.in(1);
    std::vector<Output> shapes;
    if (asksTogether)
      shapes = addOpOutputs("ShapeN", {InputList{image, filter}}, 2);
    else
      shapes = {ops::shape(image), ops::shape(filter)};
    call.set(
        0, addOp(kind.image, {shapes[0], filter, call.grad()}, attrsOf(call)));
    call.set(
        1, addOp(kind.filter, {image, shapes[1], call.grad()}, attrsOf(call)));
  });
  registry.add({kind.image}, [kind](GradientCall &call) {
    Output filter = call.in(1), given = call.in(2);
    call.set(1, addOp(kind.filter, {call.grad(), ops::shape(filter), given},
                      attrsOf(call)));
    call.set(2, addOp(kind.forward, {call.grad(), filter}, attrsOf(call)));
  });
  registry.add({kind.filter}, [kind](GradientCall &call) {
    Output image = call.in(0), given = call.in(2);
    call.set(0, addOp(kind.image, {ops::shape(image), call.grad(), given},
                      attrsOf(call)));
    call.set(2, addOp(kind.forward, {image, call.grad()}, attrsOf(call)));
  });
}

} // namespace

void registerConvolutionGradients(GradientRegistry &registry) {
  addKind(registry, {"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"},
          /*asksTogether=*/true);
  addKind(registry,
          {"Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"},
          /*asksTogether=*/true);
  addKind(registry,
          {"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
           "DepthwiseConv2dNativeBackpropFilter"},
          /*asksTogether=*/false);
}

} // namespace kiln
