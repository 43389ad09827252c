// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that another library computes, where Kiln cannot.
#ifndef KILN_FOREIGNOPS_H
#define KILN_FOREIGNOPS_H

#include "kiln/Export.h"
#include "kiln/Node.h"
#include "kiln/OpSchema.h"
#include "kiln/Status.h"
#include "kiln/Tensor.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kiln {

/// A library that computes ops which Kiln does not have, or not for a dtype:
/// TensorFlow, for kiln.tensorflow.
///
/// Its functions are called on any thread, also several at once, and may wait.
class ForeignLibrary {
public:
  virtual ~ForeignLibrary() = default;
  /// Called when a run's subgraph is compiled. Returns a number for calls of
  /// nodes with this op and these attributes, valid as long as the process.
  /// **Errors**: where the library does not compute such nodes; the run's.
  virtual StatusOr<int64_t> prepare(const Node &node) = 0;
  /// Infers the shapes of the outputs for inputs of known shapes; those of
  /// which the value is known too are valid in `values`. **Errors**: where that
  /// cannot be told.
  virtual StatusOr<std::vector<Shape>>
  infer(const Node &node, std::span<const Shape> inputs,
        std::span<const Tensor> values) = 0;
  /// Computes the outputs of such a node. The inputs are the callee's own.
  /// **Errors**: the run's, with the node's name.
  virtual StatusOr<std::vector<Tensor>> compute(int64_t call,
                                                std::vector<Tensor> inputs) = 0;
};

/// Gives the process its library; there is one, which is never destroyed.
/// **Errors**: ALREADY_EXISTS. **Thread safety**: any thread.
KILN_EXPORT Status setForeignLibrary(ForeignLibrary &library);

/// What is said of an op of that library, in the grammar of OpRegistration
/// (RegisterOp.h): any dtype, strings and lists of types too.
struct ForeignOp {
  std::string name;
  std::string inputs;
  std::string outputs;
  std::string attrs;
  /// Two calls may differ, or do something beside their outputs: the node runs
  /// once a run that needs it.
  bool isStateful = false;
  /// A call may run sessions itself. Where an edge can be cut, which is
  /// anywhere but where a list, or a TensorArray that data picks, would go from
  /// part to part, the run holds no locks meanwhile. Where it does, runs
  /// that the call begins on its thread may read the variables that the run
  /// holds; those that would have to wait for it are FAILED_PRECONDITION with
  /// the variable. What it waits for must not be such a run of another thread.
  bool callsBack = false;
};

/// Adds an op to those that graphs may hold. While a graph is built, a node's
/// outputs have the shapes of its attribute "_output_shapes" (list(shape)).
/// Where a rank is unknown there, or the op calls back, a run is cut at the
/// node. For a run the library infers them, once for all sizes; extents that it
/// does not know the call finds out, and a rank, where the run cannot be cut
/// (see callsBack), is an UNIMPLEMENTED with the node.
/// **Thread safety**: any thread. **Errors**: ALREADY_EXISTS for the name of an
/// op that Kiln has; INVALID_ARGUMENT for a text that cannot be read;
/// UNIMPLEMENTED for references, resources and variants.
KILN_EXPORT Status registerForeignOp(const ForeignOp &op);
/// The same of an op whose schema is known. Without outputs it is one that does
/// something.
KILN_EXPORT Status registerForeignOp(const OpSchema &schema,
                                     bool callsBack = false);

} // namespace kiln

#endif // KILN_FOREIGNOPS_H
