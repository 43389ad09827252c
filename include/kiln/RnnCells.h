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
/// first, in the variable scope of that call, and uses them from then on.
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
  /// Makes the variables for inputs of so many columns, once.
  virtual void build(int64_t inputSize, DType dtype) = 0;
  /// **Shapes**: `input: [batch, columns]`, `state: [batch, size]` each.
  /// **Errors** of the graph: INVALID_ARGUMENT where the input's columns are
  /// not known.
  Step operator()(const Output &input, const std::vector<Output> &state);
  /// Zeros to begin with. **Source**: zero_state.
  std::vector<Output> zeroState(const Output &batch, DType dtype) const;

protected:
  virtual Step step(const Output &input, const std::vector<Output> &state) = 0;
};

/// tanh(W [x, h] + b). Variables "basic_rnn_cell/kernel", "…/bias".
class KILN_EXPORT BasicRnnCell : public RnnCell {
public:
  explicit BasicRnnCell(int64_t units, std::string name = "basic_rnn_cell")
      : units(units), name(std::move(name)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  std::string name;
  std::optional<Variable> kernel, bias;
};

/// Long short-term memory without peepholes; its state is (c, h). Variables
/// "basic_lstm_cell/kernel", "…/bias". **Source**:
/// tf.nn.rnn_cell.BasicLSTMCell.
class KILN_EXPORT BasicLstmCell : public RnnCell {
public:
  explicit BasicLstmCell(int64_t units, double forgetBias = 1,
                         std::string name = "basic_lstm_cell")
      : units(units), forgetBias(forgetBias), name(std::move(name)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units, units}; }
  std::vector<bool> dropsState() const override { return {false, true}; }
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  double forgetBias;
  std::string name;
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
class KILN_EXPORT LstmCell : public RnnCell {
public:
  explicit LstmCell(int64_t units, LstmCellOptions options = {})
      : units(units), options(std::move(options)) {}
  int64_t outputSize() const override {
    return options.numProj.value_or(units);
  }
  std::vector<int64_t> stateSizes() const override {
    return {units, outputSize()};
  }
  std::vector<bool> dropsState() const override { return {false, true}; }
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  LstmCellOptions options;
  std::optional<Variable> kernel, bias, forgetPeephole, inputPeephole,
      outputPeephole, projection;
};

/// Gated recurrent unit. Variables "gru_cell/gates/kernel", "…/bias",
/// "gru_cell/candidate/kernel", "…/bias". **Source**: tf.nn.rnn_cell.GRUCell.
class KILN_EXPORT GruCell : public RnnCell {
public:
  explicit GruCell(int64_t units, std::string name = "gru_cell")
      : units(units), name(std::move(name)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  std::string name;
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
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  std::vector<std::shared_ptr<RnnCell>> cells;
};

struct DropoutWrapperOptions {
  /// The probabilities to keep an element of the input, of the output and of
  /// the new state (but of a memory's c): numbers or tensors.
  Input inputKeepProb = 1.0;
  Input outputKeepProb = 1.0;
  Input stateKeepProb = 1.0;
};
/// A cell with dropout around it, drawn anew in each step. **Errors** of the
/// graph: INVALID_ARGUMENT for a number outside of [0, 1]. **Source**:
/// tf.nn.rnn_cell.DropoutWrapper, without variational_recurrent and without a
/// seed of its own.
class KILN_EXPORT DropoutWrapper : public RnnCell {
public:
  explicit DropoutWrapper(std::shared_ptr<RnnCell> cell,
                          DropoutWrapperOptions options = {})
      : cell(std::move(cell)), options(std::move(options)) {}
  int64_t outputSize() const override { return cell->outputSize(); }
  std::vector<int64_t> stateSizes() const override {
    return cell->stateSizes();
  }
  std::vector<bool> dropsState() const override { return cell->dropsState(); }
  void build(int64_t inputSize, DType dtype) override {
    cell->build(inputSize, dtype);
  }

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  std::shared_ptr<RnnCell> cell;
  DropoutWrapperOptions options;
};

} // namespace kiln

#endif // KILN_RNNCELLS_H
