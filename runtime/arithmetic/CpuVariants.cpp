// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the processor, and the environment how much of it may be used.
#include "runtime/arithmetic/CpuVariants.h"

#include <cstdlib>
#include <string_view>

namespace kiln {

const std::string &cpuLimit() {
  static const std::string &limit = *[] {
    const char *text = nullptr;
#if defined(__x86_64__) // levels are those of x86-64
    text = std::getenv("KILN_CPU_LIMIT");
#endif
    return new std::string(text ? text : "");
  }();
  return limit;
}

#if defined(__x86_64__)
/// Names of levels stand in the order of what they have.
static bool mayUse(std::string_view level) {
  return cpuLimit().empty() || cpuLimit() >= level;
}

static CpuVariant bestVariant() {
  if (!mayUse("x86-64-v3") || !__builtin_cpu_supports("avx2") ||
      !__builtin_cpu_supports("fma"))
    return CpuVariant::Plain;
  if (mayUse("x86-64-v4") && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return CpuVariant::Avx512;
  return CpuVariant::Avx2;
}
#else
static CpuVariant bestVariant() { return CpuVariant::Plain; }
#endif

bool isVnniCpu() {
#if defined(__x86_64__)
  return cpuVariant() == CpuVariant::Avx512 &&
         __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

CpuVariant cpuVariant() {
  static const CpuVariant best = bestVariant();
  return best;
}

} // namespace kiln
