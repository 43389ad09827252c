// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of TensorArrays: what reads an array writes to the array of its
// gradients, and the other way around.
#include "kiln/TensorArray.h"
#include "kiln/ops/ControlFlow.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

/// The call of gradients() that a tensor is of: the first parts of its name, up
/// to the last that begins with "gradients". Each has arrays of its own.
std::optional<std::string> sourceOf(GradientCall &call, const Output &tensor) {
  const std::string &name = tensor.node->name();
  size_t found = std::string::npos;
  for (size_t at = 0; at != std::string::npos;) {
    if (std::string_view(name).substr(at).starts_with("gradients"))
      found = at;
    size_t slash = name.find('/', at);
    at = slash == std::string::npos ? slash : slash + 1;
  }
  if (found != std::string::npos)
    return name.substr(0, name.find('/', found));
  call.fail(invalidArgumentError(strCat(
      "Expected op/tensor name to start with gradients (excluding scope), "
      "got: ",
      name,
      ". This means that a tf.gradients op with this op in its dependency path "
      "has a custom name that does not start with 'gradients'. Please make "
      "sure all calls to tf.gradients that include non-empty `name` arguments "
      "begin with 'gradients'.")));
  return std::nullopt;
}

/// The array of the gradients of the call's, behind a flow.
std::optional<TensorArray> gradientArray(GradientCall &call, DType dtype,
                                         const Output &dy, const Output &flow) {
  if (!dy.node || !flow.node)
    return std::nullopt;
  auto source = sourceOf(call, dy);
  if (!source)
    return std::nullopt;
  return TensorArray(dtype, call.in(0), flow).grad(*source, flow);
}

/// The gradient of a write: the value's is what lies in the array of gradients.
template <class Read>
void writeGradient(GradientCall &call, int value, Read read) {
  Output dy = call.grad(0);
  if (!dy.node)
    return;
  // What the flow of gradients comes from has been written by then, and the
  // element itself, which the shape of zeros is known from.
  Output done = ops::identity(call.out(0), {.name = "flow_out"}), flow;
  {
    ControlScope after({done});
    flow = ops::identity(dy, {.name = "write_barrier"});
  }
  if (auto array = gradientArray(call, call.attr<DType>("T"), dy, flow)) {
    call.set(value, read(*array));
    call.set(-1, flow);
  }
}
/// The gradient of a read is written to the array of gradients.
template <class Write> void readGradient(GradientCall &call, Write write) {
  Output dy = call.grad(0);
  if (auto array =
          gradientArray(call, call.attr<DType>("dtype"), dy, call.in(-1)))
    call.set(-1, write(*array, dy).flow());
}

} // namespace

void registerTensorArrayGradients(GradientRegistry &registry) {
  registry.add(
      {"TensorArrayReadV2", "TensorArrayReadV3"}, [](GradientCall &call) {
        readGradient(call, [&](const TensorArray &array, const Output &dy) {
          return array.write(call.in(1), dy);
        });
      });
  registry.add(
      {"TensorArrayGatherV2", "TensorArrayGatherV3"}, [](GradientCall &call) {
        readGradient(call, [&](const TensorArray &array, const Output &dy) {
          return array.scatter(call.in(1), dy);
        });
      });
  registry.add(
      {"TensorArrayConcatV2", "TensorArrayConcatV3"}, [](GradientCall &call) {
        readGradient(call, [&](const TensorArray &array, const Output &dy) {
          return array.split(dy, call.out(1));
        });
      });
  registry.add({"TensorArrayWriteV2", "TensorArrayWriteV3"},
               [](GradientCall &call) {
                 writeGradient(call, 2, [&](const TensorArray &array) {
                   return array.read(call.in(1));
                 });
               });
  registry.add({"TensorArrayScatterV2", "TensorArrayScatterV3"},
               [](GradientCall &call) {
                 writeGradient(call, 2, [&](const TensorArray &array) {
                   return array.gather(call.in(1));
                 });
               });
  registry.add(
      {"TensorArraySplitV2", "TensorArraySplitV3"}, [](GradientCall &call) {
        writeGradient(call, 1,
                      [&](const TensorArray &array) { return array.concat(); });
      });
}

} // namespace kiln
