// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and concatenations of strings, element by element.
#include "runtime/kernels/Strings.h"

#include "runtime/Symbols.h"

#include <cstring>

namespace kiln {

bool StringKernel::make(size_t size, StringHandle &handle,
                        char *&bytes) const noexcept {
  RunStrings &strings = *static_cast<RunContext *>(state->context)->strings;
  StringLack lack;
  return strings.make(size, handle, bytes, lack) || fail(lack);
}

bool StringKernel::fail(const StringLack &lack) const noexcept {
  return fail(lack.kind, lack.values[0], lack.values[1], lack.values[2]);
}

bool StringKernel::failAt(ErrorKind kind, int i, int64_t k, int64_t v1,
                          int64_t v2) const noexcept {
  StringHandle handle = input<StringHandle>(i)[k];
  RunStrings &strings = *static_cast<RunContext *>(state->context)->strings;
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

using kiln::StringHandle;
using kiln::StringKernel;

int32_t kilnStringEqual(KilnRunState *state, int32_t node,
                        const void *const *ins, void *const *outs,
                        const int64_t *numbers) noexcept {
  StringKernel kernel(state, node, ins, outs, numbers);
  const auto *x = kernel.input<StringHandle>(0),
             *y = kernel.input<StringHandle>(1);
  bool negate = kernel.number(3) != 0;
  return kernel.forEach(kernel.number(2), [&](int64_t i) {
    bool isEqual = kiln::stringOf(x[i]) == kiln::stringOf(y[i]);
    kernel.output<bool>(0)[i] = isEqual != negate;
    return true;
  });
}

int32_t kilnStringConcat(KilnRunState *state, int32_t node,
                         const void *const *ins, void *const *outs,
                         const int64_t *numbers) noexcept {
  StringKernel kernel(state, node, ins, outs, numbers);
  return kernel.forEach(kernel.number(2), [&](int64_t i) {
    std::string_view x = kernel.text(0, i), y = kernel.text(1, i);
    StringHandle &out = kernel.output<StringHandle>(0)[i];
    if (x.empty() || y.empty()) {
      out = kernel.input<StringHandle>(x.empty() ? 1 : 0)[i];
      return true;
    }
    char *bytes = nullptr;
    if (!kernel.make(x.size() + y.size(), out, bytes))
      return false;
    std::memcpy(bytes, x.data(), x.size());
    std::memcpy(bytes + x.size(), y.data(), y.size());
    return true;
  });
}
