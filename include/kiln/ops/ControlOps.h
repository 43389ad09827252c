// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that order others.
#ifndef KILN_OPS_CONTROLOPS_H
#define KILN_OPS_CONTROLOPS_H

#include "kiln/GraphScopes.h"
#include "kiln/OpOptions.h"

namespace kiln::ops {

/// Runs after all of these: one NoOp a device, and one that waits for them.
/// **Source**: tf.group, "group_deps".
KILN_EXPORT const Node *group(const std::vector<ControlInput> &inputs,
                              const OpOptions &options = {});
struct TupleOptions {
  std::vector<ControlInput> controlInputs = {};
  std::string name = {};
};
/// The tensors, once all of them are there; those without a node are left out
/// and stay without. **Source**: tf.tuple, "tuple".
KILN_EXPORT std::vector<Output> tuple(const std::vector<Output> &tensors,
                                      const TupleOptions &options = {});
/// The tensor, once these are done. **Source**:
/// control_flow_ops.with_dependencies, "control_dependency".
KILN_EXPORT Output withDependencies(const std::vector<ControlInput> &inputs,
                                    const Input &tensor,
                                    const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_CONTROLOPS_H
