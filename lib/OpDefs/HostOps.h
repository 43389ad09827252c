// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of ops that are neither loops nor kernels of the runtime, on whole
// tensors. Code calls those that have no effect; the others the session does
// between the parts of a run, without locks.
#ifndef KILN_LIB_OPDEFS_HOSTOPS_H
#define KILN_LIB_OPDEFS_HOSTOPS_H

#include "kiln/Node.h"
#include "kiln/Tensor.h"
#include "lib/Support/FileAccess.h"

#include <span>
#include <string_view>

namespace kiln {

struct OpDef;

/// One call of such an op. Borrows everything.
struct HostCall {
  const Node &node;
  std::span<const Tensor> inputs; ///< without handles
  std::span<Tensor> outputs;      ///< to be set
  const FileAccess &files;
};

/// **Errors**: of the op, without the node.
using HostOpFn = Status (*)(const HostCall &call);

/// What the body of an op does beside giving its outputs.
enum class HostEffect : uint8_t {
  None,     ///< nothing: what it gives follows from its inputs and attributes
  Resource, ///< reads or changes a resource or files, and never waits
  Waits,    ///< may wait for what other runs do
};

/// The body of an op type that needs nothing but the call.
struct HostBody {
  std::string_view opType;
  HostOpFn run;
  HostEffect effect = HostEffect::None;
};

/// The kernel by which code calls such a body that has no effect. Its numbers:
/// the body's place among those of the function, and what foreign kernels have.
inline constexpr std::string_view hostBodyKernel = "HostBody";
/// Whether a run is cut at a node with a body, for code cannot take what has
/// any rank.
bool cutsAtBody(const Node &node, const OpDef &def);

/// The ops on checkpoints, records and messages, which lib/IO has. Where the
/// library with them cannot be loaded, each of their bodies says so.
std::span<const HostBody> ioOps();
/// The ops on sparse and ragged tensors, which lib/Sparse has.
std::span<const HostBody> sparseOps();

} // namespace kiln

#endif // KILN_LIB_OPDEFS_HOSTOPS_H
