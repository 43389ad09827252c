// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that ask iterators for elements while a run waits for them.
#ifndef KILN_LIB_OPS_PIPELINE_HOSTPULLOP_H
#define KILN_LIB_OPS_PIPELINE_HOSTPULLOP_H

#include "kiln/Node.h"
#include "lib/Pipelines/Dataset.h"
#include "runtime/kernels/BlockingKernel.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kiln {

/// An op that asks for elements. It may take as long as the functions of the
/// datasets do, and ends early with its run.
class PullOp : public BlockingOp {
public:
  virtual Status run(std::span<Tensor> inputs, std::span<Tensor> outputs,
                     PullContext &pull) const = 0;

  std::unique_ptr<BlockingAttempt> makeAttempt() const final;
  std::string_view cancelledText() const final { return "Cancelled"; }
};

/// What a node says of the element that it gives.
class DeclaredElement {
public:
  explicit DeclaredElement(const Node &node);

  /// Gives an element as a node's outputs. **Errors**: INVALID_ARGUMENT with
  /// TensorFlow's texts for one of other types or shapes.
  Status give(Element element, std::span<Tensor> outputs) const;
  /// **Errors**: as give().
  Status check(const Element &element) const;

private:
  const std::vector<DType> types;
  const std::vector<Shape> shapes;
};

} // namespace kiln

#endif // KILN_LIB_OPS_PIPELINE_HOSTPULLOP_H
