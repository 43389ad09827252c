// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic derivatives: adds the nodes that compute them to the graph.
#ifndef KILN_GRADIENTS_H
#define KILN_GRADIENTS_H

#include "kiln/GraphBuilder.h"
#include "kiln/Variable.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A tensor of which only some rows are given; rows that come several times are
/// added. **Source**: tf.IndexedSlices.
struct IndexedSlices {
  Output values;
  Output indices;
  /// The shape of the whole tensor; without a node where it is not known.
  Output denseShape = {};
  bool operator==(const IndexedSlices &) const = default;
};

/// A gradient: nothing (Python's None), a tensor, or some rows of one.
class KILN_EXPORT Gradient {
public:
  Gradient() = default;
  Gradient(const Output &tensor) : dense(tensor) {}
  Gradient(const IndexedSlices &slices) : rows(slices) {}

  bool isNone() const noexcept { return !dense.node && !isSparse(); }
  bool isSparse() const noexcept { return rows.values.node != nullptr; }
  /// Without a node where the gradient is none or sparse.
  const Output &tensor() const noexcept { return dense; }
  const IndexedSlices &slices() const noexcept { return rows; }
  DType dtype() const noexcept {
    return isSparse() ? rows.values.dtype() : dense.dtype();
  }
  /// The tensor; slices are summed into one. **Source**:
  /// tf.convert_to_tensor.
  Output toTensor() const;
  /// As toTensor().
  operator Output() const { return toTensor(); }

private:
  Output dense;
  IndexedSlices rows;
};

/// What stands for a gradient where y does not depend on x.
enum class UnconnectedGradients { None, Zero };
/// How several contributions are added: at once, or in pairs as they come.
enum class AggregationMethod {
  AddN,
  ExperimentalTree,
  ExperimentalAccumulateN = ExperimentalTree
};

struct GradientOptions {
  /// One for each y; none stands for ones. Empty: ones for all.
  std::vector<Gradient> gradYs = {};
  /// What counts as constant.
  std::vector<Output> stopGradients = {};
  UnconnectedGradients unconnected = UnconnectedGradients::None;
  AggregationMethod aggregation = AggregationMethod::AddN;
  /// Puts each gradient where its op is.
  bool colocate = false;
  /// Waits for all gradients of an op before one is used.
  bool gate = false;
  /// "gradients" where it is empty.
  std::string name = {};
};

/// Returns the derivatives of the sum of the ys with respect to each x.
/// **Edges**: none where y does not depend on x, or only by integers.
/// **Errors** of the graph, with TensorFlow's texts: NOT_FOUND "No gradient
/// defined for operation" (a LookupError), INVALID_ARGUMENT for grad_ys that do
/// not fit and for the gradient of a loop of gradients. **Cost**: two walks of
/// what lies between them, whatever the number of xs. **Source**: tf.gradients.
KILN_EXPORT std::vector<Gradient>
gradients(const InputList &ys, const InputList &xs,
          const GradientOptions &options = {});

struct HessianOptions {
  AggregationMethod aggregation = AggregationMethod::AddN;
  bool colocate = false;
  bool gate = false;
};
/// Returns the second derivatives of the sum of the ys, one tensor for each x:
/// the x's shape, twice. **Errors** of the graph: as gradients(), and
/// INVALID_ARGUMENT where no y depends on an x. **Cost**: the run computes one
/// gradient for each element of an x. **Source**: tf.hessians.
KILN_EXPORT std::vector<Output> hessians(const InputList &ys,
                                         const InputList &xs,
                                         const HessianOptions &options = {});

/// Returns the gradients of an operation's inputs, one each, given those of its
/// outputs, none where nothing depends on one.
using GradientFunction = std::function<std::vector<Gradient>(
    const Node &operation, const std::vector<Gradient> &outputs)>;
/// Makes the function the gradient of an op type, or of a name for
/// GradientOverrideScope and the attribute "_gradient_op_type". **Errors**:
/// ALREADY_EXISTS where there is one. **Thread safety**: any thread.
/// **Source**: tf.RegisterGradient.
KILN_EXPORT Status registerGradient(std::string_view type,
                                    GradientFunction function);
/// One gradient for each argument of a function, and for each trainable
/// variable that it reads and is no argument.
struct CustomGradients {
  std::vector<Gradient> inputs, variables;
};
/// What a function with a gradient of its own gives: tensors, and what makes
/// the gradients of its arguments, one each, of the tensors'.
struct CustomResult {
  std::vector<Output> outputs;
  std::function<std::vector<Gradient>(const std::vector<Gradient> &)> gradient;
  /// In place of it for a function that reads trainable variables: takes those,
  /// sorted by name, too, and makes their gradients.
  std::function<CustomGradients(const std::vector<Gradient> &,
                                const std::vector<Variable> &)>
      gradientWithVariables = {};
};
/// Calls the function with the inputs as tensors, and gives its outputs, behind
/// which gradients() calls its gradient in place of those of its ops.
/// **Errors** of the graph: INVALID_ARGUMENT with TensorFlow's texts for
/// another number of gradients, and where the function reads a trainable
/// variable without gradientWithVariables, or makes one that is no resource.
/// **Ownership**: the graph keeps the gradient.
/// **Source**: tf.custom_gradient.
KILN_EXPORT std::vector<Output> customGradient(
    const std::function<CustomResult(const std::vector<Output> &)> &function,
    const InputList &inputs);
/// Says that nothing flows back through an op type. **Source**:
/// tf.NotDifferentiable.
KILN_EXPORT Status notDifferentiable(std::string_view type);
/// What is known of an op type's gradient.
enum class GradientSupport { Unknown, NotDifferentiable, Differentiable };
KILN_EXPORT GradientSupport gradientSupport(std::string_view type);

} // namespace kiln

#endif // KILN_GRADIENTS_H
