// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a pipeline, as its datasets call them.
#ifndef KILN_LIB_PIPELINES_ELEMENTFUNCTION_H
#define KILN_LIB_PIPELINES_ELEMENTFUNCTION_H

#include "lib/Pipelines/Dataset.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace kiln {

class Node;

/// A function of a graph, with values of what it captured.
///
/// Ownership: datasets share it. Thread safety: constant; calls may run at the
/// same time.
class ElementFunction {
public:
  virtual ~ElementFunction() = default;
  /// **Errors**: of the function, with the node inside of it; CANCELLED in a
  /// session that has ended.
  virtual Status call(std::span<const Tensor> arguments, Element &results,
                      const PullContext &pull) const = 0;
  /// True where the order of its calls shows in nothing: it neither keeps state
  /// nor draws random numbers.
  virtual bool isPure() const = 0;
  /// A function that calls this one, and then `next` with its results; what
  /// `next` takes beyond them follows this one's arguments. Null where they do
  /// not go together. The same for the same function.
  virtual std::shared_ptr<const ElementFunction>
  then(const std::shared_ptr<const ElementFunction> &next) const {
    return nullptr;
  }
};
using FunctionPtr = std::shared_ptr<const ElementFunction>;

/// Makes what calls the functions that nodes name. **Ownership**: borrows the
/// node and what declares resources while it binds. Thread safety: constant.
class FunctionBinder {
public:
  virtual ~FunctionBinder() = default;
  /// The function that attribute `attr` of the node names. `captured` has for
  /// each of its last arguments the node that declares what a handle stands
  /// for, and null for values. **Errors**: NOT_FOUND, INVALID_ARGUMENT for a
  /// function that is not there or takes other arguments.
  virtual StatusOr<FunctionPtr>
  bind(const Node &node, std::string_view attr,
       std::span<const Node *const> captured) const = 0;
  /// The bytes that a dataset of the session may hold at a time.
  virtual int64_t maxBytes() const = 0;
};

/// A function with the values of its last arguments.
class CapturedFunction {
public:
  CapturedFunction(FunctionPtr function, Element captured)
      : function(std::move(function)), captured(std::move(captured)) {}

  Status call(const Element &element, Element &results,
              const PullContext &pull) const;
  bool isPure() const { return function->isPure(); }
  /// This function and then `next`, as one, where both are pure and go
  /// together.
  std::optional<CapturedFunction> then(const CapturedFunction &next) const;
  /// **Errors**: also INVALID_ARGUMENT where it does not give one scalar bool.
  StatusOr<bool> test(const Element &element, const PullContext &pull) const;
  /// **Errors**: also INVALID_ARGUMENT where it does not give a dataset.
  StatusOr<DatasetPtr> dataset(const Element &element,
                               const PullContext &pull) const;

private:
  FunctionPtr function;
  Element captured;
};

} // namespace kiln

#endif // KILN_LIB_PIPELINES_ELEMENTFUNCTION_H
