// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making strings and reporting errors in kernels on strings.
#include "runtime/kernels/Strings.h"

#include <cstring>

namespace kiln {

bool StringKernel::make(size_t size, StringHandle &handle,
                        char *&bytes) const noexcept {
  StringLack lack;
  return context().strings->make(size, handle, bytes, lack) || fail(lack);
}

bool StringKernel::fail(const StringLack &lack) const noexcept {
  return fail(lack.kind, lack.values[0], lack.values[1], lack.values[2]);
}

bool StringKernel::failAt(ErrorKind kind, int i, int64_t k, int64_t v1,
                          int64_t v2) const noexcept {
  StringHandle handle = input<StringHandle>(i)[k];
  RunStrings &strings = *context().strings;
  StringLack lack;
  if (!strings.reserve(1, lack))
    return fail(lack);
  strings.keep(stringOf(handle));
  return fail(kind, static_cast<int64_t>(handle), v1, v2);
}

bool StringKernel::make(std::string_view text,
                        StringHandle &handle) const noexcept {
  char *bytes = nullptr;
  if (!make(text.size(), handle, bytes))
    return false;
  if (bytes)
    std::memcpy(bytes, text.data(), text.size());
  return true;
}

} // namespace kiln
