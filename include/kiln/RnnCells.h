// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks: what one step computes.
#ifndef KILN_RNNCELLS_H
#define KILN_RNNCELLS_H

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
    std::vector<Output> state;
  };
  virtual ~RnnCell() = default;

  virtual int64_t outputSize() const = 0;
  /// The columns of each tensor of the state.
  virtual std::vector<int64_t> stateSizes() const = 0;
  /// Whether a DropoutWrapper drops elements of each tensor of the state.
  virtual std::vector<bool> dropsState() const {
    return std::vector<bool>(stateSizes().size(), true);
  }
  /// **Shapes**: `input: [batch, columns]`, `state: [batch, size]` each.
  /// **Errors** of the graph: INVALID_ARGUMENT where the input's columns are
  /// not known.
  Step operator()(const Output &input, const std::vector<Output> &state);
  /// Zeros to begin with; the batch is a number or a scalar. **Source**:
  /// zero_state.
  std::vector<Output> zeroState(const Input &batch, DType dtype) const;

protected:
  /// What TensorFlow calls the class: "GRUCell".
  virtual std::string kind() const { return "RNNCell"; }
  /// Called in the scope that zeroState() opens.
  virtual std::vector<Output> zeros(const Input &batch, DType dtype) const;
  /// Opens the scopes of a call.
  virtual Step call(const Output &input, const std::vector<Output> &state) = 0;
};

/// A function of what a cell computes.
using CellActivation = std::function<Output(const Output &)>;

/// A cell with variables of its own, in a scope of this name, or with reuse in
/// the one that is there. **Source**: LayerRNNCell.
class KILN_EXPORT LayerRnnCell : public RnnCell {
protected:
  explicit LayerRnnCell(std::string name, Reuse reuse = false)
      : name(std::move(name)), reuse(reuse) {}
  /// Makes the variables for inputs of so many columns, once.
  virtual void build(int64_t inputSize, DType dtype) = 0;
  virtual Step step(const Output &input, const std::vector<Output> &state) = 0;
  Step call(const Output &input, const std::vector<Output> &state) override;

private:
  std::string name;
  Reuse reuse;
  std::optional<VariableScopeHandle> scope;
};

struct BasicRnnCellOptions {
  /// tanh where it is empty.
  CellActivation activation = {};
  Reuse reuse = false;
  std::string name = "basic_rnn_cell";
};
/// tanh(W [x, h] + b). Variables "basic_rnn_cell/kernel", "…/bias".
/// **Source**: tf.nn.rnn_cell.BasicRNNCell.
class KILN_EXPORT BasicRnnCell : public LayerRnnCell {
public:
  explicit BasicRnnCell(int64_t units, BasicRnnCellOptions options = {})
      : LayerRnnCell(options.name, options.reuse), units(units),
        activation(std::move(options.activation)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }

protected:
  std::string kind() const override { return "BasicRNNCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  CellActivation activation;
  std::optional<Variable> kernel, bias;
};

struct BasicLstmCellOptions {
  /// Added before the sigmoid of the forget gate.
  double forgetBias = 1;
  /// tanh where it is empty.
  CellActivation activation = {};
  Reuse reuse = false;
  std::string name = "basic_lstm_cell";
};
/// Long short-term memory without peepholes; its state is (c, h). Variables
/// "basic_lstm_cell/kernel", "…/bias". **Source**:
/// tf.nn.rnn_cell.BasicLSTMCell.
class KILN_EXPORT BasicLstmCell : public LayerRnnCell {
public:
  explicit BasicLstmCell(int64_t units, BasicLstmCellOptions options = {})
      : LayerRnnCell(options.name, options.reuse), units(units),
        options(std::move(options)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units, units}; }
  std::vector<bool> dropsState() const override { return {false, true}; }

protected:
  std::string kind() const override { return "BasicLSTMCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  BasicLstmCellOptions options;
  std::optional<Variable> kernel, bias;
};

struct LstmCellOptions {
  /// The gates see the memory too.
  bool usePeepholes = false;
  /// Limits of the memory.
  std::optional<double> cellClip = {};
  std::optional<Initializer> initializer = {};
  /// Columns of the output, which is a product with one more kernel.
  std::optional<int64_t> numProj = {};
  /// Limits of that output.
  std::optional<double> projClip = {};
  double forgetBias = 1;
  /// tanh where it is empty.
  CellActivation activation = {};
  Reuse reuse = false;
  std::string name = "lstm_cell";
};
/// Long short-term memory with peepholes, limits and a projection; its state is
/// (c, h). Variables "lstm_cell/kernel", "…/bias", "…/w_f_diag", "…/w_i_diag",
/// "…/w_o_diag", "…/projection/kernel". **Source**: tf.nn.rnn_cell.LSTMCell.
class KILN_EXPORT LstmCell : public LayerRnnCell {
public:
  explicit LstmCell(int64_t units, LstmCellOptions options = {})
      : LayerRnnCell(options.name, options.reuse), units(units),
        options(std::move(options)) {}
  int64_t outputSize() const override {
    return options.numProj.value_or(units);
  }
  std::vector<int64_t> stateSizes() const override {
    return {units, outputSize()};
  }
  std::vector<bool> dropsState() const override { return {false, true}; }

protected:
  std::string kind() const override { return "LSTMCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  LstmCellOptions options;
  std::optional<Variable> kernel, bias, forgetPeephole, inputPeephole,
      outputPeephole, projection;
};

struct GruCellOptions {
  /// tanh where it is empty.
  CellActivation activation = {};
  /// For both kernels; the variable scope's where there is none.
  std::optional<Initializer> kernelInitializer = {};
  /// For both biases; ones for the gates and zeros where there is none.
  std::optional<Initializer> biasInitializer = {};
  Reuse reuse = false;
  std::string name = "gru_cell";
};
/// Gated recurrent unit. Variables "gru_cell/gates/kernel", "…/bias",
/// "gru_cell/candidate/kernel", "…/bias". **Source**: tf.nn.rnn_cell.GRUCell.
class KILN_EXPORT GruCell : public LayerRnnCell {
public:
  explicit GruCell(int64_t units, GruCellOptions options = {})
      : LayerRnnCell(options.name, options.reuse), units(units),
        options(std::move(options)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }

protected:
  std::string kind() const override { return "GRUCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  GruCellOptions options;
  std::optional<Variable> gateKernel, gateBias, kernel, bias;
};

/// Cells on top of one another; the state is theirs in a row. Variables
/// "multi_rnn_cell/cell_0/…". **Source**: tf.nn.rnn_cell.MultiRNNCell.
class KILN_EXPORT MultiRnnCell : public RnnCell {
public:
  explicit MultiRnnCell(std::vector<std::shared_ptr<RnnCell>> cells)
      : cells(std::move(cells)) {}
  int64_t outputSize() const override { return cells.back()->outputSize(); }
  std::vector<int64_t> stateSizes() const override;
  std::vector<bool> dropsState() const override;

protected:
  std::string kind() const override { return "MultiRNNCell"; }
  std::vector<Output> zeros(const Input &batch, DType dtype) const override;
  Step call(const Output &input, const std::vector<Output> &state) override;

private:
  std::vector<std::shared_ptr<RnnCell>> cells;
  /// The variable scope of the first call, and its own below that.
  std::optional<VariableScopeHandle> callers, scope;
};

} // namespace kiln

#endif // KILN_RNNCELLS_H
