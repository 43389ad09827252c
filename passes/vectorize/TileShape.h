// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile of a contraction: what its code is made of, and how wide
// the panels are that its constant weights are packed in.
#ifndef KILN_PASSES_VECTORIZE_TILESHAPE_H
#define KILN_PASSES_VECTORIZE_TILESHAPE_H

#include "passes/vectorize/KernelBuilder.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

namespace kiln::passes {

/// Rows and registers of 16 lanes of a contraction's micro-kernel: the cheapest
/// one for the sizes that are known, or of those of one width.
struct TileShape {
  int64_t rows = 0, registers = 0;

  TileShape(mlir::Type element, std::optional<int64_t> allRows,
            std::optional<int64_t> allColumns, VectorRegisters available,
            std::optional<int64_t> onlyRegisters = {}) {
    // Registers that a vector of 16 lanes takes.
    int64_t words =
        std::max<int64_t>(reduction::lanes * element.getIntOrFloatBitWidth() /
                              8 / available.bytes,
                          1);
    int64_t maxSums = available.count * 3 / 4;
    double best = std::numeric_limits<double>::max();
    for (int64_t width : {4, 3, 2, 1, 5, 6, 7}) {
      if (onlyRegisters && width != *onlyRegisters)
        continue;
      // Rows of 17 places no lower tile divides; of a few rows, which may be
      // all there are, a tall one would compute most in vain.
      for (int64_t height = allRows ? 18 : 12; height > 0; --height) {
        // Sums, right operand and one element of the left one must fit into
        // the registers; a single row always does, by reading the right operand
        // where it is used.
        bool fits = height * width * words <= maxSums &&
                    (height + 1) * width * words < available.count;
        if (!fits && (height > 1 || width > 1))
          continue;
        double cost = countRows(allRows, height) *
                      count(allColumns, width * reduction::lanes) *
                      costOf(height, width * words);
        if (allRows && *allRows % height != 0)
          cost *= 1.03; // the remainder is as much code again
        if (cost < best * 0.999) {
          best = cost;
          rows = height;
          registers = width;
        }
      }
    }
  }
  int64_t columns() const { return registers * reduction::lanes; }

private:
  /// Products of one step of the micro-kernel, and what its loads cost beside
  /// them.
  static double costOf(int64_t height, int64_t width) {
    return height * width + 0.58 * width + 0.2 * height;
  }
  /// Tiles above each other. How many rows there are often only the run knows:
  /// then they are mostly a power of two, and few, as batches are.
  static double countRows(std::optional<int64_t> all, int64_t height) {
    if (all)
      return count(all, height);
    constexpr int64_t usual[] = {32, 64, 128, 256, 1000};
    double tiles = 0;
    for (int64_t rows : usual)
      tiles += 1000.0 / rows * count(rows, height) / std::size(usual);
    return tiles;
  }
  /// Tiles along a dimension.
  static double count(std::optional<int64_t> elements, int64_t size) {
    return elements ? std::max<double>(llvm::divideCeil(*elements, size), 1)
                    : 1000.0 / size;
  }
};

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_TILESHAPE_H
