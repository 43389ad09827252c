// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a processor computes a product of matrices: the register tile, and what
// is packed. Chosen from the sizes that are known; emitted by
// passes/vectorize/Contraction.cpp.
#ifndef KILN_PASSES_SCHEDULE_CONTRACTIONSCHEDULE_H
#define KILN_PASSES_SCHEDULE_CONTRACTIONSCHEDULE_H

#include "passes/schedule/Schedule.h"

#include <optional>

namespace kiln::passes {

/// What is known of a product before the run.
struct ContractionSizes {
  mlir::Type element;
  /// Rows of the left factor; those of one run of them, which lie evenly apart;
  /// columns of the right factor; factors of a sum.
  std::optional<int64_t> rows, rowsOfRun, columns, depth;
  bool isRightTransposed = false; ///< [columns, depth], not [depth, columns]
  bool isLeftMatrix = false;      ///< rather than the windows of a tensor
  bool isLeftTransposed = false;  ///< its rows are neighbours in memory
  /// Elements from one row of the left matrix to the next, or, transposed, from
  /// one element of a row to the next.
  std::optional<int64_t> leftStride;
  /// The width of the panels that the right factor is packed in before the run;
  /// 0 for none.
  int64_t panelColumns = 0;
};

/// The micro-kernel: rows, and registers of 16 lanes.
struct TileShape {
  int64_t rows = 0, registers = 0;
  int64_t columns() const { return registers * lanes; }
};

/// The cheapest tile for `rowsOfRun` and `columns` of the sizes, as wide as the
/// panels where there are some.
TileShape chooseTile(const ContractionSizes &sizes, VectorRegisters available);

/// How the rows of the right factor come to a chunk.
enum class RightOperand {
  Panels, ///< packed ahead, before the run
  Packed, ///< each chunk packs the panel that it multiplies by
  Plain,  ///< from where they are
  Single, ///< the same, and all columns are one panel
};

struct ContractionSchedule {
  TileShape tile;
  RightOperand right = RightOperand::Plain;
  /// Whether all columns are one panel, wherever it is read from.
  bool isSinglePanel = false;
  /// Whether there are so few products that preparing for them would not pay.
  bool isSmall = false;
  /// Whether a chunk packs its rows of the left factor, tile by tile.
  bool packsLeft = false;
  /// Panels that a chunk of rows is multiplied by, one after the other.
  int64_t panelsOfItem = 1;
};

ContractionSchedule chooseContractionSchedule(const ContractionSizes &sizes,
                                              VectorRegisters available);

} // namespace kiln::passes

#endif // KILN_PASSES_SCHEDULE_CONTRACTIONSCHEDULE_H
