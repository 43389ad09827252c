// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code depends on beside its source.
#ifndef KILN_LIB_JIT_CODEKEY_H
#define KILN_LIB_JIT_CODEKEY_H

#include "kiln/CodeOptions.h"
#include "kiln/Status.h"
#include "lib/Compiled/Digest.h"

#include <string>

namespace kiln {

/// Two compilations of the same IR by the same build of Kiln under equal keys
/// make the same code: the key of kernels that a process shares, and, together
/// with buildIdentity(), of code that is stored.
struct CodeKey {
  /// CodeBackend::name() and CodeBackend::target().
  std::string backend;
  Digest target = {};
  CodeOptions code;
  bool isInspected = false;
  /// CompileOptions::unroll.
  int64_t unroll = 0;

  /// A digest of all fields.
  Digest digest() const;
};

/// The key under these options of what codeBackend() would make.
/// **Errors**: INVALID_ARGUMENT for a limit of the processor that is none.
StatusOr<CodeKey> codeKey(const CodeOptions &code);

/// **Errors**: INVALID_ARGUMENT for a number that is less than the least that
/// kiln/CodeOptions.def has for it.
Status checkCodeOptions(const CodeOptions &code);

} // namespace kiln

#endif // KILN_LIB_JIT_CODEKEY_H
