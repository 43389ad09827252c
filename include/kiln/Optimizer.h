// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all optimizers have in common: gradients of a loss, and the updates of
// variables with them.
#ifndef KILN_OPTIMIZER_H
#define KILN_OPTIMIZER_H

#include "kiln/Gradients.h"
#include "kiln/Initializers.h"
#include "kiln/Variable.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kiln {

/// The gradient of a loss with respect to a variable; none where the loss does
/// not depend on it.
struct GradientAndVariable {
  Gradient gradient;
  Variable variable;
};

/// How much of the backward pass is done before gradients are used: nothing,
/// all gradients of an op, all gradients.
enum class GateGradients { None, Op, Graph };

struct ComputeGradientsOptions {
  /// Nothing: the trainable ones.
  std::optional<std::vector<Variable>> variables = {};
  GateGradients gate = GateGradients::Op;
  AggregationMethod aggregation = AggregationMethod::AddN;
  /// Puts each gradient where its op is.
  bool colocate = false;
  /// The gradient of the loss; none stands for ones.
  Gradient gradLoss = {};
};

struct ApplyGradientsOptions {
  /// Counts the steps, where it is a variable.
  Variable globalStep = {};
  /// The optimizer's name where it is empty.
  std::string name = {};
};

struct MinimizeOptions {
  Variable globalStep = {};
  /// Nothing: the trainable ones.
  std::optional<std::vector<Variable>> variables = {};
  GateGradients gate = GateGradients::Op;
  AggregationMethod aggregation = AggregationMethod::AddN;
  bool colocate = false;
  std::string name = {};
  Gradient gradLoss = {};
};

/// Updates variables so that a loss becomes smaller. Subclasses add the nodes
/// of a step. **Ownership**: keeps no graph, which must live when it is used.
/// **Thread safety**: as the graph's. **Source**: tf.train.Optimizer.
class KILN_EXPORT Optimizer {
public:
  /// **Errors** of the current graph: INVALID_ARGUMENT for an empty name.
  explicit Optimizer(std::string name, bool useLocking = false);
  virtual ~Optimizer();
  Optimizer(const Optimizer &) = delete;
  Optimizer &operator=(const Optimizer &) = delete;

  const std::string &name() const noexcept { return ownName; }

  /// Adds the gradients of the loss and a step with them: computeGradients()
  /// and applyGradients(). **Errors** of the graph: theirs, and
  /// INVALID_ARGUMENT "No gradients provided for any variable, …". **Source**:
  /// Optimizer.minimize.
  const Node *minimize(const Output &loss, const MinimizeOptions &options = {});
  /// Adds the gradients, one for each variable. **Errors** of the graph:
  /// INVALID_ARGUMENT with TensorFlow's texts: no variables, a loss or variable
  /// that is no floating-point number. **Source**: Optimizer.compute_gradients.
  std::vector<GradientAndVariable>
  computeGradients(const Output &loss,
                   const ComputeGradientsOptions &options = {});
  /// The same for tensors and variables; `options.variables` counts for
  /// nothing.
  std::vector<Gradient>
  computeGradientsOf(const Output &loss, const InputList &targets,
                     const ComputeGradientsOptions &options = {});
  /// Adds an operation that does a step, and the slots that are missing; puts
  /// it into the collection "train_op". Variables without a gradient are left
  /// alone; those with a constraint get what it makes of them. **Errors** of
  /// the graph: INVALID_ARGUMENT with TensorFlow's texts where there is no
  /// variable, or none with a gradient; FAILED_PRECONDITION for rows of a
  /// variable with a constraint. **Source**:
  /// Optimizer.apply_gradients.
  const Node *applyGradients(const std::vector<GradientAndVariable> &gradients,
                             const ApplyGradientsOptions &options = {});

  /// The variable that the optimizer keeps for another one under this name,
  /// such as "momentum"; none where there is none. **Source**:
  /// Optimizer.get_slot.
  Variable slot(const Variable &variable, std::string_view name) const;
  /// Sorted.
  std::vector<std::string> slotNames() const;
  /// The slots and other state in the current graph, sorted by name.
  std::vector<Variable> variables() const;
  /// The slots of this name in the current graph, each with the node of the
  /// variable that it belongs to.
  std::vector<std::pair<const Node *, Variable>>
  slotsNamed(std::string_view name) const;

protected:
  using OpInput = std::variant<Input, InputList>;

