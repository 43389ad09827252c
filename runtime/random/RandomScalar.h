// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills arrays with the outputs of a random op, for the evaluator and for
// runtime calls; the same values as runtime/random/Random.h gives element by
// element, in any split into pieces.
//
// Thread safety: functions of their arguments alone. No allocation.
#ifndef KILN_RUNTIME_RANDOM_RANDOMSCALAR_H
#define KILN_RUNTIME_RANDOM_RANDOMSCALAR_H

#include "runtime/random/Random.h"

namespace kiln::random {

/// Outputs first, first + 1, ... of RandomUniform.
void fillUniform(const PhiloxState &state, std::span<float> out,
                 int64_t first = 0);
void fillUniform(const PhiloxState &state, std::span<double> out,
                 int64_t first = 0);

/// The same of RandomUniformInt, in [low, high). The caller has checked low <
/// high.
void fillUniformInt(const PhiloxState &state, int32_t low, int32_t high,
                    std::span<int32_t> out, int64_t first = 0);
void fillUniformInt(const PhiloxState &state, int64_t low, int64_t high,
                    std::span<int64_t> out, int64_t first = 0);

/// The same of RandomStandardNormal.
void fillNormal(const PhiloxState &state, std::span<float> out,
                int64_t first = 0);
void fillNormal(const PhiloxState &state, std::span<double> out,
                int64_t first = 0);

/// The same of TruncatedNormal: normal numbers of magnitude below 2.
void fillTruncatedNormal(const PhiloxState &state, std::span<float> out,
                         int64_t first = 0);
void fillTruncatedNormal(const PhiloxState &state, std::span<double> out,
                         int64_t first = 0);

/// The four words of the sample at the state: for ops that draw words in
/// sequence (shuffle, multinomial).
std::array<uint32_t, 4> philoxWords(const PhiloxState &state);

} // namespace kiln::random

#endif // KILN_RUNTIME_RANDOM_RANDOMSCALAR_H
