// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of pools, and of their gradients.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

AttrMap windows(const GradientCall &call) {
  return call.attrs({"ksize", "strides", "padding", "data_format"});
}

void addAverage(GradientRegistry &registry, const std::string &forward) {
  std::string backward = forward + "Grad";
  registry.add({forward}, [backward](GradientCall &call) {
    call.set(0, addOp(backward, {ops::shape(call.in(0)), call.grad()},
                      windows(call)));
  });
  registry.add({backward}, [forward](GradientCall &call) {
    call.set(1, addOp(forward, {call.grad()}, windows(call)));
  });
}

/// The gradient of what picks by the largest elements of input 0: nothing flows
/// there, and `op` takes the gradient back.
void ofGradient(GradientCall &call, const std::string &op,
                const AttrMap &attrs) {
  call.set(0, ops::zerosLike(call.in(0)));
  call.set(1, ops::zerosLike(call.in(1)));
  if (op.ends_with("V2"))
    call.set(
        2,
        addOp(op, {call.in(0), call.in(1), call.grad(), call.in(3), call.in(4)},
              attrs));
  else
    call.set(2, addOp(op, {call.in(0), call.in(1), call.grad()}, attrs));
}

} // namespace

void registerPoolingGradients(GradientRegistry &registry) {
  addAverage(registry, "AvgPool");
  addAverage(registry, "AvgPool3D");
  registry.add({"MaxPool", "MaxPool3D"}, [](GradientCall &call) {
    AttrMap attrs = windows(call);
    if (call.node.op() == "MaxPool")
      if (const AttrValue *paddings = call.node.findAttr("explicit_paddings"))
        attrs.set("explicit_paddings", *paddings);
    call.set(0, addOp(call.node.op() + "Grad",
                      {call.in(0), call.out(), call.grad()}, attrs));
  });
  registry.add({"MaxPoolV2"}, [](GradientCall &call) {
    call.set(
        0, addOp("MaxPoolGradV2",
                 {call.in(0), call.out(), call.grad(), call.in(1), call.in(2)},
                 call.attrs({"padding", "data_format"})));
  });
  registry.add({"MaxPoolGrad", "MaxPool3DGrad"}, [](GradientCall &call) {
    ofGradient(call, call.node.op() + "Grad", windows(call));
  });
  registry.add({"MaxPoolGradV2"}, [](GradientCall &call) {
    ofGradient(call, "MaxPoolGradGradV2",
               call.attrs({"padding", "data_format"}));
  });
  registry.add({"MaxPoolGradGrad"}, [](GradientCall &call) {
    ofGradient(call, "MaxPoolGrad", windows(call));
  });
  registry.add({"MaxPool3DGradGrad"}, [](GradientCall &call) {
    ofGradient(call, "MaxPool3DGrad", windows(call));
  });
  registry.add({"Dilation2D"}, [](GradientCall &call) {
    AttrMap attrs = call.attrs({"strides", "rates", "padding"});
    for (int i = 0; i < 2; ++i)
      call.set(i, addOp(i == 0 ? "Dilation2DBackpropInput"
                               : "Dilation2DBackpropFilter",
                        {call.in(0), call.in(1), call.grad()}, attrs));
  });
  registry.add({"FractionalMaxPool"}, [](GradientCall &call) {
    call.set(0, addOp("FractionalMaxPoolGrad",
                      {call.in(0), call.out(0), call.grad(0), call.out(1),
                       call.out(2)},
                      call.attrs({"overlapping"})));
  });
  registry.add({"FractionalAvgPool"}, [](GradientCall &call) {
    Output shape = ops::shape(call.in(0), {.outType = DType::Int64});
    call.set(0, addOp("FractionalAvgPoolGrad",
                      {shape, call.grad(0), call.out(1), call.out(2)},
                      call.attrs({"overlapping"})));
  });
  // By the places that the op gives: to what is there, the rest is zero.
  registry.add({"MaxPoolWithArgmax"}, [](GradientCall &call) {
    Output x = call.in(0), places = call.out(1);
    Output shape = ops::shape(x, {.outType = places.dtype()});
    Output flat = addOp("Reshape", {call.grad(0), vectorOf({-1})});
    if (!call.attr<bool>("include_batch_in_index")) {
      // Places count inside of an image.
      Output perImage = ops::reduceProd(
          ops::stridedSlice(shape, {1}, {0}, {1}, {.endMask = 1}));
      Output images = ops::rangeFrom(
          ops::zeros(Shape(), {.dtype = places.dtype()}), shape[0],
          ops::ones(Shape(), {.dtype = places.dtype()}));
      Output offsets =
          addOp("Reshape", {images * perImage, vectorOf({-1, 1, 1, 1})});
      places = places + offsets;
    }
    Output indices = addOp("Reshape", {places, vectorOf({-1, 1})});
    Output size = ops::expandDims(ops::reduceProd(shape), 0);
    call.set(0, addOp("Reshape",
                      {addOp("ScatterNd", {indices, flat, size}), shape}));
  });
}

} // namespace kiln
