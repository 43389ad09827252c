// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks around other ones.
#ifndef KILN_RNNWRAPPERS_H
#define KILN_RNNWRAPPERS_H

#include "kiln/RnnCells.h"

namespace kiln {

/// Adds a cell's input to its output, or what the function makes of both, one
/// by one where there are several.
/// **Errors** of the graph: INVALID_ARGUMENT where they cannot be added.
/// **Source**: tf.nn.rnn_cell.ResidualWrapper.
class KILN_EXPORT ResidualWrapper : public RnnCell {
public:
  using Function =
      std::function<Output(const Output &input, const Output &output)>;
  explicit ResidualWrapper(std::shared_ptr<RnnCell> cell,
                           Function function = {})
      : cell(std::move(cell)), function(std::move(function)) {}
  std::vector<Shape> outputShapes() const override {
    return cell->outputShapes();
  }
  std::vector<Shape> stateShapes() const override {
    return cell->stateShapes();
  }
  std::vector<bool> dropsState() const override { return cell->dropsState(); }

protected:
  std::string kind() const override { return "ResidualWrapper"; }
  Outputs zeros(const Input &batch, DType dtype) const override;
  Step call(const Outputs &inputs, const Outputs &state) override;

private:
  std::shared_ptr<RnnCell> cell;
  Function function;
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
  /// have so many columns, and this dtype; a cell of one input alone.
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
  std::vector<Shape> outputShapes() const override {
    return cell->outputShapes();
  }
  std::vector<Shape> stateShapes() const override {
    return cell->stateShapes();
  }
  std::vector<bool> dropsState() const override { return cell->dropsState(); }

protected:
  std::string kind() const override { return "DropoutWrapper"; }
  Outputs zeros(const Input &batch, DType dtype) const override;
  Step call(const Outputs &inputs, const Outputs &state) override;

private:
  std::optional<int64_t> seedFor(const std::string &salt) const;
  Output keep(const Output &x, const Input &probability,
              const std::string &salt, const Output &noise) const;
  std::shared_ptr<RnnCell> cell;
  DropoutWrapperOptions options;
  Output inputNoise;
  std::vector<Output> stateNoise, outputNoise;
};

} // namespace kiln

#endif // KILN_RNNWRAPPERS_H
