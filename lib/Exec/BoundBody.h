// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host kernels, as native code and the evaluator call them.
#ifndef KILN_LIB_EXEC_BOUNDBODY_H
#define KILN_LIB_EXEC_BOUNDBODY_H

#include "kiln/Graph.h"
#include "lib/Compiled/FunctionInterface.h"
#include "lib/HostKernels/HostCall.h"

#include <memory>
#include <span>
#include <vector>

namespace kiln {

class Communicator;
class ResourceUser;

/// A node of a function, with what computes it. **Thread safety**: constant.
/// **Ownership**: has a node of its own, since a program that comes from disk
/// has none; borrows the files.
class BoundBody {
public:
  /// **Errors**: UNIMPLEMENTED for an op without such a body; of attributes
  /// that make no node; of the resource.
  static StatusOr<std::unique_ptr<BoundBody>>
  make(const ImportedBody &body, ResourceUser &resources,
       const FileAccess &files, std::shared_ptr<Communicator> communicator);

  /// **Errors**: of the op, without the node.
  StatusOr<std::vector<Tensor>> compute(std::span<const Tensor> inputs,
                                        const KilnRunState *run) const;

private:
  explicit BoundBody(const FileAccess &files) : files(files) {}

  BoundHostOp run;
  const FileAccess &files;
  std::unique_ptr<Graph> graph;
  const Node *node = nullptr;
};

/// Adds the kernels to the process's registry, the first time.
void registerHostBodyKernel();

} // namespace kiln

#endif // KILN_LIB_EXEC_BOUNDBODY_H
