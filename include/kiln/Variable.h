// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables: nodes that keep a value between the runs of a session.
#ifndef KILN_VARIABLE_H
#define KILN_VARIABLE_H

#include "kiln/GraphBuilder.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace kiln {

/// A function that makes a variable's first value, in the scope
/// NAME/Initializer.
class InitialValue {
public:
  template <class F>
    requires(std::is_invocable_r_v<Output, F &> &&
             !std::is_convertible_v<const F &, Input>)
  InitialValue(F function) : function(std::move(function)) {}
  Output operator()() const { return function(); }
  /// The function, where it is of this type.
  template <class F> const F *target() const noexcept {
    return function.template target<F>();
  }

private:
  std::function<Output()> function;
};

class Variable;

/// What a variable becomes after a step of an optimizer: a tensor of its shape.
/// An empty one changes nothing. **Source**: tf.get_variable(constraint=...).
using Constraint = std::function<Output(const Variable &variable)>;

struct VariableOptions {
  bool trainable = true;
  /// The value's type; that of the initial value where it is Invalid.
  DType dtype = DType::Invalid;
  /// "Variable" where it is empty.
  std::string name = {};
  /// False: an assignment may change the shape.
  bool validateShape = true;
  /// Nothing: "variables". Trainable ones go to "trainable_variables" too.
  std::optional<std::vector<std::string>> collections = {};
  /// A handle with ops that read and write it, instead of a reference; nothing:
  /// as the graph says (useResourceVariables()).
  std::optional<bool> useResource = {};
  /// Declared; the value's where its rank is unknown.
  Shape shape = Shape::unknownRank();
  Constraint constraint = {};
};

/// Where a part of a partitioned variable lies in the whole, which checkpoints
/// have under one name. **Source**: Variable.SaveSliceInfo.
struct VariableSlice {
  std::string fullName;
  Shape fullShape;
  std::vector<int64_t> offset;
  Shape shape;
  /// "5 2 0,3:0,2": the slice as checkpoints name it.
  KILN_EXPORT std::string spec() const;
};

struct AssignOptions {
  bool validateShape = true;
  /// For a reference variable; nothing: false (ops::assign()).
  std::optional<bool> useLocking = {};
  std::string name = {};
};

/// An assignment. As an input, or where an Output is wanted, it is the variable
/// as the assignment left it: the reference, or a new read after it.
class KILN_EXPORT Assignment {
public:
  Assignment() = default;
  Assignment(Output reference, std::shared_ptr<const VariableData> unread,
             const Node *assigned)
      : reference(reference), unread(std::move(unread)), assigned(assigned) {}

  /// The node that assigns; null after an error.
  const Node *operation() const noexcept { return assigned; }
  /// **Edges**: of a handle each call adds a read.
  Output value() const;
  operator Output() const { return value(); }
  /// What fetching it fetches: the reference, or the read that was added with
  /// the assignment.
  Output graphElement() const;
  Input input() const;

private:
  Output reference;
  std::shared_ptr<const VariableData> unread;
  const Node *assigned = nullptr;
};

/// A variable. Copies are the same one; the default is none. As an input of an
/// op it is its value where the op takes one, and itself where the op changes
/// it. **Source**: tf.Variable.
class KILN_EXPORT Variable {
public:
  Variable() = default;
  /// Adds one with a first value: NAME/initial_value, NAME, NAME/Assign,
  /// NAME/read. **Errors** of the graph: INVALID_ARGUMENT for a value whose
  /// shape is not known.
  explicit Variable(const Input &initialValue,
                    const VariableOptions &options = {});
  explicit Variable(const InitialValue &initialValue,
                    const VariableOptions &options = {});
  static Variable of(std::shared_ptr<const VariableData> data) {
    Variable variable;
    variable.stored = std::move(data);
    return variable;
  }

  bool isValid() const noexcept { return stored != nullptr; }
  bool operator==(const Variable &other) const = default;

  /// "scope/name:0".
  std::string name() const;
  /// The node that declares it.
  const Node *op() const noexcept;
  /// The reference, or the handle.
  Output handle() const;
  bool isResource() const noexcept;
  DType dtype() const noexcept;
  const Shape &shape() const;
  bool isTrainable() const noexcept;
  GraphBuilder graph() const;
  /// Empty where there is none.
  const Constraint &constraint() const noexcept;
  /// The slice that a part of a partitioned variable is; otherwise null.
  const VariableSlice *slice() const noexcept;

  /// The value: of a reference the one node NAME/read, of a handle a new read
  /// at this place. **Source**: tf.Variable.value.
  Output value() const;
  operator Output() const { return value(); }
  /// A new read at this place, behind the control dependencies here.
  Output readValue() const;
  /// What fetching the variable fetches: the reference, or NAME/Read/….
  Output graphElement() const;
  /// The value, or the first value where it has none yet. **Source**:
  /// tf.Variable.initialized_value.
  Output initializedValue() const;
  Output initialValue() const;
  /// The operation that gives it its first value.
  const Node *initializer() const noexcept;
  /// Makes another operation the one that gives it its first value.
  void setInitializer(const Node *initializer,
                      const Output &initialValue) const;
  /// Whether it has a value, a bool.
  Output isInitialized(std::string_view name = {}) const;

  Assignment assign(const Input &value,
                    const AssignOptions &options = {}) const;
  Assignment assignAdd(const Input &delta,
                       const AssignOptions &options = {}) const;
  Assignment assignSub(const Input &delta,
                       const AssignOptions &options = {}) const;

  /// A resource as a node that changes it left it, with a read behind the node.
  Assignment after(const Node *change) const;

  const std::shared_ptr<const VariableData> &data() const noexcept {
    return stored;
  }

private:
  std::shared_ptr<const VariableData> stored;
};

/// Whether variables of the current graph are handles where their options do
/// not say; false at first. **Source**: tf.enable_resource_variables.
KILN_EXPORT void useResourceVariables(bool use = true);
KILN_EXPORT bool usesResourceVariables();

KILN_EXPORT std::vector<Variable> globalVariables(std::string_view scope = {});
KILN_EXPORT std::vector<Variable>
trainableVariables(std::string_view scope = {});
KILN_EXPORT std::vector<Variable> localVariables(std::string_view scope = {});
/// An operation that gives the variables their first values, "init".
KILN_EXPORT const Node *
variablesInitializer(const std::vector<Variable> &variables,
                     std::string_view name = "init");
KILN_EXPORT const Node *globalVariablesInitializer();
KILN_EXPORT const Node *localVariablesInitializer();
/// The names of those without a value, a vector of strings. **Source**:
/// tf.report_uninitialized_variables.
KILN_EXPORT Output reportUninitializedVariables(
    std::optional<std::vector<Variable>> variables = {},
    std::string_view name = "report_uninitialized_variables");

} // namespace kiln

#endif // KILN_VARIABLE_H
