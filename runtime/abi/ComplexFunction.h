// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of complex numbers that a kernel computes, by number.
#ifndef KILN_RUNTIME_ABI_COMPLEXFUNCTION_H
#define KILN_RUNTIME_ABI_COMPLEXFUNCTION_H

#include <cstdint>

namespace kiln {

enum class ComplexFunction : uint8_t { Asin, Acos, Atan, Asinh, Acosh, Atanh };

} // namespace kiln

#endif // KILN_RUNTIME_ABI_COMPLEXFUNCTION_H