  /// What a number that the optimizer was made with is for the step that is
  /// being added. Asked once a step for each name, such as "learning_rate".
  virtual Input number(std::string_view name, const Input &given);
  /// What losses and variables may be of.
  virtual std::vector<DType> validDTypes();
  /// Called before the scope of a step is opened.
  virtual void createSlots(const std::vector<Variable> &variables);
  /// Called in the scope of a step: adds what its updates have in common.
  virtual void prepare();
  /// Adds the update of a variable, in its own scope.
  virtual const Node *applyDense(const Output &gradient,
                                 const Variable &variable) = 0;
  /// The same for rows, each of which comes once.
  virtual const Node *applySparse(const IndexedSlices &gradient,
                                  const Variable &variable) = 0;
  /// The same for rows that may come several times: sums them first.
  virtual const Node *applySparseDuplicates(const IndexedSlices &gradient,
                                            const Variable &variable);
  /// Adds what ends a step, named after the scope.
  virtual const Node *finish(const std::vector<const Node *> &updates,
                             const std::string &name);

  /// Finds or makes VARIABLE/OPNAME, of zeros, in the variable's shape.
  Variable zerosSlot(const Variable &variable, std::string_view slotName,
                     std::string_view opName);
  /// The same with values of an initializer, or a first value.
  Variable makeSlot(const Variable &variable, std::string_view slotName,
                    std::string_view opName, const Initializer &initializer);
  /// The same in another shape or dtype.
  Variable makeSlot(const Variable &variable, std::string_view slotName,
                    std::string_view opName, const Initializer &initializer,
                    const Shape &shape, DType dtype);
  /// Finds or makes a variable that belongs to no other one, beside `place`.
  Variable nonSlotVariable(const Input &initialValue, std::string_view name,
                           const Variable &place);
  /// That of the current graph; none where there is none.
  Variable nonSlotVariable(std::string_view name) const;
  /// Those of all graphs.
  std::vector<Variable> nonSlotVariables() const;

  bool usesLocking() const noexcept { return locking; }
  /// Adds number() as a constant of this name, or takes the tensor that it is,
  /// for prepared().
  void prepareNumber(std::string_view name, const Input &given);
  /// The same for any value.
  void prepareAs(std::string_view name, const Input &value);
  Output prepared(std::string_view name) const;
  /// What prepareAs() added, in the variable's dtype.
  Output prepared(std::string_view name, const Variable &variable) const;
  /// Adds the op, or for a resource the one named "Resource…", with
  /// use_locking.
  const Node *addUpdate(const Variable &variable, std::string_view op,
                        std::vector<OpInput> inputs, AttrMap attrs = {}) const;

private:
  using ByVariable = std::map<const Node *, Variable>;

  /// Adds the update of a variable, and what its constraint makes of it.
  const Node *addStep(const Gradient &gradient, const Variable &variable);

  const std::string ownName;
  const bool locking;
  std::map<std::string, ByVariable, std::less<>> slots;
  /// By name and graph.
  std::map<std::pair<std::string, const Graph *>, Variable> others;
  std::map<std::string, Output, std::less<>> constants;
};

/// An optimizer whose step is one op for each variable: "Apply…" of a gradient,
/// "SparseApply…" of values and indices.
class KILN_EXPORT OneOpOptimizer : public Optimizer {
protected:
  OneOpOptimizer(const Input &learningRate, const std::string &name,
                 bool useLocking)
      : Optimizer(name, useLocking), learningRate(learningRate) {}

  /// Adds "learning_rate".
  void prepare() override;
  /// Adds the update: an op whose name begins with `apply`, and what stands for
  /// the gradient.
  virtual const Node *update(const std::string &apply,
                             const std::vector<OpInput> &gradient,
                             const Variable &variable) = 0;
  /// The variable, slots, and what prepareAs() added, by their names, with the
  /// gradient behind.
  std::vector<OpInput> inputsOf(const Variable &variable,
                                const std::vector<std::string_view> &slots,
                                const std::vector<std::string_view> &values,
                                const std::vector<OpInput> &gradient) const;

  const Node *applyDense(const Output &gradient,
                         const Variable &variable) override;
  const Node *applySparse(const IndexedSlices &gradient,
                          const Variable &variable) override;

  const Input learningRate;
};

} // namespace kiln

#endif // KILN_OPTIMIZER_H
