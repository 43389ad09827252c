// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks: what one step computes.
#ifndef KILN_RNNCELLS_H
#define KILN_RNNCELLS_H

#include "kiln/RnnCell.h"
#include "kiln/Weight.h"

namespace kiln {

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
        options(std::move(options)) {}
  int64_t outputSize() const override { return units; }
  std::vector<int64_t> stateSizes() const override { return {units}; }

protected:
  std::string kind() const override { return "BasicRNNCell"; }
  void build(int64_t inputSize, DType dtype) override;
  Step step(const Output &input, const Outputs &state) override;

private:
  int64_t units;
  BasicRnnCellOptions options;
  Weight kernel, bias;
};
/// What a BasicRnnCell computes, of weights that stand elsewhere.
KILN_EXPORT RnnCell::Step basicRnnStep(const Output &input,
                                       const Outputs &state,
                                       const Input &kernel, const Input &bias,
                                       const BasicRnnCellOptions &options = {});

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
  Step step(const Output &input, const Outputs &state) override;

private:
  int64_t units;
  BasicLstmCellOptions options;
  Weight kernel, bias;
};
/// What a BasicLstmCell computes, of weights that stand elsewhere. Where the
/// state is one tensor it is c and h beside one another, before and after.
KILN_EXPORT RnnCell::Step
basicLstmStep(const Output &input, const Outputs &state, const Input &kernel,
              const Input &bias, const BasicLstmCellOptions &options = {});

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
  Step step(const Output &input, const Outputs &state) override;

private:
  int64_t units;
  LstmCellOptions options;
  Weight kernel, bias, forgetPeephole, inputPeephole, outputPeephole,
      projection;
};
struct LstmWeights {
  Input kernel, bias;
  /// Vectors; what is empty is not there.
  std::optional<Input> forgetPeephole = {}, inputPeephole = {},
                       outputPeephole = {};
  std::optional<Input> projection = {};
};
/// What an LstmCell of so many units computes, of weights that stand elsewhere:
/// those that are there matter, not usePeepholes and numProj. Where the state
/// is one tensor it is c and h beside one another, before and after.
KILN_EXPORT RnnCell::Step lstmStep(const Output &input, const Outputs &state,
                                   int64_t units, const LstmWeights &weights,
                                   const LstmCellOptions &options = {});

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
  Step step(const Output &input, const Outputs &state) override;

private:
  int64_t units;
  GruCellOptions options;
  Weight gateKernel, gateBias, kernel, bias;
};
struct GruWeights {
  Input gateKernel, gateBias, kernel, bias;
};
/// What a GruCell computes, of weights that stand elsewhere.
KILN_EXPORT RnnCell::Step gruStep(const Output &input, const Outputs &state,
                                  const GruWeights &weights,
                                  const GruCellOptions &options = {});

/// Cells on top of one another; the state is theirs in a row. Variables
/// "multi_rnn_cell/cell_0/…". **Source**: tf.nn.rnn_cell.MultiRNNCell.
class KILN_EXPORT MultiRnnCell : public RnnCell {
public:
  explicit MultiRnnCell(std::vector<std::shared_ptr<RnnCell>> cells)
      : cells(std::move(cells)) {}
  std::vector<Shape> outputShapes() const override {
    return cells.back()->outputShapes();
  }
  std::vector<Shape> stateShapes() const override;
  std::vector<bool> dropsState() const override;

protected:
  std::string kind() const override { return "MultiRNNCell"; }
  Outputs zeros(const Input &batch, DType dtype) const override;
  Step call(const Outputs &inputs, const Outputs &state) override;

private:
  std::vector<std::shared_ptr<RnnCell>> cells;
  /// The variable scope of the first call, and its own below that.
  std::optional<VariableScopeHandle> callers, scope;
};

} // namespace kiln

#endif // KILN_RNNCELLS_H
