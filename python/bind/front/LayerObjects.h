// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of C++ whose parts are those of an object of Python's.
#ifndef KILN_PYTHON_BIND_FRONT_LAYEROBJECTS_H
#define KILN_PYTHON_BIND_FRONT_LAYEROBJECTS_H

#include "python/bind/front/LayerAttributes.h"

#include <memory>
#include <string>
#include <vector>

namespace kiln::python::front {

/// What Python asks of a layer beside what layers::Layer offers to all.
class LayerCore {
public:
  virtual ~LayerCore() = default;
  virtual layers::Layer &layer() = 0;
  /// The parts of the class of C++, whatever Python overrides.
  virtual void ownBuild(PyObject *self, const Shape &input) = 0;
  virtual Output ownCall(PyObject *self, const Output &inputs,
                         const Input &training) = 0;
  virtual std::optional<Shape> ownOutputShape(PyObject *self,
                                              const Shape &input) = 0;
  virtual std::unique_ptr<LayerCore> copy() const = 0;

  /// Python's build(), with its structure of shapes; set while a call lasts.
  nanobind::handle builder = {};
};

/// The base of Python's class.
struct LayerObject {
  std::unique_ptr<LayerCore> core;
};

/// **Ownership**: the object of Python's has this.
template <class Base> class PythonLayer final : public Base, public LayerCore {
public:
  using Base::Base;

  layers::Layer &layer() override { return *this; }
  void ownBuild(PyObject *self, const Shape &input) override {
    visitCall(base(), FromAttributes{self});
    visitBuild(base(), FromAttributes{self});
    visitBuild(base(), KeepConstraint{self});
    Base::build(input);
    visitWeights(base(), ToAttributes{self});
  }
  Output ownCall(PyObject *self, const Output &inputs,
                 const Input &training) override {
    visitCall(base(), FromAttributes{self});
    visitWeights(base(), FromAttributes{self});
    return Base::call(inputs, training);
  }
  std::optional<Shape> ownOutputShape(PyObject *self,
                                      const Shape &input) override {
    visitCall(base(), FromAttributes{self});
    return Base::outputShape(input);
  }
  std::unique_ptr<LayerCore> copy() const override {
    return std::unique_ptr<LayerCore>(new PythonLayer(*this));
  }

private:
  PythonLayer(const PythonLayer &) = default;
  Base &base() { return *this; }
  void buildAll(const std::vector<Shape> &) override {
    calledBack([&] { builder(); });
  }
};

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_LAYEROBJECTS_H
