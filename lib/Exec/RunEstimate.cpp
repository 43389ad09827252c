// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products.
#include "lib/Exec/RunEstimate.h"

#include <limits>

namespace kiln {

void RunEstimate::add(const RunEstimate &other) {
  for (const auto &[symbols, ns] : other.terms)
    terms[symbols] += ns;
  known &= other.known;
}

double RunEstimate::evaluate(std::span<const int64_t> symbols) const {
  double total = 0;
  for (const auto &[factors, ns] : terms) {
    double product = ns;
    for (int64_t symbol : factors) {
      if (symbol < 0 || static_cast<uint64_t>(symbol) >= symbols.size())
        return std::numeric_limits<double>::infinity();
      product *= static_cast<double>(symbols[static_cast<size_t>(symbol)]);
    }
    total += product;
  }
  return total;
}

} // namespace kiln
