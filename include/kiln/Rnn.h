// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks: cells, and what runs them over sequences.
#ifndef KILN_RNN_H
#define KILN_RNN_H

#include "kiln/ControlFlow.h"
#include "kiln/VariableScope.h"

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
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  int64_t units;
  double forgetBias;
  std::string name;
  std::optional<Variable> kernel, bias;
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
  void build(int64_t inputSize, DType dtype) override;

protected:
  Step step(const Output &input, const std::vector<Output> &state) override;

private:
  std::vector<std::shared_ptr<RnnCell>> cells;
};

struct RnnOptions {
  /// Zeros where it is empty.
  std::vector<Output> initialState = {};
  /// `[batch]` of integers: behind its length a sequence's outputs are zeros
  /// and its state stays. All of the length where there is none.
  std::optional<Input> sequenceLength = {};
  /// Inputs and outputs are `[time, batch, …]`.
  bool timeMajor = false;
  int64_t parallelIterations = 32;
  bool swapMemory = false;
  /// Of variables.
  std::string scope = "rnn";
};
struct RnnResult {
  Output outputs;
  std::vector<Output> state;
};
struct StaticRnnResult {
  std::vector<Output> outputs;
  std::vector<Output> state;
};

/// Runs the cell over the time steps of a tensor, in a loop. **Shapes**:
/// `inputs: [batch, time, columns]`, batch and time of the run; the result is
/// `[batch, time, outputSize]`. **Source**: tf.nn.dynamic_rnn.
KILN_EXPORT RnnResult dynamicRnn(RnnCell &cell, const Input &inputs,
                                 const RnnOptions &options = {});
/// Runs the cell over a list of steps, one part of the graph each, without
/// sequenceLength and timeMajor. **Source**: tf.nn.static_rnn.
KILN_EXPORT StaticRnnResult staticRnn(RnnCell &cell,
                                      const std::vector<Output> &inputs,
                                      const RnnOptions &options = {});

} // namespace kiln

#endif // KILN_RNN_H
