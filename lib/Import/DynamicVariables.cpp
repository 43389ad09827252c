// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks for shapes on entry once an import, and joins what ways end with.
#include "lib/Import/DynamicVariables.h"

#include "lib/OpDefs/DeclaredVariables.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {

ImportedVariable variableOf(const Node &node, const CallPath &path) {
  DeclaredVariable declared = declaredVariable(node, path);
  ImportedVariable variable;
  variable.container = std::move(declared.container);
  variable.name = std::move(declared.name);
  variable.isResource = declared.isResource;
  variable.node = path.name + node.name();
  variable.dtype = declared.dtype;
  variable.shape = std::move(declared.shape);
  return variable;
}

ImportedVariable DynamicVariables::asDynamic(ImportedVariable declared) const {
  if (declared.shape.isFullyDefined() &&
      (madeDynamic.contains(keyOf(declared)) ||
       (shapes && shapes->isOpen(declared))))
    declared.shape = Shape::unknownRank();
  return declared;
}

StatusOr<int> DynamicVariables::declare(const ImportedVariable &variable,
                                        int firstFeed, DimSpace &space) {
  auto [found, isNew] =
      numbers.try_emplace(keyOf(variable), static_cast<int>(known.size()));
  const int number = found->second;
  if (isNew) {
    known.push_back({variable});
    if (shapes) {
      KILN_ASSIGN_OR_RETURN(known.back().onEntry, shapes->shapeOf(variable));
    }
  }
  if (!places.contains(number))
    places[number] = {entryShape(number, firstFeed, space)};
  return number;
}

SymShape DynamicVariables::entryShape(int number, int firstFeed,
                                      DimSpace &space) const {
  const Known &info = known[static_cast<size_t>(number)];
  SymShape shape = SymShape::unknownRank();
  if (info.onEntry.hasRank()) {
    shape.rankKnown = true;
    for (int d = 0; d < info.onEntry.rank(); ++d) {
      const Shape &declared = info.variable.shape;
      bool isOpen = !declared.hasRank() || declared.dim(d) == Shape::unknownDim;
      shape.dims.push_back(
          isOpen ? space.feedDim(firstFeed + number, d, info.onEntry.dim(d))
                 : Dim::known(info.onEntry.dim(d)));
    }
  }
  return shape;
}

void DynamicVariables::join(const Places &other) {
  for (const auto &[number, shaped] : other) {
    auto [own, isNew] = places.try_emplace(number, shaped);
    if (isNew || own->second == shaped)
      continue;
    if (own->second.shape != shaped.shape)
      own->second.shape = SymShape::unknownRank();
    // What is behind depends on what one of the ways has not changed.
    if (!own->second.isWritten || !shaped.isWritten)
      known[static_cast<size_t>(number)].isAsked = true;
    own->second.isWritten = true;
    if (!own->second.writer)
      own->second.writer = shaped.writer;
  }
}

std::vector<OpenShape> DynamicVariables::take() const {
  std::vector<OpenShape> list;
  for (const Known &info : known) {
    OpenShape &open = list.emplace_back();
    open.variable = info.variable;
    open.isUsed = info.isAsked;
    if (info.onEntry.hasRank())
      open.rank = info.onEntry.rank();
  }
  return list;
}

} // namespace kiln
