// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in parts, each a variable of its own, that are saved as one.
#ifndef KILN_PARTITIONEDVARIABLE_H
#define KILN_PARTITIONEDVARIABLE_H

#include "kiln/VariableScope.h"

#include <string>
#include <vector>

namespace kiln {

/// As many parts as the axis has room for. **Source**:
/// tf.fixed_size_partitioner.
KILN_EXPORT Partitioner fixedSizePartitioner(int64_t parts, int axis = 0);
/// Parts of at most so many bytes. **Source**:
/// tf.variable_axis_size_partitioner.
KILN_EXPORT Partitioner axisSizePartitioner(int64_t maxBytes, int axis = 0,
                                            int64_t bytesPerString = 16,
                                            int64_t maxParts = 0);
/// Parts of at least so many bytes. **Source**:
/// tf.min_max_variable_partitioner.
KILN_EXPORT Partitioner minMaxPartitioner(int64_t maxParts = 1, int axis = 0,
                                          int64_t minBytes = 256 << 10,
                                          int64_t bytesPerString = 16);

/// The parts NAME/part_0, NAME/part_1 …, whose sizes differ by one at most, the
/// larger ones first. The default is none. **Source**: PartitionedVariable.
class KILN_EXPORT PartitionedVariable {
public:
  PartitionedVariable() = default;
  PartitionedVariable(std::string name, Shape shape,
                      std::vector<Variable> parts, int axis)
      : fullName(std::move(name)), fullShape(std::move(shape)),
        variables(std::move(parts)), partitionAxis(axis) {}

  const std::string &name() const noexcept { return fullName; }
  const Shape &shape() const noexcept { return fullShape; }
  DType dtype() const noexcept {
    return variables.empty() ? DType::Invalid : variables[0].dtype();
  }
  const std::vector<Variable> &parts() const noexcept { return variables; }
  int axis() const noexcept { return partitionAxis; }
  /// The whole value: the parts behind one another. **Source**: as_tensor.
  Output asTensor() const;

private:
  std::string fullName;
  Shape fullShape;
  std::vector<Variable> variables;
  int partitionAxis = 0;
};

/// Finds or makes one, as getVariable() does. **Errors** of the graph:
/// INVALID_ARGUMENT with TensorFlow's texts, also for a shape that is not known
/// and for a partitioner that does not fit it. **Source**:
/// tf.get_variable(partitioner=...).
KILN_EXPORT PartitionedVariable
getPartitionedVariable(std::string_view name, const Partitioner &partitioner,
                       const GetVariableOptions &options = {});
/// Cut as the variable scope says, in one part where it does not.
KILN_EXPORT PartitionedVariable getPartitionedVariable(
    std::string_view name, const GetVariableOptions &options = {});

} // namespace kiln

#endif // KILN_PARTITIONEDVARIABLE_H
