// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers and what stands around a step: learning rates, averages, slots.
#include "kiln/GlobalStep.h"
#include "kiln/LearningRates.h"
#include "kiln/MovingAverage.h"
#include "kiln/Slots.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"
#include "python/bind/front/VariableValues.h"
#include "python/bind/front/WithPython.h"

namespace kiln::python::front {
namespace nb = nanobind;

template <> struct From<GateGradients> {
  static GateGradients convert(PyObject *value) {
    return static_cast<GateGradients>(integerFrom(value));
  }
};
template <> struct From<GradientAndVariable> {
  static GradientAndVariable convert(PyObject *value) {
    nb::object pair = nb::borrow(value);
    return {gradientFrom(nb::object(pair[0]).ptr()),
            from<Variable>(nb::object(pair[1]).ptr())};
  }
};

namespace {

/// The base of Python's class.
struct OptimizerObject {
  std::unique_ptr<OptimizerCore> core;
};

/// An optimizer without steps of its own: all is Python's.
class BareOptimizer : public Optimizer {
public:
  using Optimizer::Optimizer;

protected:
  const Node *applyDense(const Output &, const Variable &) override {
    return refuse();
  }
  const Node *applySparse(const IndexedSlices &, const Variable &) override {
    return refuse();
  }

private:
  static const Node *refuse() {
    GraphBuilder::current().fail(
        unimplementedError("the optimizer has no step"));
    return nullptr;
  }
};

} // namespace

template <> struct From<OptimizerCore *> {
  static OptimizerCore *convert(PyObject *value) {
    OptimizerCore *core =
        nb::cast<OptimizerObject &>(nb::handle(value)).core.get();
    if (!core)
      throw nb::type_error("Optimizer.__init__ was not called");
    return core;
  }
};

namespace {

/// Makes the object's optimizer. The numbers are asked of the object when they
/// are needed.
template <class Base, class... Parameters>
void make(const nb::object &self, const Parameters &...parameters) {
  nb::cast<OptimizerObject &>(self).core =
      std::make_unique<WithPython<Base>>(self.ptr(), parameters...);
}

PyMethodDef kinds[] = {
    function_<[](const nb::object &self, const std::string &name,
                 bool useLocking) {
      make<BareOptimizer>(self, name, useLocking);
    }>("bare_optimizer"),
    function_<[](const nb::object &self,
                 const GradientDescentOptions &options) {
      make<GradientDescentOptimizer>(self, Input(0.), options);
    }>("gradient_descent_optimizer"),
    function_<[](const nb::object &self, const MomentumOptions &options) {
      make<MomentumOptimizer>(self, Input(0.), Input(0.), options);
    }>("momentum_optimizer"),
    function_<[](const nb::object &self, const AdamOptions &options) {
      make<AdamOptimizer>(self, Input(0.), options);
    }>("adam_optimizer"),
    function_<[](const nb::object &self, const RMSPropOptions &options) {
      make<RMSPropOptimizer>(self, Input(0.), options);
    }>("rmsprop_optimizer"),
    function_<[](const nb::object &self, const AdadeltaOptions &options) {
      make<AdadeltaOptimizer>(self, Input(0.), options);
    }>("adadelta_optimizer"),
    function_<[](const nb::object &self, const AdagradOptions &options) {
      make<AdagradOptimizer>(self, Input(0.), options);
    }>("adagrad_optimizer"),
    function_<[](const nb::object &self, const AdagradDAOptions &options) {
      make<AdagradDAOptimizer>(self, Input(0.), Input(0), options);
    }>("adagrad_da_optimizer"),
    function_<[](const nb::object &self, const FtrlOptions &options) {
      make<FtrlOptimizer>(self, Input(0.), options);
    }>("ftrl_optimizer"),
    function_<[](const nb::object &self,
                 const ProximalAdagradOptions &options) {
      make<ProximalAdagradOptimizer>(self, Input(0.), options);
    }>("proximal_adagrad_optimizer"),
    function_<[](const nb::object &self,
                 const ProximalGradientDescentOptions &options) {
      make<ProximalGradientDescentOptimizer>(self, Input(0.), options);
    }>("proximal_gradient_descent_optimizer"),
    {nullptr, nullptr, 0, nullptr}};

using Core = OptimizerCore *;
using Variables = std::vector<Variable>;

PyMethodDef steps[] = {
    function_<[](Core self, const Output &loss, const InputList &targets,
                 GateGradients gate, AggregationMethod aggregation,
                 bool colocate, const Gradient &gradLoss) {
      return self->optimizer().computeGradientsOf(loss, targets,
                                                  {.gate = gate,
                                                   .aggregation = aggregation,
                                                   .colocate = colocate,
                                                   .gradLoss = gradLoss});
    }>("optimizer_compute_gradients"),
    function_<[](Core self, const std::vector<GradientAndVariable> &gradients,
                 const std::optional<Variable> &globalStep,
                 const std::string &name) {
      return self->optimizer().applyGradients(
          gradients,
          {.globalStep = globalStep.value_or(Variable()), .name = name});
    }>("optimizer_apply_gradients"),
    function_<[](Core self, const Variables &variables) {
      self->ownCreateSlots(variables);
    }>("optimizer_create_slots"),
    function_<[](Core self) { self->ownPrepare(); }>("optimizer_prepare"),
    function_<[](Core self, const Output &gradient, const Variable &variable) {
      return self->ownApplyDense(gradient, variable);
    }>("optimizer_apply_dense"),
    function_<[](Core self, const IndexedSlices &gradient,
                 const Variable &variable) {
      return self->ownApplySparse(gradient, variable);
    }>("optimizer_apply_sparse"),
    function_<[](Core self, const IndexedSlices &gradient,
                 const Variable &variable) {
      return self->ownApplySparseDuplicates(gradient, variable);
    }>("optimizer_apply_sparse_duplicates"),
    function_<[](Core self, const OptimizerCore::Nodes &updates,
                 const std::string &name) {
      return self->ownFinish(updates, name);
    }>("optimizer_finish"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef slots[] = {
    function_<[](Core self, const Variable &variable, const std::string &name) {
      return self->optimizer().slot(variable, name);
    }>("optimizer_slot"),
    function_<[](Core self) { return self->optimizer().slotNames(); }>(
        "optimizer_slot_names"),
    function_<[](Core self, const std::string &name) {
      return self->optimizer().slotsNamed(name);
    }>("optimizer_slots_named"),
    function_<[](Core self) { return self->optimizer().variables(); }>(
        "optimizer_variables"),
    function_<[](Core self, const Variable &variable,
                 const std::string &slotName, const std::string &opName) {
      return self->findZerosSlot(variable, slotName, opName);
    }>("optimizer_zeros_slot"),
    function_<[](Core self, const Variable &variable,
                 const std::string &slotName, const std::string &opName,
                 const Initializer &initializer,
                 const std::optional<Shape> &shape, DType dtype) {
      return self->findSlot(variable, slotName, opName, initializer, shape,
                            dtype);
    }>("optimizer_make_slot"),
    function_<[](Core self, const Input &initialValue, const std::string &name,
                 const Variable &place) {
      return self->makeNonSlot(initialValue, name, place);
    }>("optimizer_make_non_slot"),
    function_<[](Core self, const std::string &name) {
      return self->findNonSlot(name);
    }>("optimizer_non_slot"),
    function_<[](Core self) { return self->allNonSlots(); }>(
        "optimizer_non_slots"),
    function_<[](Core self, const std::string &name) {
      return self->preparedValue(name);
    }>("optimizer_prepared"),
    function_<[](Core self, const std::string &name, const Input &value) {
      self->setPrepared(name, value);
    }>("optimizer_set_prepared"),
    {nullptr, nullptr, 0, nullptr}};

/// A slot of a variable, or of a tensor.
PyMethodDef slotCreator[] = {
    function_<[](const nb::object &primary, const Initializer &initializer,
                 const std::string &name, bool colocate) {
      if (VariableObject *variable = variableFrom(primary.ptr()))
        return createSlot(variable->variable, initializer, name);
      return createSlot(from<Output>(primary.ptr()), initializer, name,
                        colocate);
    }>("create_slot"),
    function_<[](const Variable &primary, const Initializer &initializer,
                 const std::string &name, const Shape &shape, DType dtype) {
      return createSlot(primary, initializer, name, shape, dtype);
    }>("create_slot_of_shape"),
    function_<[](const nb::object &primary, const std::string &name,
                 bool colocate) {
      if (VariableObject *variable = variableFrom(primary.ptr()))
        return createZerosSlot(variable->variable, name);
      return createZerosSlot(from<Output>(primary.ptr()), name, colocate);
    }>("create_zeros_slot"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef learningRates[] = {
    function_<&exponentialDecay>("exponential_decay"),
    function_<&naturalExpDecay>("natural_exp_decay"),
    function_<&inverseTimeDecay>("inverse_time_decay"),
    function_<&piecewiseConstant>("piecewise_constant"),
    function_<&polynomialDecay>("polynomial_decay"),
    function_<&cosineDecay>("cosine_decay"),
    function_<&cosineDecayRestarts>("cosine_decay_restarts"),
    function_<&linearCosineDecay>("linear_cosine_decay"),
    function_<&noisyLinearCosineDecay>("noisy_linear_cosine_decay"),
    {nullptr, nullptr, 0, nullptr}};

/// The base of Python's class.
struct AverageObject {
  std::unique_ptr<ExponentialMovingAverage> average;
};

ExponentialMovingAverage &averageIn(const nb::object &self) {
  auto &average = nb::cast<AverageObject &>(self).average;
  if (!average)
    throw nb::type_error("ExponentialMovingAverage.__init__ was not called");
  return *average;
}

PyMethodDef averages[] = {
    function_<[](const nb::object &self, const Input &decay,
                 const MovingAverageOptions &options) {
      nb::cast<AverageObject &>(self).average =
          std::make_unique<ExponentialMovingAverage>(decay, options);
    }>("make_average"),
    function_<[](const nb::object &self, const InputList &list) {
      return averageIn(self).apply(list);
    }>("average_apply"),
    function_<[](const nb::object &self, const Input &of) {
      return averageIn(self).average(of);
    }>("average_of"),
    function_<[](const nb::object &self, const Input &of) {
      return averageIn(self).averageName(of);
    }>("average_name"),
    function_<[](const nb::object &self,
                 const std::optional<std::vector<Variable>> &averaged) {
      nb::dict names;
      for (const auto &[name, variable] :
           averageIn(self).variablesToRestore(averaged))
        names[toPython(name)] = objectOf(variable);
      return nb::object(names);
    }>("average_variables_to_restore"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindTraining(nb::module_ &module) {
  nb::class_<OptimizerObject>(module, "Optimizer", nb::dynamic_attr(),
                              nb::is_weak_referenceable())
      .def(nb::init<>());
  nb::class_<AverageObject>(module, "ExponentialMovingAverage",
                            nb::dynamic_attr(), nb::is_weak_referenceable())
      .def(nb::init<>());
  for (PyMethodDef *table :
       {kinds, steps, slots, slotCreator, learningRates, averages})
    addFunctions(module, table);
}

} // namespace kiln::python::front
