// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program computes with where it asked for a variable by its name.
#ifndef KILN_WEIGHT_H
#define KILN_WEIGHT_H

#include "kiln/PartitionedVariable.h"

#include <string_view>
#include <variant>
#include <vector>

namespace kiln {

/// A variable, a variable in parts, or a tensor that a custom getter or a
/// program put in its place. The default is none. As an input it is its value;
/// parts are put together where it is used.
class KILN_EXPORT Weight {
public:
  Weight() = default;
  Weight(Variable variable) : held(std::move(variable)) {}
  Weight(PartitionedVariable variable) : held(std::move(variable)) {}
  Weight(Output tensor) : held(tensor) {}

  bool isValid() const;
  /// Null where it is another of the three.
  const Variable *variable() const noexcept {
    return std::get_if<Variable>(&held);
  }
  const PartitionedVariable *partitioned() const noexcept {
    return std::get_if<PartitionedVariable>(&held);
  }
  const Output *tensor() const noexcept { return std::get_if<Output>(&held); }
  /// The variable, or its parts; none of a tensor.
  std::vector<Variable> variables() const;

  const Shape &shape() const;
  DType dtype() const;
  Input input() const;
  operator Input() const { return input(); }

private:
  std::variant<Variable, PartitionedVariable, Output> held;
};

/// As getVariable(), but whatever the variable scope makes of it: a variable,
/// one in parts where the scope or the options cut it, or what a custom getter
/// gives. **Source**: tf.get_variable.
KILN_EXPORT Weight getWeight(std::string_view name,
                             const GetVariableOptions &options = {});

} // namespace kiln

#endif // KILN_WEIGHT_H
