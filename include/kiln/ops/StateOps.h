// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments as functions.
#ifndef KILN_OPS_STATEOPS_H
#define KILN_OPS_STATEOPS_H

#include "kiln/Variable.h"
#include "kiln/ops/ArrayOps.h"

namespace kiln::ops {

/// As Variable::assign(), but one to a reference holds its lock unless the
/// options say otherwise. **Source**: tf.assign, "Assign".
KILN_EXPORT Assignment assign(const Variable &variable, const Input &value,
                              const AssignOptions &options = {});
/// As Variable::assignAdd(). **Source**: tf.assign_add, "AssignAdd".
KILN_EXPORT Assignment assignAdd(const Variable &variable, const Input &delta,
                                 const AssignOptions &options = {});
/// As Variable::assignSub(). **Source**: tf.assign_sub, "AssignSub".
KILN_EXPORT Assignment assignSub(const Variable &variable, const Input &delta,
                                 const AssignOptions &options = {});

/// How the rows, or with Nd the parts, that indices name change.
enum class Scatter {
  Update,
  Add,
  Sub,
  Mul,
  Div,
  Min,
  Max,
  NdUpdate,
  NdAdd,
  NdSub
};
struct ScatterOptions {
  /// For a reference variable; nothing: true of updates.
  std::optional<bool> useLocking = {};
  std::string name = {};
};
/// Changes parts of a variable. **Source**: tf.scatter_update, tf.scatter_add
/// and so on, "ScatterUpdate", "ResourceScatterUpdate" ...
KILN_EXPORT Assignment scatter(Scatter kind, const Variable &variable,
                               const Input &indices, const Input &updates,
                               const ScatterOptions &options = {});

/// Gives a part of a variable, which StridedSliceOptions tell of, a value.
/// **Source**: tf.Tensor.__getitem__(...).assign, "StridedSliceAssign",
/// "ResourceStridedSliceAssign".
KILN_EXPORT Assignment assignSlice(const Variable &variable, const Input &begin,
                                   const Input &end, const Input &strides,
                                   const Input &value,
                                   const StridedSliceOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_STATEOPS_H
