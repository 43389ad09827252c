// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in the process, and the kernels that it calls.
#ifndef KILN_LIB_COMPILED_LINKEDCODE_H
#define KILN_LIB_COMPILED_LINKEDCODE_H

#include "kiln/Status.h"
#include "lib/Compiled/CodeLayout.h"
#include "runtime/abi/Abi.h"

#include <cstddef>
#include <vector>

namespace kiln {

/// Code that is ready to run. **Ownership**: the code is freed with the handle;
/// every run that may be inside it holds one. Freed code traps.
class LinkedCode {
public:
  virtual ~LinkedCode() = default;
  /// A KilnEntryFn of runtime/abi/Abi.h: a call launches the code, and comes
  /// back when its run may go on.
  virtual void *entry() const noexcept = 0;
  /// Bytes of the pages that the code and its constants take.
  virtual size_t bytes() const noexcept = 0;
};

/// Finds the kernels that code calls, by their places in its table.
/// **Errors**: INTERNAL, with the node, for a name that the registry lacks.
Status bindKernels(const CodeLayout &layout, std::vector<KilnKernelFn> &table);

} // namespace kiln

#endif // KILN_LIB_COMPILED_LINKEDCODE_H
