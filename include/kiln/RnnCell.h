// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a cell of recurrent networks is.
#ifndef KILN_RNNCELL_H
#define KILN_RNNCELL_H

#include "kiln/ControlFlow.h"
#include "kiln/VariableScope.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// One step of a recurrent network. It makes its variables when it is called
/// first, in a variable scope of its own in that of the call, and uses them
/// from then on; the nodes of later calls stand in the first one's name scope.
/// **Source**: tf.nn.rnn_cell.RNNCell.
class KILN_EXPORT RnnCell {
public:
  struct Step {
    Output output;
    Outputs state;
    /// What a cell with several outputs gives beside the first.
    Outputs moreOutputs = {};
    Outputs outputs() const;
  };
  virtual ~RnnCell() = default;

  /// The shape of each output, without the batch; at least one.
  virtual std::vector<Shape> outputShapes() const = 0;
  /// The shape of each tensor of the state, without the batch.
  virtual std::vector<Shape> stateShapes() const = 0;
  /// Whether a DropoutWrapper drops elements of each tensor of the state.
  virtual std::vector<bool> dropsState() const {
    return std::vector<bool>(stateShapes().size(), true);
  }
  /// **Shapes**: each input, and each tensor of the state: `[batch, …]`.
  Step operator()(const Outputs &inputs, const Outputs &state);
  /// Zeros to begin with; the batch is a number or a scalar. **Errors** of the
  /// graph: INVALID_ARGUMENT where a shape of the state is not known.
  /// **Source**: zero_state.
  virtual Outputs zeroState(const Input &batch, DType dtype) const;

protected:
  /// What TensorFlow calls the class: "GRUCell".
  virtual std::string kind() const { return "RNNCell"; }
  /// Called in the scope that zeroState() opens.
  virtual Outputs zeros(const Input &batch, DType dtype) const;
  /// Opens the scopes of a call.
  virtual Step call(const Outputs &inputs, const Outputs &state) = 0;
};

/// Zeros for a tensor of a state of so many sequences, `[batch, …]`. The batch
/// is a number or a scalar, the shape a Shape or a tensor of extents.
/// **Errors** of the graph: INVALID_ARGUMENT where one of them is not known.
/// **Source**: rnn_cell_impl._zero_state_tensors.
KILN_EXPORT Output zeroStateOf(const Input &batch, const Input &shape,
                               DType dtype);

/// A cell that functions compute; they open the scopes that they need.
class KILN_EXPORT FunctionCell : public RnnCell {
public:
  using StepFunction =
      std::function<Step(const Outputs &inputs, const Outputs &state)>;
  using ZerosFunction = std::function<Outputs(const Input &batch, DType dtype)>;
  /// zeroState: empty for zeros of these shapes.
  FunctionCell(StepFunction step, std::vector<Shape> outputShapes,
               std::vector<Shape> stateShapes, ZerosFunction zeroState = {})
      : step(std::move(step)), outputsAre(std::move(outputShapes)),
        statesAre(std::move(stateShapes)), makesZeros(std::move(zeroState)) {}
  std::vector<Shape> outputShapes() const override { return outputsAre; }
  std::vector<Shape> stateShapes() const override { return statesAre; }
  Outputs zeroState(const Input &batch, DType dtype) const override;

protected:
  Step call(const Outputs &inputs, const Outputs &state) override {
    return step(inputs, state);
  }

private:
  StepFunction step;
  std::vector<Shape> outputsAre, statesAre;
  ZerosFunction makesZeros;
};

/// A function of what a cell computes.
using CellActivation = std::function<Output(const Output &)>;

/// A cell with one input, one output and variables of its own, in a scope of
/// this name, or with reuse in the one that is there. **Shapes**: `input:
/// [batch, columns]`. **Errors** of the graph: INVALID_ARGUMENT where the
/// input's columns are not known. **Source**: LayerRNNCell.
class KILN_EXPORT LayerRnnCell : public RnnCell {
public:
  /// The columns of the output, and of each tensor of the state.
  virtual int64_t outputSize() const = 0;
  virtual std::vector<int64_t> stateSizes() const = 0;
  std::vector<Shape> outputShapes() const override { return {{outputSize()}}; }
  std::vector<Shape> stateShapes() const override;

protected:
  explicit LayerRnnCell(std::string name, Reuse reuse = false)
      : name(std::move(name)), reuse(reuse) {}
  /// Makes the variables for inputs of so many columns, once.
  virtual void build(int64_t inputSize, DType dtype) = 0;
  virtual Step step(const Output &input, const Outputs &state) = 0;
  Step call(const Outputs &inputs, const Outputs &state) override;

private:
  std::string name;
  Reuse reuse;
  std::optional<VariableScopeHandle> scope;
};

} // namespace kiln

#endif // KILN_RNNCELL_H
