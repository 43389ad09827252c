// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the evaluator would take for a run, by the run's extents.
#ifndef KILN_LIB_EXEC_RUNESTIMATE_H
#define KILN_LIB_EXEC_RUNESTIMATE_H

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace kiln {

/// A sum of products of nanoseconds and symbols of the executable.
class RunEstimate {
public:
  /// Symbols in a product, in ascending order.
  using Symbols = std::vector<int64_t>;

  void add(double ns, const Symbols &symbols = {}) { terms[symbols] += ns; }
  void add(const RunEstimate &other);
  /// Adds what only the run itself knows.
  void addUnknown() { known = false; }
  /// False where there is more than evaluate() gives.
  bool isKnown() const { return known; }

  /// What is known of it. **Edges**: infinity for a symbol without a value.
  double evaluate(std::span<const int64_t> symbols) const;

private:
  std::map<Symbols, double> terms;
  bool known = true;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_RUNESTIMATE_H
