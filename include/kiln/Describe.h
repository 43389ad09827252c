// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes, ops and what is wrong with nodes, in TensorFlow's words.
#ifndef KILN_DESCRIBE_H
#define KILN_DESCRIBE_H

#include "kiln/Graph.h"
#include "kiln/OpSchema.h"

#include <string>

namespace kiln {

/// "DT_FLOAT": the name in TensorFlow's messages.
KILN_EXPORT std::string dtypeEnumName(DType dtype);

/// "[DT_FLOAT, DT_INT32]", "\"SAME\"", "[2,?]": a value as TensorFlow's texts
/// have it. **Edges**: of 30 elements and more the first and last five; of
/// tensors up to three elements, of matrices none. **Source**:
/// SummarizeAttrValue; differs: long lists have no hash behind them.
KILN_EXPORT std::string describe(const AttrValue &value);
/// "Op<name=Neg; signature=x:T -> y:T; attr=T:type,allowed=[DT_HALF, ...]>".
/// **Source**: SummarizeOpDef.
KILN_EXPORT std::string describe(const OpSchema &op);

/// Returns the error of a shape function with the node and its input shapes, as
/// TensorFlow words it while a graph is built; other errors as they are.
KILN_EXPORT Status withShapes(const Status &error, const NodeSpec &spec);

} // namespace kiln

#endif // KILN_DESCRIBE_H
