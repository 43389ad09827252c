// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates what regions cost.
#include "lib/Compiled/CodeLayout.h"

namespace kiln {

int64_t CostFormula::evaluate(std::span<const int64_t> symbols) const {
  int64_t sum = 0;
  for (const Term &term : terms) {
    int64_t product = term.factor;
    for (int64_t symbol : term.symbols)
      if (__builtin_mul_overflow(product, symbols[static_cast<size_t>(symbol)],
                                 &product))
        return INT64_MAX;
    if (__builtin_add_overflow(sum, product, &sum))
      return INT64_MAX;
  }
  return sum;
}

} // namespace kiln
