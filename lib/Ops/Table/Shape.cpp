// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles say what keys and values the table behind them has.
#include "lib/Ops/Table/Shape.h"

namespace kiln::shapes {
namespace {

enum { keyOf, valueOf };

/// The shape of the table's keys or values; unknown where the table is.
SymShape shapeIn(const InferenceContext &context, size_t which) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  return handle && which < handle->components.size()
             ? handle->components[which].shape
             : SymShape::unknownRank();
}

} // namespace

Status inferTable(InferenceContext &context) {
  const bool isRef = context.def().givesRef();
  context.setOutputShape(0, isRef ? SymShape::of({Dim::known(2)})
                                  : SymShape::scalar());
  SymShape keys = SymShape::scalar(), values = SymShape::scalar();
  if (context.numInputs() > 0) {
    context.setOutputShape(0, SymShape::scalar());
    keys = context.inputShape(0);
  }
  if (context.def().findAttr("value_shape"))
    values = context.shapeAttr("value_shape");
  HandleInfo handle;
  handle.components.push_back({context.typeAttr("key_dtype"), keys});
  handle.components.push_back({context.typeAttr("value_dtype"), values});
  context.setOutputHandle(0, std::move(handle));
  return okStatus();
}

/// A value for each key.
Status inferTableFind(InferenceContext &context) {
  SymShape keys = context.inputShape(1), key = shapeIn(context, keyOf),
           value = shapeIn(context, valueOf);
  if (!keys.rankKnown || !key.rankKnown || !value.rankKnown ||
      keys.rank() < key.rank()) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  keys.dims.resize(static_cast<size_t>(keys.rank() - key.rank()));
  keys.dims.insert(keys.dims.end(), value.dims.begin(), value.dims.end());
  context.setOutputShape(0, std::move(keys));
  return okStatus();
}

Status inferTableSize(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferTableExport(InferenceContext &context) {
  for (size_t which : {keyOf, valueOf}) {
    SymShape shape = shapeIn(context, which);
    if (shape.rankKnown)
      shape.dims.insert(shape.dims.begin(), Dim::unknown());
    context.setOutputShape(static_cast<int>(which), std::move(shape));
  }
  return okStatus();
}

Status inferTableNothing(InferenceContext &) { return okStatus(); }

} // namespace kiln::shapes
