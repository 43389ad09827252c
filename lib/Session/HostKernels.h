// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of ops that are not code: one table of all of them.
#ifndef KILN_LIB_SESSION_HOSTKERNELS_H
#define KILN_LIB_SESSION_HOSTKERNELS_H

#include "lib/OpDefs/HostOps.h"
#include "runtime/kernels/BlockingKernel.h"
#include "runtime/threads/ForkMutex.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace kiln {

/// How the nodes of an op type are bound, and what their bodies do.
struct HostKernel {
  BindBlockingOp bind = nullptr;
  HostEffect effect = HostEffect::Resource;
  /// Of one without effects: what code calls.
  HostOpFn run = nullptr;
};

/// The host kernels of the process by op type: those of the families below, and
/// of ops that users register. One is never removed: what find() gives lives as
/// long as the process.
///
/// Thread safety: all functions; `mutex` guards the map.
class HostKernels {
public:
  /// **Ownership**: never destroyed.
  static HostKernels &process();

  /// **Errors**: ALREADY_EXISTS for an op type that has one.
  Status add(std::string opType, HostKernel kernel);
  /// Adds it for those of the op types [prefix]name[suffix] that there are.
  using Names = std::initializer_list<std::string_view>;
  void addOwn(std::string_view name, HostKernel kernel, Names prefixes = {""},
              Names suffixes = {""});
  static constexpr std::string_view secondVersion = "V2"; ///< a suffix
  /// Null for an op type that has none.
  const HostKernel *find(std::string_view opType) const;

private:
  HostKernels();

  mutable ForkMutex mutex;
  std::map<std::string, HostKernel, std::less<>> kernels;
};

// What a family adds to an empty table.
void addAccumulatorKernels(HostKernels &kernels);
void addPlainKernels(HostKernels &kernels); // what needs nothing but the call
void addQueueKernels(HostKernels &kernels);
void addReaderKernels(HostKernels &kernels);
void addStageKernels(HostKernels &kernels);
void addStoredKernels(HostKernels &kernels);
void addTableKernels(HostKernels &kernels);
void addVariableKernels(HostKernels &kernels);

} // namespace kiln

#endif // KILN_LIB_SESSION_HOSTKERNELS_H
