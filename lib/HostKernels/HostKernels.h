// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of ops that are neither loops nor kernels of the runtime: one
// table of all of them.
#ifndef KILN_LIB_HOSTKERNELS_HOSTKERNELS_H
#define KILN_LIB_HOSTKERNELS_HOSTKERNELS_H

#include "lib/HostKernels/HostCall.h"
#include "runtime/kernels/BlockingKernel.h"
#include "runtime/threads/ForkMutex.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace kiln {

/// What the body of an op does beside giving its outputs.
enum class HostEffect : uint8_t {
  None,     ///< nothing: what it gives follows from its inputs and attributes
  Resource, ///< reads or changes what is in memory, and keeps no input
  Apart,    ///< never waits, but must not be done under a run's locks
  Waits,    ///< may wait for what other runs do
};

/// Finds what the body of a node works on. **Errors**: as BindBlockingOp.
using BindBody = StatusOr<BoundHostOp> (*)(const Node &node,
                                           const BlockingSite &site);

/// The body of an op type, and what it does: exactly one of the functions is
/// there. Code calls those with the effects None and Resource.
struct HostKernel {
  HostEffect effect = HostEffect::Apart;
  /// A body that needs nothing but the call.
  HostOpFn run = nullptr;
  /// Binds one that must find what it works on, and never waits.
  BindBody bindBody = nullptr;
  /// Binds any other.
  BindBlockingOp bindOp = nullptr;

  bool isCalledByCode() const {
    return effect == HostEffect::None || effect == HostEffect::Resource;
  }
  /// What code calls. **Errors**: as BindBlockingOp.
  StatusOr<BoundHostOp> bindForCode(const Node &node,
                                    const BlockingSite &site) const;

  /// What a cut run does between its parts. **Errors**: as BindBlockingOp.
  StatusOr<std::unique_ptr<BlockingOp>> bind(const Node &node,
                                             const BlockingSite &site) const;
};

/// The body of an op type that needs nothing but the call.
struct HostBody {
  std::string_view opType;
  HostOpFn run;
  HostEffect effect = HostEffect::None;
};

/// The host kernels of the process by op type: those of the families of lib/Ops
/// (Families.def), and of ops that users register. One
/// is never removed: what find() gives lives as long as the process.
///
/// Thread safety: all functions; `mutex` guards the map.
class HostKernels {
public:
  /// **Ownership**: never destroyed.
  static HostKernels &process();

  /// **Errors**: ALREADY_EXISTS for an op type that has one.
  Status add(std::string opType, HostKernel kernel);
  /// Null for an op type that has none.
  const HostKernel *find(std::string_view opType) const;

  // What families add their kernels by.

  void addBodies(std::initializer_list<HostBody> bodies);
  /// Adds it for those of the op types [prefix]name[suffix] that there are.
  using Names = std::initializer_list<std::string_view>;
  void addOwn(std::string_view name, HostKernel kernel, Names prefixes = {""},
              Names suffixes = {""});
  static constexpr std::string_view secondVersion = "V2"; ///< a suffix

private:
  HostKernels();

  mutable ForkMutex mutex;
  std::map<std::string, HostKernel, std::less<>> kernels;
};

/// Adds those of the families of lib/Ops.
void addHostKernels(HostKernels &kernels);

} // namespace kiln

#endif // KILN_LIB_HOSTKERNELS_HOSTKERNELS_H
