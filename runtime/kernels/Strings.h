// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels on strings share: reading handles, making strings, stopping.
#ifndef KILN_RUNTIME_KERNELS_STRINGS_H
#define KILN_RUNTIME_KERNELS_STRINGS_H

#include "runtime/RunState.h"
#include "runtime/RunStrings.h"

#include <span>

namespace kiln {

/// One call of a kernel (KilnKernelFn in runtime/Abi.h). **Ownership**: borrows
/// everything; strings that it makes live as long as the run.
class StringKernel {
public:
  StringKernel(KilnRunState *state, int32_t node, const void *const *ins,
               void *const *outs, const int64_t *numbers) noexcept
      : state(state), node(node), ins(ins), outs(outs), numbers(numbers) {}

  int64_t number(int i) const noexcept { return numbers[i]; }
  template <class T> const T *input(int i) const noexcept {
    return static_cast<const T *>(ins[i]);
  }
  /// Element k of input i.
  std::string_view text(int i, int64_t k) const noexcept {
    return stringOf(input<StringHandle>(i)[k]).view();
  }
  template <class T> T *output(int i) const noexcept {
    return static_cast<T *>(outs[i]);
  }

  /// Makes a string of `size` bytes, which the caller writes. Returns false,
  /// with the error recorded, where there is no memory.
  bool make(size_t size, StringHandle &handle, char *&bytes) const noexcept;
  bool make(std::string_view text, StringHandle &handle) const noexcept;
  /// Records an error of the kernel's node; returns false.
  bool fail(ErrorKind kind, int64_t v0 = 0, int64_t v1 = 0,
            int64_t v2 = 0) const noexcept {
    recordError(state, kind, node, v0, v1, v2);
    return false;
  }

  bool fail(const StringLack &lack) const noexcept;
  /// As fail(); the message's {text} is element k of input i.
  bool failAt(ErrorKind kind, int i, int64_t k, int64_t v1 = 0,
              int64_t v2 = 0) const noexcept;

  /// Calls body(i) for i in [0, count) until it returns false or the run is to
  /// stop. Returns what a kernel does.
  template <class Body>
  int32_t forEach(int64_t count, Body &&body) const noexcept {
    constexpr int64_t elementsBetweenPolls = 1 << 12;
    for (int64_t i = 0; i < count; ++i)
      if ((i % elementsBetweenPolls == 0 && mustStop(state)) || !body(i))
        return 1;
    return mustStop(state);
  }

private:
  KilnRunState *state;
  int32_t node;
  const void *const *ins;
  void *const *outs;
  const int64_t *numbers;
};

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_STRINGS_H
