// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating-point state of work that is not a run: loading, building,
// compiling.
#ifndef KILN_LIB_SUPPORT_FLOATSTATE_H
#define KILN_LIB_SUPPORT_FLOATSTATE_H

#include <cfenv>

namespace kiln {

/// Sets C's default state (round to nearest, nothing flushed, no traps) and
/// restores the caller's, flags included, when it goes: numbers in a text, for
/// one, are not to depend on the caller's rounding. Thread safety: concerns the
/// thread that made it. **Cost**: about 100 ns.
class DefaultFloatState {
public:
  DefaultFloatState() noexcept {
    std::fegetenv(&saved);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatState() { std::fesetenv(&saved); }
  DefaultFloatState(const DefaultFloatState &) = delete;
  DefaultFloatState &operator=(const DefaultFloatState &) = delete;

private:
  std::fenv_t saved;
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_FLOATSTATE_H
