// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes of processors that a hot loop of the runtime is compiled for: one
// source, one function a class, chosen when it runs, without ifuncs (which
// sanitizers and static linking do not like).
#ifndef KILN_RUNTIME_ARITHMETIC_CPUVARIANTS_H
#define KILN_RUNTIME_ARITHMETIC_CPUVARIANTS_H

#include <string>

namespace kiln {

enum class CpuVariant { Avx512, Avx2, Plain };

#if defined(__x86_64__)
#define KILN_TARGET_AVX512                                                     \
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi2")]]
#define KILN_TARGET_AVX2 [[gnu::target("avx2,fma,bmi2")]]
/// Expands F(name of the variant, its target attribute) for each.
#define KILN_FOR_EACH_CPU_VARIANT(F)                                           \
  F(Avx512, KILN_TARGET_AVX512)                                                \
  F(Avx2, KILN_TARGET_AVX2)                                                    \
  F(Plain, )
/// Processors that multiply bytes and add four products at once.
#define KILN_TARGET_VNNI                                                       \
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,"      \
                "bmi2")]]
/// That of loops for which two variants are enough.
#define KILN_TARGET_WIDE KILN_TARGET_AVX2
#else
#define KILN_TARGET_WIDE
#define KILN_FOR_EACH_CPU_VARIANT(F) F(Plain, )
#endif

/// What the environment variable KILN_CPU_LIMIT says at the first call:
/// a level of x86-64 ("x86-64-v3": AVX2 without AVX-512, "x86-64-v2": SSE4.2),
/// and neither these loops nor code that is made use what it lacks. Empty: all
/// that this processor can do.
const std::string &cpuLimit();

/// The best variant for this processor, within cpuLimit().
CpuVariant cpuVariant();

/// Whether code for KILN_TARGET_WIDE runs here.
inline bool isWideCpu() { return cpuVariant() != CpuVariant::Plain; }

/// Whether code for KILN_TARGET_VNNI runs here.
bool isVnniCpu();

} // namespace kiln

#endif // KILN_RUNTIME_ARITHMETIC_CPUVARIANTS_H
