// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A union-find whose last steps can be taken back.
#include "passes/analysis/DimClasses.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

int DimClasses::add(const Extent &extent) {
  int dim = size();
  extents.push_back(extent);
  parents.push_back(dim);
  walked.emplace_back();
  return dim;
}

int DimClasses::find(int dim) {
  while (parents[dim] != dim)
    dim = parents[dim] = parents[parents[dim]];
  return dim;
}

bool DimClasses::unite(int a, int b) {
  if (isUnit(a) || isUnit(b))
    return true;
  if (extents[a] != extents[b])
    return false;
  parents[find(a)] = find(b);
  return true;
}

bool DimClasses::setValues(SmallVector<ArrayRef<int>> dimsOfValues) {
  values = std::move(dimsOfValues);
  // No path is longer than one step now, and find() shortens none behind the
  // back of what is taken back.
  for (int dim = 0, end = size(); dim < end; ++dim)
    parents[dim] = find(dim);
  walked.assign(extents.size(), {});
  for (auto [value, dims] : llvm::enumerate(values))
    for (int dim : dims) {
      if (isUnit(dim))
        continue;
      auto &own = walked[parents[dim]];
      int number = value;
      if (!own.empty() && own.back() == number)
        return false;
      own.push_back(number);
    }
  return true;
}

int DimClasses::rootOf(int dim) const {
  while (parents[dim] != dim)
    dim = parents[dim];
  return dim;
}

bool DimClasses::walks(int root, int value) const {
  return llvm::any_of(values[value], [&](int dim) {
    return !isUnit(dim) && rootOf(dim) == root;
  });
}

void DimClasses::tryUnite(ArrayRef<int> as, ArrayRef<int> bs) {
  struct Step {
    int from, to;
    size_t walked; ///< by `to` before
  };
  SmallVector<Step, 4> steps;
  for (auto [a, b] : llvm::zip_equal(as, bs)) {
    if (isUnit(a) || isUnit(b))
      continue;
    int to = rootOf(a), from = rootOf(b);
    if (to == from)
      continue;
    if (walked[from].size() > walked[to].size())
      std::swap(from, to);
    auto conflicts = [&, to = to](int value) { return walks(to, value); };
    if (extents[a] != extents[b] || llvm::any_of(walked[from], conflicts)) {
      for (const Step &step : llvm::reverse(steps)) {
        parents[step.from] = step.from;
        walked[step.to].resize(step.walked);
      }
      return;
    }
    steps.push_back({from, to, walked[to].size()});
    parents[from] = to;
    llvm::append_range(walked[to], walked[from]);
  }
}

} // namespace kiln::passes
