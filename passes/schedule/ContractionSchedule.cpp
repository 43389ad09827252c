// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weighs register tiles by what their steps cost.
#include "passes/schedule/ContractionSchedule.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

namespace kiln::passes {
namespace {

constexpr int64_t maxSmallProduct = 1 << 16;
/// Packing for fewer rows than these costs more than it saves.
constexpr int64_t minPackedRows = 24;

/// Rows so many bytes apart, or a multiple of that, begin in every 16th or 32nd
/// set of a cache with 64 sets of 64 bytes.
constexpr int64_t every16thSet = 1024, every32ndSet = 2048;
/// Columns for which rows of the left factor are packed once.
constexpr int64_t columnsOfPackedRows = 256;

/// Products of one step of the micro-kernel, and what its loads cost beside
/// them.
double costOf(int64_t height, int64_t width) {
  return height * width + 0.58 * width + 0.2 * height;
}

/// Tiles along a dimension.
double count(std::optional<int64_t> elements, int64_t size) {
  return elements ? std::max<double>(llvm::divideCeil(*elements, size), 1)
                  : 1000.0 / size;
}

/// Tiles above each other. How many rows there are often only the run knows:
/// then they are mostly a power of two, and few, as batches are.
double countRows(std::optional<int64_t> all, int64_t height) {
  if (all)
    return count(all, height);
  constexpr int64_t usual[] = {32, 64, 128, 256, 1000};
  double tiles = 0;
  for (int64_t rows : usual)
    tiles += 1000.0 / rows * count(rows, height) / std::size(usual);
  return tiles;
}

/// Less than a few microseconds for a product of two matrices.
bool isSmallProduct(llvm::ArrayRef<int64_t> counts) {
  int64_t multiplications = 1;
  for (int64_t count : counts) {
    if (count > maxSmallProduct)
      return false;
    multiplications *= count;
  }
  return multiplications <= maxSmallProduct;
}

/// Whether packing the left factor's rows pays. Where they lie a power of two
/// apart, those of a tile are sent to a few sets of the cache. A narrow tile
/// walks them more often: there packing also pays for neighbouring rows, of
/// which each step would read from another line.
bool shouldPackLeft(const ContractionSizes &sizes, bool isNarrow) {
  if (!sizes.isLeftMatrix)
    return false;
  const int64_t bytes = sizes.element.getIntOrFloatBitWidth() / 8;
  auto isMultipleOf = [&](int64_t apart) {
    return sizes.leftStride.value_or(0) != 0 &&
           *sizes.leftStride * bytes % apart == 0;
  };
  auto hasColumns = [&](int64_t least) {
    return sizes.columns.value_or(least) >= least;
  };
  if (sizes.isLeftTransposed)
    return (isMultipleOf(every16thSet) && hasColumns(lanes * 2)) ||
           (isNarrow && hasColumns(columnsOfPackedRows / 2));
  return isNarrow && isMultipleOf(every32ndSet) &&
         hasColumns(columnsOfPackedRows) &&
         sizes.rows.value_or(minPackedRows) >= minPackedRows;
}

} // namespace

TileShape chooseTile(const ContractionSizes &sizes, VectorRegisters available) {
  // Registers that a vector of 16 lanes takes.
  int64_t words = std::max<int64_t>(
      lanes * sizes.element.getIntOrFloatBitWidth() / 8 / available.bytes, 1);
  int64_t maxSums = available.count * 3 / 4;
  double best = std::numeric_limits<double>::max();
  TileShape tile;
  for (int64_t width : {4, 3, 2, 1, 5, 6, 7}) {
    if (sizes.panelColumns != 0 && width * lanes != sizes.panelColumns)
      continue;
    // Rows of 17 places no lower tile divides; of a few rows, which may be
    // all there are, a tall one would compute most in vain.
    for (int64_t height = sizes.rowsOfRun ? 18 : 12; height > 0; --height) {
      // Sums, right operand and one element of the left one must fit into
      // the registers; a single row always does, by reading the right operand
      // where it is used.
      bool fits = height * width * words <= maxSums &&
                  (height + 1) * width * words < available.count;
      if (!fits && (height > 1 || width > 1))
        continue;
      double cost = countRows(sizes.rowsOfRun, height) *
                    count(sizes.columns, width * lanes) *
                    costOf(height, width * words);
      if (sizes.rowsOfRun && *sizes.rowsOfRun % height != 0)
        cost *= 1.03; // the remainder is as much code again
      if (cost < best * 0.999) {
        best = cost;
        tile = {height, width};
      }
    }
  }
  return tile;
}

ContractionSchedule chooseContractionSchedule(const ContractionSizes &sizes,
                                              VectorRegisters available) {
  ContractionSchedule schedule;
  schedule.tile = chooseTile(sizes, available);
  schedule.isSinglePanel =
      sizes.columns && *sizes.columns <= schedule.tile.columns();
  const bool hasFewRows = sizes.rows && *sizes.rows <= minPackedRows;
  if (sizes.panelColumns != 0)
    schedule.right = RightOperand::Panels;
  else if (sizes.isRightTransposed || (!schedule.isSinglePanel && !hasFewRows))
    schedule.right = RightOperand::Packed;
  else if (schedule.isSinglePanel)
    schedule.right = RightOperand::Single;
  schedule.isSmall =
      sizes.rows && sizes.columns && sizes.depth &&
      isSmallProduct({*sizes.rows, *sizes.columns, *sizes.depth});
  schedule.packsLeft =
      !schedule.isSmall && shouldPackLeft(sizes, available.bytes < 64);
  if (schedule.packsLeft && !schedule.isSinglePanel) {
    schedule.panelsOfItem =
        llvm::divideCeil(columnsOfPackedRows, schedule.tile.columns());
    if (sizes.columns) { // evenly
      int64_t panels =
          llvm::divideCeil(*sizes.columns, schedule.tile.columns());
      schedule.panelsOfItem = llvm::divideCeil(
          panels, llvm::divideCeil(panels, schedule.panelsOfItem));
    }
  }
  return schedule;
}

} // namespace kiln::passes
