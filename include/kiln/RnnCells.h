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

/// A cell with variables of its own, in a scope of this name. **Source**:
/// LayerRNNCell.
class KILN_EXPORT LayerRnnCell : public RnnCell {
protected:
  explicit LayerRnnCell(std::string name) : name(std::move(name)) {}
  /// Makes the variables for inputs of so many columns, once.
  virtual void build(int64_t inputSize, DType dtype) = 0;
  virtual Step step(const Output &input, const std::vector<Output> &state) = 0;
  Step call(const Output &input, const std::vector<Output> &state) override;

private:
  std::string name;
  std::optional<VariableScopeHandle> scope;
};

/// tanh(W [x, h] + b). Variables "basic_rnn_cell/kernel", "…/bias".
class KILN_EXPORT BasicRnnCell : public LayerRnnCell {
public:
  explicit BasicRnnCell(int64_t units, std::string name = "basic_rnn_cell")
      : LayerRnnCell(std::move(name)), units(units) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }

protected:
  std::string kind() const override { return "BasicRNNCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  std::optional<Variable> kernel, bias;
};

/// Long short-term memory without peepholes; its state is (c, h). Variables
/// "basic_lstm_cell/kernel", "…/bias". **Source**:
/// tf.nn.rnn_cell.BasicLSTMCell.
class KILN_EXPORT BasicLstmCell : public LayerRnnCell {
public:
  explicit BasicLstmCell(int64_t units, double forgetBias = 1,
                         std::string name = "basic_lstm_cell")
      : LayerRnnCell(std::move(name)), units(units), forgetBias(forgetBias) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units, units}; }
  std::vector<bool> dropsState() const override { return {false, true}; }

protected:
  std::string kind() const override { return "BasicLSTMCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  double forgetBias;
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
  std::function<Output(const Output &)> activation = {};
  std::string name = "lstm_cell";
};
/// Long short-term memory with peepholes, limits and a projection; its state is
/// (c, h). Variables "lstm_cell/kernel", "…/bias", "…/w_f_diag", "…/w_i_diag",
/// "…/w_o_diag", "…/projection/kernel". **Source**: tf.nn.rnn_cell.LSTMCell.
class KILN_EXPORT LstmCell : public LayerRnnCell {
public:
  explicit LstmCell(int64_t units, LstmCellOptions options = {})
      : LayerRnnCell(options.name), units(units), options(std::move(options)) {}
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

/// Gated recurrent unit. Variables "gru_cell/gates/kernel", "…/bias",
/// "gru_cell/candidate/kernel", "…/bias". **Source**: tf.nn.rnn_cell.GRUCell.
class KILN_EXPORT GruCell : public LayerRnnCell {
public:
  explicit GruCell(int64_t units, std::string name = "gru_cell")
      : LayerRnnCell(std::move(name)), units(units) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }

protected:
  std::string kind() const override { return "GRUCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
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
  /// Of the first call, and its own below that.
  std::optional<VariableScopeHandle> callers, scope;
};

struct DropoutWrapperOptions {
  /// The probabilities to keep an element of the input, of the output and of
  /// the new state (but of a memory's c): numbers or tensors.
  Input inputKeepProb = 1.0;
  Input outputKeepProb = 1.0;
  Input stateKeepProb = 1.0;
  /// Each place where elements are dropped makes a seed of its own of it.
  std::optional<int64_t> seed = {};
  /// The same elements are dropped in all steps, and of all sequences: inputs
  /// have so many columns, and this dtype.
  bool variationalRecurrent = false;
  int64_t inputSize = -1;
  DType dtype = DType::Invalid;
};
/// A cell with dropout around it, drawn anew in each step unless the options
/// say otherwise. **Errors** of the current graph: INVALID_ARGUMENT with
/// TensorFlow's texts for a number outside of [0, 1], and where variational
/// dropout has no dtype or no columns of the input. **Source**:
/// tf.nn.rnn_cell.DropoutWrapper.
class KILN_EXPORT DropoutWrapper : public RnnCell {
public:
  explicit DropoutWrapper(std::shared_ptr<RnnCell> cell,
                          DropoutWrapperOptions options = {});
  int64_t outputSize() const override { return cell->outputSize(); }
  std::vector<int64_t> stateSizes() const override {
    return cell->stateSizes();
  }
  std::vector<bool> dropsState() const override { return cell->dropsState(); }

protected:
  std::string kind() const override { return "DropoutWrapper"; }
  std::vector<Output> zeros(const Input &batch, DType dtype) const override;
  Step call(const Output &input, const std::vector<Output> &state) override;

private:
  std::optional<int64_t> seedFor(const std::string &salt) const;
  Output keep(const Output &x, const Input &probability,
              const std::string &salt, const Output &noise) const;
  std::shared_ptr<RnnCell> cell;
  DropoutWrapperOptions options;
  Output inputNoise, outputNoise;
  std::vector<Output> stateNoise;
};

} // namespace kiln

#endif // KILN_RNNCELLS_H
