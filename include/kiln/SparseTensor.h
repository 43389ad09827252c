// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a graph that are mostly zeros, as the elements that are not.
#ifndef KILN_SPARSETENSOR_H
#define KILN_SPARSETENSOR_H

#include "kiln/Input.h"

#include <variant>

namespace kiln {

/// The elements of a tensor that are not 0, with the indices where they are, in
/// order. **Shapes**: indices: [n, rank], values: [n], denseShape: [rank].
/// **Types**: indices and denseShape are int64. **Source**: tf.SparseTensor.
struct SparseTensor {
  Output indices, values, denseShape;
  /// What is known of the shape beyond what the graph says of denseShape.
  Shape known = Shape::unknownRank();

  DType dtype() const { return values.node ? values.dtype() : DType::Invalid; }
};

/// A tensor, or a sparse one.
class TensorOrSparse {
public:
  template <class T>
    requires std::is_convertible_v<const T &, Input>
  TensorOrSparse(const T &tensor) : stored(Input(tensor)) {}
  TensorOrSparse(SparseTensor sparse) : stored(std::move(sparse)) {}

  /// The tensor of a graph that this is; without a node where it is none.
  Output output() const {
    const Input *given = tensor();
    return given && given->output() ? *given->output() : Output();
  }
  /// Null where it is sparse.
  const Input *tensor() const noexcept { return std::get_if<Input>(&stored); }
  /// Null where it is not.
  const SparseTensor *sparse() const noexcept {
    return std::get_if<SparseTensor>(&stored);
  }

private:
  std::variant<Input, SparseTensor> stored;
};

namespace ops {
using kiln::SparseTensor;

/// A sparse tensor of these parts, which become tensors in a scope
/// "SparseTensor". **Errors** of the graph: INVALID_ARGUMENT for shapes that do
/// not fit. **Source**: tf.SparseTensor.
KILN_EXPORT SparseTensor makeSparseTensor(const Input &indices,
                                          const Input &values,
                                          const Input &denseShape);
/// The shape, as far as the graph tells. **Source**: tf.SparseTensor.get_shape.
KILN_EXPORT Shape shapeOf(const SparseTensor &tensor);
} // namespace ops

} // namespace kiln

#endif // KILN_SPARSETENSOR_H
