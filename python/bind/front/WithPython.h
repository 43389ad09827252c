// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers whose steps are added by classes of Python's, which may override
// what the class of C++ does.
#ifndef KILN_PYTHON_BIND_FRONT_WITHPYTHON_H
#define KILN_PYTHON_BIND_FRONT_WITHPYTHON_H

#include "kiln/Optimizers.h"
#include "python/bind/front/Callbacks.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::python::front {

/// What Python asks of an optimizer beside what kiln::Optimizer offers to all:
/// its parts, as the class of C++ has them, whatever Python overrides.
class OptimizerCore {
public:
  using Nodes = std::vector<const Node *>;
  virtual ~OptimizerCore() = default;

  virtual Optimizer &optimizer() = 0;
  virtual void ownCreateSlots(const std::vector<Variable> &variables) = 0;
  virtual void ownPrepare() = 0;
  virtual const Node *ownApplyDense(const Output &gradient,
                                    const Variable &variable) = 0;
  virtual const Node *ownApplySparse(const IndexedSlices &gradient,
                                     const Variable &variable) = 0;
  virtual const Node *ownApplySparseDuplicates(const IndexedSlices &gradient,
                                               const Variable &variable) = 0;
  virtual const Node *ownFinish(const Nodes &updates,
                                const std::string &name) = 0;

  virtual Variable findZerosSlot(const Variable &variable,
                                 const std::string &slotName,
                                 const std::string &opName) = 0;
  virtual Variable findSlot(const Variable &variable,
                            const std::string &slotName,
                            const std::string &opName,
                            const Initializer &initializer,
                            const std::optional<Shape> &shape, DType dtype) = 0;
  virtual Variable makeNonSlot(const Input &initialValue,
                               const std::string &name,
                               const Variable &place) = 0;
  virtual Variable findNonSlot(const std::string &name) = 0;
  virtual std::vector<Variable> allNonSlots() = 0;
  virtual Output preparedValue(const std::string &name) = 0;
  virtual void setPrepared(const std::string &name, const Input &value) = 0;
};

/// An optimizer of C++ whose parts are those of an object of Python's: C++
/// calls its methods, and those that no class overrides call back the parts of
/// Base. **Ownership**: the object (borrowed) has this.
template <class Base>
class WithPython final : public Base, public OptimizerCore {
public:
  template <class... Arguments>
  explicit WithPython(PyObject *self, Arguments &&...arguments)
      : Base(std::forward<Arguments>(arguments)...), self(self) {}

  Optimizer &optimizer() override { return *this; }
  void ownCreateSlots(const std::vector<Variable> &variables) override {
    Base::createSlots(variables);
  }
  void ownPrepare() override { Base::prepare(); }
  const Node *ownApplyDense(const Output &gradient,
                            const Variable &variable) override {
    return Base::applyDense(gradient, variable);
  }
  const Node *ownApplySparse(const IndexedSlices &gradient,
                             const Variable &variable) override {
    return Base::applySparse(gradient, variable);
  }
  const Node *ownApplySparseDuplicates(const IndexedSlices &gradient,
                                       const Variable &variable) override {
    return Base::applySparseDuplicates(gradient, variable);
  }
  const Node *ownFinish(const Nodes &updates,
                        const std::string &name) override {
    return Base::finish(updates, name);
  }

  Variable findZerosSlot(const Variable &variable, const std::string &slotName,
                         const std::string &opName) override {
    return Base::zerosSlot(variable, slotName, opName);
  }
  Variable findSlot(const Variable &variable, const std::string &slotName,
                    const std::string &opName, const Initializer &initializer,
                    const std::optional<Shape> &shape, DType dtype) override {
    if (!shape)
      return Base::makeSlot(variable, slotName, opName, initializer);
    return Base::makeSlot(variable, slotName, opName, initializer, *shape,
                          dtype);
  }
  Variable makeNonSlot(const Input &initialValue, const std::string &name,
                       const Variable &place) override {
    return Base::nonSlotVariable(initialValue, name, place);
  }
  Variable findNonSlot(const std::string &name) override {
    return Base::nonSlotVariable(name);
  }
  std::vector<Variable> allNonSlots() override {
    return Base::nonSlotVariables();
  }
  Output preparedValue(const std::string &name) override {
    return Base::prepared(name);
  }
  void setPrepared(const std::string &name, const Input &value) override {
    Base::prepareAs(name, value);
  }

private:
  Input number(std::string_view name, const Input &given) override {
    return calledBack([&]() -> Input {
      nanobind::object value = method("_number")(toPython(std::string(name)));
      return value.ptr() == Py_NotImplemented ? given : inputFrom(value.ptr());
    });
  }
  std::vector<DType> validDTypes() override {
    return call<std::vector<DType>>("_valid_dtypes");
  }
  void createSlots(const std::vector<Variable> &variables) override {
    call<void>("_create_slots", variables);
  }
  void prepare() override { call<void>("_prepare"); }
  const Node *applyDense(const Output &gradient,
                         const Variable &variable) override {
    return call<const Node *>(variable.isResource() ? "_resource_apply_dense"
                                                    : "_apply_dense",
                              gradient, variable);
  }
  const Node *applySparse(const IndexedSlices &gradient,
                          const Variable &variable) override {
    if (variable.isResource())
      return call<const Node *>("_resource_apply_sparse", gradient.values,
                                variable, gradient.indices);
    return call<const Node *>("_apply_sparse", Gradient(gradient), variable);
  }
  const Node *applySparseDuplicates(const IndexedSlices &gradient,
                                    const Variable &variable) override {
    if (variable.isResource())
      return call<const Node *>("_resource_apply_sparse_duplicate_indices",
                                gradient.values, variable, gradient.indices);
    return call<const Node *>("_apply_sparse_duplicate_indices",
                              Gradient(gradient), variable);
  }
  const Node *finish(const Nodes &updates, const std::string &name) override {
    return call<const Node *>("_finish", updates, name);
  }

  nanobind::object method(const char *name) const {
    return nanobind::handle(self).attr(name);
  }
  template <class R, class... Parameters>
  R call(const char *name, const Parameters &...parameters) const {
    if (!GraphBuilder::current().status().ok())
      return R(); // an exception is on its way
    return calledBack([&]() -> R {
      nanobind::object result = method(name)(toPython(parameters)...);
      if constexpr (!std::is_void_v<R>)
        return from<R>(result.ptr());
    });
  }

  PyObject *self;
};

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_WITHPYTHON_H
