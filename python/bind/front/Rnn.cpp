// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks: what cells compute, and what runs cells of Python's over
// sequences. Structures of tensors are flat here; Python packs them.
#include "kiln/Rnn.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Modules.h"
#include "python/bind/front/VariableValues.h"

namespace kiln::python::front {
namespace nb = nanobind;

/// The extent of a batch: a number or a tensor.
template <> struct To<Input> {
  static nb::object convert(const Input &value) {
    if (const int64_t *number = std::get_if<int64_t>(&value.value()))
      return nb::int_(*number);
    return objectOf(*value.output());
  }
};
template <> struct To<TensorArray> {
  static nb::object convert(const TensorArray &array) {
    return nb::cast(array);
  }
};
template <> struct To<const RnnCell::Step *> {
  static nb::object convert(const RnnCell::Step *step) {
    if (!step)
      return nb::none();
    return nb::make_tuple(toPython(step->outputs()), toPython(step->state));
  }
};

namespace {

/// The elements of a tuple that Python's side of this file makes.
class Parts {
public:
  explicit Parts(PyObject *tuple) : elements(elementsOf(tuple)) {}
  template <class T> T at(size_t i) const {
    if (i >= elements.size())
      throw nb::value_error("expected a longer tuple");
    return from<T>(elements[i].ptr());
  }

private:
  std::vector<nb::object> elements;
};

} // namespace

template <> struct From<RnnScope> {
  static RnnScope convert(PyObject *value) {
    const VariableScopeHandle *again;
    if (nb::try_cast(nb::handle(value), again) && again)
      return *again;
    return from<std::string>(value);
  }
};
/// (outputs, state), flat.
template <> struct From<RnnCell::Step> {
  static RnnCell::Step convert(PyObject *value) {
    Parts parts(value);
    auto outputs = parts.at<Outputs>(0);
    if (outputs.empty())
      throw nb::value_error("expected of a cell at least one output");
    RnnCell::Step step{.output = outputs[0], .state = parts.at<Outputs>(1)};
    step.moreOutputs.assign(outputs.begin() + 1, outputs.end());
    return step;
  }
};
/// (finished, inputs, state, what is given out, state of the loop).
template <> struct From<RawRnnStep> {
  static RawRnnStep convert(PyObject *value) {
    Parts parts(value);
    return {.finished = parts.at<Output>(0),
            .input = parts.at<Outputs>(1),
            .state = parts.at<Outputs>(2),
            .emit = parts.at<Outputs>(3),
            .loopState = parts.at<Outputs>(4)};
  }
};
/// (function of a step, shapes of outputs, shapes of the state, zero_state).
template <> struct From<FunctionCell> {
  static FunctionCell convert(PyObject *value) {
    Parts parts(value);
    return FunctionCell(parts.at<FunctionCell::StepFunction>(0),
                        parts.at<std::vector<Shape>>(1),
                        parts.at<std::vector<Shape>>(2),
                        parts.at<FunctionCell::ZerosFunction>(3));
  }
};

namespace {

using MaybeInput = std::optional<Input>;

PyMethodDef steps[] = {
    function_<&zeroStateOf>("zero_state"),
    function_<&basicRnnStep>("basic_rnn_step"),
    function_<&basicLstmStep>("basic_lstm_step"),
    function_<[](const Output &input, const Outputs &state, int64_t units,
                 const Input &kernel, const Input &bias,
                 const MaybeInput &forget, const MaybeInput &admit,
                 const MaybeInput &show, const MaybeInput &projection,
                 const LstmCellOptions &options) {
      return lstmStep(input, state, units,
                      {kernel, bias, forget, admit, show, projection}, options);
    }>("lstm_step"),
    function_<[](const Output &input, const Outputs &state,
                 const Input &gateKernel, const Input &gateBias,
                 const Input &kernel, const Input &bias,
                 const GruCellOptions &options) {
      return gruStep(input, state, {gateKernel, gateBias, kernel, bias},
                     options);
    }>("gru_step"),
    {nullptr, nullptr, 0, nullptr}};

using Steps = std::vector<Outputs>;

PyMethodDef networks[] = {
    function_<[](const nb::object &scope) {
      nb::cast<const VariableScopeHandle &>(scope).cacheReads();
    }>("cache_reads"),
    function_<[](FunctionCell cell, const Outputs &inputs,
                 const RnnOptions &options) {
      return dynamicRnn(cell, inputs, options);
    }>("dynamic_rnn"),
    function_<[](FunctionCell cell, const Steps &inputs,
                 const RnnOptions &options) {
      return staticRnn(cell, inputs, options);
    }>("static_rnn"),
    function_<[](FunctionCell forward, FunctionCell backward,
                 const Outputs &inputs,
                 const BidirectionalRnnOptions &options) {
      return bidirectionalDynamicRnn(forward, backward, inputs, options);
    }>("bidirectional_dynamic_rnn"),
    function_<[](FunctionCell forward, FunctionCell backward,
                 const Steps &inputs, const BidirectionalRnnOptions &options) {
      return staticBidirectionalRnn(forward, backward, inputs, options);
    }>("static_bidirectional_rnn"),
    function_<[](FunctionCell cell, const RawRnnFunction &next,
                 const RawRnnOptions &options) {
      return rawRnn(cell, next, options);
    }>("raw_rnn"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindRnn(nb::module_ &module) {
  addFunctions(module, steps);
  addFunctions(module, networks);
}

} // namespace kiln::python::front
