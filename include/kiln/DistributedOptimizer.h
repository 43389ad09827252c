// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training in several processes: gradients that are averaged over all of them,
// and variables that begin alike.
#ifndef KILN_DISTRIBUTEDOPTIMIZER_H
#define KILN_DISTRIBUTEDOPTIMIZER_H

#include "kiln/Optimizer.h"

namespace kiln {

struct DistributedOptions {
  /// Gradients that are tensors go together, in buckets of at most so many
  /// bytes, one collective each; one that is larger, or of an unknown size,
  /// goes alone. 0: each alone.
  int64_t bucketBytes = int64_t(25) << 20;
  /// Sums the rows of sparse gradients into tensors first. Otherwise all ranks'
  /// rows are gathered.
  bool sparseAsDense = false;
  /// The group of ranks that trains together (Communicator::addGroup).
  int group = 0;
};

/// The mean over all ranks of each gradient, under names that do not depend on
/// the graph around it. Every rank calls it with the same gradients in the same
/// order. **Edges**: gradients that are none stay so. **Source**: Horovod's
/// DistributedOptimizer; its buckets are chosen by the clock, in each step, and
/// its sums differ from run to run.
KILN_EXPORT std::vector<GradientAndVariable>
averageOverRanks(const std::vector<GradientAndVariable> &gradients,
                 const DistributedOptions &options = {});

/// Gives all variables the values that they have on one rank: run once, behind
/// the initializers. **Source**: hvd.broadcast_variables.
KILN_EXPORT const Node *
broadcastVariables(const std::vector<Variable> &variables, int rootRank = 0);

/// An optimizer that steps by gradients averaged over all ranks. With losses
/// that are means over parts of equal size, N ranks do what one does with the
/// whole batch. **Ownership**: borrows the optimizer, which has slots and
/// state. **Errors** of the graph: those of Optimizer. **Source**:
/// hvd.DistributedOptimizer.
class KILN_EXPORT DistributedOptimizer {
public:
  explicit DistributedOptimizer(Optimizer &optimizer,
                                DistributedOptions options = {})
      : optimizer(optimizer), options(options) {}

  const Node *minimize(const Output &loss,
                       const MinimizeOptions &minimizeOptions = {});
  std::vector<GradientAndVariable>
  computeGradients(const Output &loss,
                   const ComputeGradientsOptions &computeOptions = {});
  /// Takes averaged ones.
  const Node *applyGradients(const std::vector<GradientAndVariable> &gradients,
                             const ApplyGradientsOptions &applyOptions = {}) {
    return optimizer.applyGradients(gradients, applyOptions);
  }

private:
  Optimizer &optimizer;
  const DistributedOptions options;
};

} // namespace kiln

#endif // KILN_DISTRIBUTEDOPTIMIZER_H
