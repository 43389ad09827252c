// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a gradient function gets, and what gradient functions are written with.
#ifndef KILN_LIB_AUTODIFF_GRADIENTCALL_H
#define KILN_LIB_AUTODIFF_GRADIENTCALL_H

#include "kiln/Gradients.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "lib/Autodiff/GradientRegistry.h"

#include <optional>
#include <utility>
#include <vector>

namespace kiln {

/// One operation whose inputs' gradients are wanted. The caller has opened the
/// name scope. An output that nothing depends on has zeros as its gradient
/// where it is of a type that gradients flow through, and none otherwise.
class GradientCall {
public:
  GradientCall(const Node &node, std::vector<Gradient> outputs)
      : node(node), outputs(std::move(outputs)),
        inputs(static_cast<size_t>(node.numInputs())) {}

  const Node &node;

  /// Input i; counted from the end where i is below 0.
  Output in(int i) const {
    return node.input(i < 0 ? node.numInputs() + i : i);
  }
  Output out(int i = 0) const { return {&node, i}; }
  /// The gradient of an output as a tensor; slices are summed once.
  Output grad(int i = 0);
  const Gradient &sparseGrad(int i = 0) const {
    return outputs[static_cast<size_t>(i)];
  }
  const std::vector<Gradient> &outputGradients() const { return outputs; }

  /// Sets the gradient of input i, which has none otherwise.
  void set(int i, Gradient gradient) {
    inputs[static_cast<size_t>(i < 0 ? node.numInputs() + i : i)] =
        std::move(gradient);
  }
  void setAll(std::vector<Gradient> gradients);
  std::vector<Gradient> take() { return std::move(inputs); }

  /// The node's attributes of these names, for a node like it.
  AttrMap attrs(std::initializer_list<std::string_view> names) const;
  template <class T> T attr(std::string_view name, T fallback = T()) const {
    return node.attrOr<T>(name, std::move(fallback));
  }
  /// Makes the graph's status an error that names the node.
  void fail(Status error) const;

private:
  std::vector<Gradient> outputs;
  std::vector<Gradient> inputs;
};

/// Adds an op with these attributes, under a name that is its type's where none
/// is given; the node's first output.
Output addOp(std::string_view op,
             std::vector<std::variant<Input, InputList>> inputs,
             AttrMap attrs = {}, std::string_view name = {});
/// All outputs; `count` of them without a node after an error.
std::vector<Output>
addOpOutputs(std::string_view op,
             std::vector<std::variant<Input, InputList>> inputs, size_t count,
             AttrMap attrs = {}, std::string_view name = {});

/// The conjugate of complex numbers, and anything else as it is. **Source**:
/// math_ops.conj.
Output conjugated(const Output &tensor);

/// A vector of int32, where a list of one number could be taken for a number.
inline Input vectorOf(std::vector<int32_t> numbers) { return Input(numbers); }

/// Sums what a broadcast of x and y gives its operands; one without a node
/// stays so. **Source**: _ReduceGradientArgs.
std::pair<Output, Output> reduceToOperands(const Output &x, const Output &y,
                                           const Output &gx, const Output &gy);
/// The same, with the axes always found in the run: Sum, Reshape.
std::pair<Output, Output> sumToOperands(const Output &shapeX,
                                        const Output &shapeY, const Output &gx,
                                        const Output &gy);
/// The shape after a reduction that keeps its axes, of the input's shape.
/// **Source**: math_ops.reduced_shape.
Input reducedShape(const Output &shape, const Output &axes);
/// The elements of a Const of integers, and of what is known of a shape.
std::optional<std::vector<int64_t>> knownIntegers(const Input &value);
/// A Const that was added in another loop or branch than dy, once more: so it
/// need not be led in.
Output constantBeside(const Output &tensor, const Output &dy);
/// Whether all are of one shape that is known.
bool sameKnownShape(const Output &x, const Output &y, const Output &z);
Output reshapeLike(const Output &tensor, const Output &like);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_GRADIENTCALL_H
