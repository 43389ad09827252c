// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of tensors that loops read and write element by element.
#ifndef KILN_TENSORARRAY_H
#define KILN_TENSORARRAY_H

#include "kiln/OpOptions.h"

#include <memory>
#include <optional>

namespace kiln {

struct TensorArrayOptions {
  /// Grows to the largest index that is written.
  bool dynamicSize = false;
  bool clearAfterRead = true;
  /// Whether all elements are of one shape, that of the first.
  bool inferShape = true;
  Shape elementShape = Shape::unknownRank();
  std::string tensorArrayName = {};
  std::string name = {};
  /// Whether its writes stand where the first value that is written does.
  bool colocatesWithFirstWrite = true;
};

/// An array of tensors that lives as long as a run. What orders its operations
/// is the flow, a scalar: each write gives an array of a new flow, which a loop
/// carries as one of its variables and takes up again with withFlow(). Its
/// writes stand where the first value that is written does. With control flow
/// version 2, and in bodies of functions, it is a list: the flow holds it, and
/// there is no handle.
/// **Ownership**: a plain value. **Source**: tf.TensorArray.
class KILN_EXPORT TensorArray {
public:
  TensorArray(DType dtype, const Input &size,
              const TensorArrayOptions &options = {});
  /// The array of a handle that is there.
  TensorArray(DType dtype, const Output &handle, const Output &flow);

  DType dtype() const noexcept { return elementType; }
  const Output &handle() const noexcept { return arrayHandle; }
  const Output &flow() const noexcept { return arrayFlow; }
  /// What is known of every element.
  const Shape &elementShape() const noexcept { return facts->element; }
  /// The same array after other operations.
  TensorArray withFlow(const Output &flow) const;

  Output read(const Input &index, const OpOptions &options = {}) const;
  TensorArray write(const Input &index, const Input &value,
                    const OpOptions &options = {}) const;
  /// All elements behind one another. **Shapes**: `[size, …]`.
  Output stack(const OpOptions &options = {}) const;
  Output gather(const Input &indices, const OpOptions &options = {}) const;
  /// All elements as one tensor along their first dimension.
  Output concat(const OpOptions &options = {}) const;
  /// Writes each row of a tensor.
  TensorArray unstack(const Input &value, const OpOptions &options = {}) const;
  TensorArray scatter(const Input &indices, const Input &value,
                      const OpOptions &options = {}) const;
  /// Writes `lengths[i]` rows to element i.
  TensorArray split(const Input &value, const Input &lengths,
                    const OpOptions &options = {}) const;
  Output size(const OpOptions &options = {}) const;
  const Node *close(const OpOptions &options = {}) const;
  /// The array of gradients of a source, whose writes add up; not of a list.
  TensorArray grad(std::string_view source, const Output &flow) const;

private:
  /// What all arrays of one handle know.
  struct Facts {
    Shape element;
    /// What writes are put beside; nothing yet, or never.
    Output firstWrite = {};
    bool colocates = true;
    /// Where it is known and stays.
    std::optional<Input> size = {};
    bool isDynamic = false;
  };
  bool isList() const noexcept { return !arrayHandle.node && arrayFlow.node; }
  /// Adds an op on the list that the flow holds.
  Output listOp(std::string_view op, const std::string &name,
                std::vector<Input> inputs, AttrMap attrs = {}) const;
  /// Takes note of what is known of an element.
  void merge(const Shape &shape) const;
  /// Adds an op that reads elements, whose result has this shape.
  Output readOp(std::string_view op, const std::string &name,
                std::vector<Input> inputs, AttrMap attrs,
                const Shape &shape) const;
  TensorArray writeOp(std::string_view op, const std::string &name,
                      const Output &value, std::vector<Input> inputs) const;

  DType elementType;
  bool inferShape = true;
  Output arrayHandle, arrayFlow;
  std::shared_ptr<Facts> facts;
};

} // namespace kiln

#endif // KILN_TENSORARRAY_H
