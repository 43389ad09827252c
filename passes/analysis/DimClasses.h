// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimensions of a nest's values one loop walks: classes that are united,
// first by what the ops demand, then by taste.
#ifndef KILN_PASSES_ANALYSIS_DIMCLASSES_H
#define KILN_PASSES_ANALYSIS_DIMCLASSES_H

#include "dialect/Types.h"

#include "llvm/ADT/SmallVector.h"

namespace kiln::passes {

/// Classes of dimensions, which are numbered from 0. Dimensions of extent 1
/// have no loop and belong to no class but their own.
class DimClasses {
public:
  const ir::Extent &extent(int dim) const { return extents[dim]; }
  bool isUnit(int dim) const { return extents[dim].isKnown(1); }
  int size() const { return extents.size(); }

  int add(const ir::Extent &extent);
  int find(int dim);
  /// False where the extents differ.
  bool unite(int a, int b);

  /// Tells which values there are, by their dimensions, before tryUnite().
  /// False where one class walks two dimensions of a value.
  bool setValues(llvm::SmallVector<llvm::ArrayRef<int>> dimsOfValues);
  /// Unites all pairs or, where extents differ or one class would walk two
  /// dimensions of a value, none. Looks at the values of the smaller class
  /// alone: a value that thousands of ops use would be looked at thousands of
  /// times.
  void tryUnite(llvm::ArrayRef<int> as, llvm::ArrayRef<int> bs);

private:
  int rootOf(int dim) const;
  bool walks(int root, int value) const;

  llvm::SmallVector<ir::Extent> extents;
  llvm::SmallVector<int> parents;
  llvm::SmallVector<llvm::ArrayRef<int>> values;
  /// The values with a dimension of a class, by the class's root.
  llvm::SmallVector<llvm::SmallVector<int, 1>> walked;
};

} // namespace kiln::passes

#endif // KILN_PASSES_ANALYSIS_DIMCLASSES_H
