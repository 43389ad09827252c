// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels on strings share: reading handles, making strings, stopping.
#ifndef KILN_RUNTIME_KERNELS_STRINGS_H
#define KILN_RUNTIME_KERNELS_STRINGS_H

#include "runtime/kernels/KernelCall.h"
#include "runtime/memory/RunStrings.h"

#include <string_view>

namespace kiln {

/// One call of a kernel that reads or makes strings; those that it makes live
/// as long as the run.
class StringKernel : public KernelCall {
public:
  using KernelCall::fail;
  using KernelCall::KernelCall;

  /// Element k of input i.
  std::string_view text(int i, int64_t k) const noexcept {
    return stringOf(input<StringHandle>(i)[k]).view();
  }

  /// Makes a string of `size` bytes, which the caller writes. Returns false,
  /// with the error recorded, where there is no memory.
  bool make(size_t size, StringHandle &handle, char *&bytes) const noexcept;
  bool make(std::string_view text, StringHandle &handle) const noexcept;

  bool fail(const StringLack &lack) const noexcept;
  /// As fail(); the message's {text} is element k of input i.
  bool failAt(ErrorKind kind, int i, int64_t k, int64_t v1 = 0,
              int64_t v2 = 0) const noexcept;
};

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_STRINGS_H
