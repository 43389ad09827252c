// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's optimizers.
#ifndef KILN_OPTIMIZERS_H
#define KILN_OPTIMIZERS_H

#include "kiln/AdagradOptimizers.h"
#include "kiln/Optimizer.h"

namespace kiln {

// Numbers may be tensors, such as a learning rate that decays. Nodes, slots and
// their names are TensorFlow's; texts of errors too.

struct GradientDescentOptions {
  bool useLocking = false;
  std::string name = "GradientDescent";
};
/// var -= lr * g. **Source**: tf.train.GradientDescentOptimizer.
class KILN_EXPORT GradientDescentOptimizer : public Optimizer {
public:
  explicit GradientDescentOptimizer(const Input &learningRate,
                                    const GradientDescentOptions &options = {});

protected:
  void prepare() override;
  const Node *applyDense(const Output &gradient,
                         const Variable &variable) override;
  const Node *applySparse(const IndexedSlices &gradient,
                          const Variable &variable) override;
  const Node *applySparseDuplicates(const IndexedSlices &gradient,
                                    const Variable &variable) override;

private:
  const Input learningRate;
};

struct MomentumOptions {
  /// Looks ahead by the momentum.
  bool useNesterov = false;
  bool useLocking = false;
  std::string name = "Momentum";
};
/// a = momentum * a + g; var -= lr * a, with Nesterov lr * (g + momentum * a).
/// The slot is "momentum". **Source**: tf.train.MomentumOptimizer.
class KILN_EXPORT MomentumOptimizer : public OneOpOptimizer {
public:
  explicit MomentumOptimizer(const Input &learningRate, const Input &momentum,
                             const MomentumOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const Input momentum;
  const MomentumOptions options;
};

struct AdamOptions {
  Input beta1 = 0.9;
  Input beta2 = 0.999;
  Input epsilon = 1e-8;
  bool useLocking = false;
  std::string name = "Adam";
};
/// Means of the gradient and of its square, freed from their start. Slots "m",
/// "v"; beta1_power and beta2_power beside the first variable by name.
/// **Source**: tf.train.AdamOptimizer.
class KILN_EXPORT AdamOptimizer : public Optimizer {
public:
  explicit AdamOptimizer(const Input &learningRate = 0.001,
                         const AdamOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *applyDense(const Output &gradient,
                         const Variable &variable) override;
  const Node *applySparse(const IndexedSlices &gradient,
                          const Variable &variable) override;
  const Node *finish(const std::vector<const Node *> &updates,
                     const std::string &name) override;

private:
  const Input learningRate;
  const AdamOptions options;
};

struct RMSPropOptions {
  Input decay = 0.9;
  Input momentum = 0.0;
  Input epsilon = 1e-10;
  bool centered = false;
  bool useLocking = false;
  std::string name = "RMSProp";
};
/// The gradient by the root of the mean of its square; centered: of its
/// variance. Slots "rms", "momentum", and "mg" where it is centered.
/// **Source**: tf.train.RMSPropOptimizer.
class KILN_EXPORT RMSPropOptimizer : public OneOpOptimizer {
public:
  explicit RMSPropOptimizer(const Input &learningRate,
                            const RMSPropOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const RMSPropOptions options;
};

struct AdadeltaOptions {
  Input rho = 0.95;
  Input epsilon = 1e-8;
  bool useLocking = false;
  std::string name = "Adadelta";
};
/// Steps in the units of the variable. Slots "accum", "accum_update".
/// **Source**: tf.train.AdadeltaOptimizer.
class KILN_EXPORT AdadeltaOptimizer : public OneOpOptimizer {
public:
  explicit AdadeltaOptimizer(const Input &learningRate = 0.001,
                             const AdadeltaOptions &options = {});

protected:
  void createSlots(const std::vector<Variable> &variables) override;
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const AdadeltaOptions options;
};

struct ProximalGradientDescentOptions {
  Input l1RegularizationStrength = 0.0;
  Input l2RegularizationStrength = 0.0;
  bool useLocking = false;
  std::string name = "ProximalGradientDescent";
};
/// Gradient descent, then a step towards 0. **Source**:
/// tf.train.ProximalGradientDescentOptimizer.
class KILN_EXPORT ProximalGradientDescentOptimizer : public OneOpOptimizer {
public:
  explicit ProximalGradientDescentOptimizer(
      const Input &learningRate,
      const ProximalGradientDescentOptions &options = {});

protected:
  void prepare() override;
  const Node *update(const std::string &apply,
                     const std::vector<OpInput> &gradient,
                     const Variable &variable) override;

private:
  const ProximalGradientDescentOptions options;
};

} // namespace kiln

#endif // KILN_OPTIMIZERS_H
