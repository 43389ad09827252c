// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adagrad and what came of it. kiln/Optimizers.h has all optimizers.
#ifndef KILN_ADAGRADOPTIMIZERS_H
#define KILN_ADAGRADOPTIMIZERS_H

#include "kiln/Optimizer.h"

namespace kiln {

// Numbers may be tensors, such as a learning rate that decays. Nodes, slots and
// their names are TensorFlow's; texts of errors too.

struct AdagradOptions {
  double initialAccumulatorValue = 0.1;
  bool useLocking = false;
  std::string name = "Adagrad";
};
/// a += g^2; var -= lr * g / sqrt(a). The slot is "accumulator". **Errors** of
/// the graph: INVALID_ARGUMENT for a first value that is not above 0.
/// **Source**: tf.train.AdagradOptimizer.
class KILN_EXPORT AdagradOptimizer : public OneOpOptimizer {
public:
  explicit AdagradOptimizer(const Input &learningRate,
                            const AdagradOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const AdagradOptions options;
};

struct AdagradDAOptions {
  double initialGradientSquaredAccumulatorValue = 0.1;
  Input l1RegularizationStrength = 0.0;
  Input l2RegularizationStrength = 0.0;
  bool useLocking = false;
  std::string name = "AdagradDA";
};
/// Adagrad by dual averaging, for sparse linear models. Slots
/// "gradient_accumulator", "gradient_squared_accumulator". **Errors** as
/// Adagrad's. **Source**: tf.train.AdagradDAOptimizer.
class KILN_EXPORT AdagradDAOptimizer : public OneOpOptimizer {
public:
  explicit AdagradDAOptimizer(const Input &learningRate,
                              const Input &globalStep,
                              const AdagradDAOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const Input globalStep;
  const AdagradDAOptions options;
};

struct FtrlOptions {
  double learningRatePower = -0.5;
  double initialAccumulatorValue = 0.1;
  double l1RegularizationStrength = 0;
  double l2RegularizationStrength = 0;
  /// Names of the slots' variables; the optimizer's where one is empty.
  std::string accumName = {};
  std::string linearName = {};
  double l2ShrinkageRegularizationStrength = 0;
  double beta = 0;
  bool useLocking = false;
  std::string name = "Ftrl";
};
/// Follow the regularized leader. Slots "accum", "linear". **Errors** of the
/// graph: INVALID_ARGUMENT for a power above 0 and for negative others.
/// **Source**: tf.train.FtrlOptimizer.
class KILN_EXPORT FtrlOptimizer : public OneOpOptimizer {
public:
  explicit FtrlOptimizer(const Input &learningRate,
                         const FtrlOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const FtrlOptions options;
};

struct ProximalAdagradOptions {
  double initialAccumulatorValue = 0.1;
  Input l1RegularizationStrength = 0.0;
  Input l2RegularizationStrength = 0.0;
  bool useLocking = false;
  std::string name = "ProximalAdagrad";
};
/// Adagrad, then a step towards 0. The slot is "accumulator". **Errors** as
/// Adagrad's. **Source**: tf.train.ProximalAdagradOptimizer.
class KILN_EXPORT ProximalAdagradOptimizer : public OneOpOptimizer {
public:
  explicit ProximalAdagradOptimizer(const Input &learningRate,
                                    const ProximalAdagradOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const ProximalAdagradOptions options;
};

} // namespace kiln

#endif // KILN_ADAGRADOPTIMIZERS_H
