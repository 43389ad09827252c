// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A foreign library whose functions are Python's: calls hold the GIL, and what
// they raise becomes the run's error.
#include "python/bind/Foreign.h"

#include "kiln/ForeignOps.h"
#include "python/bind/Arrays.h"
#include "python/bind/Errors.h"
#include "python/bind/Gil.h"
#include "python/bind/Objects.h"

#include <nanobind/stl/string.h>

namespace kiln::python {
namespace {

namespace nb = nanobind;

/// An attribute as TFE_Py_Execute takes it, or an array of a tensor; invalid
/// for other kinds.
struct ToPython {
  nb::object operator()(int64_t value) const { return nb::int_(value); }
  nb::object operator()(float value) const { return nb::float_(value); }
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(const std::string &value) const {
    return nb::bytes(value.data(), value.size());
  }
  nb::object operator()(DType value) const {
    return nb::int_(static_cast<int>(value));
  }
  nb::object operator()(const Shape &value) const {
    if (!value.hasRank())
      return nb::none();
    nb::list dims;
    for (int64_t dim : value.dims())
      dims.append(dim < 0 ? nb::none() : nb::object(nb::int_(dim)));
    return dims;
  }
  nb::object operator()(const TensorConstant &constant) const {
    return constant.value.isValid()
               ? owned(arrayFromTensor(Tensor(constant.value),
                                       QuantizedForm::Structures))
               : nb::object();
  }
  /// A function's name; the whole of it is in functionsAttr.
  nb::object operator()(const NameAttrList &function) const {
    return nb::str(function.name.c_str());
  }
  nb::object operator()(const EmptyList &) const { return nb::list(); }
  template <class T>
    requires requires(const ToPython &self, const T &value) { self(value); }
  nb::object operator()(const std::vector<T> &values) const {
    nb::list list;
    for (T value : values) {
      nb::object element = (*this)(value);
      if (!element.is_valid())
        return {};
      list.append(element);
    }
    return list;
  }
  nb::object operator()(const auto &) const { return {}; }
};

/// The exception as a status: of kiln.errors by its code and message.
Status statusOf(nb::python_error &error) {
  nb::object value = nb::borrow(error.value());
  if (!nb::hasattr(value, "code") || !nb::hasattr(value, "message"))
    return unknownError(error.what());
  auto code = static_cast<StatusCode>(nb::cast<int>(value.attr("code")));
  return Status(code, nb::cast<std::string>(nb::str(value.attr("message"))));
}

/// An attribute that kiln.tensorflow adds to a node with functions.
constexpr std::string_view functionsAttr = "_functions";

/// name, value, name, value …; invalid where one has no form in Python.
nb::object attrsOf(const Node &node) {
  nb::list attrs;
  for (const NamedAttr &attr : node.attrs()) {
    if (attr.name.starts_with("_") && attr.name != functionsAttr)
      continue;
    nb::object value = std::visit(ToPython(), attr.value.variant());
    if (!value.is_valid())
      return {};
    attrs.append(nb::str(attr.name.c_str()));
    attrs.append(value);
  }
  return nb::tuple(attrs);
}

nb::list dtypesOf(const Node &node) {
  nb::list dtypes;
  for (const Output &input : node.inputs())
    dtypes.append(nb::int_(static_cast<int>(input.dtype())));
  return dtypes;
}

/// What `body` gives, with the GIL; what it throws as a status.
template <class F> std::invoke_result_t<F> inPython(F body) {
  if (!Py_IsInitialized())
    return cancelledError("Python has ended");
  HeldGil held;
  try {
    return body();
  } catch (nb::python_error &error) {
    return statusOf(error);
  } catch (const std::exception &error) {
    return internalError(error.what());
  }
}

class PythonLibrary final : public ForeignLibrary {
public:
  PythonLibrary(nb::object prepare, nb::object infer, nb::object compute)
      : prepareCall(std::move(prepare)), inferCall(std::move(infer)),
        computeCall(std::move(compute)) {}

  StatusOr<int64_t> prepare(const Node &node) override {
    return inPython([&]() -> StatusOr<int64_t> {
      nb::object attrs = attrsOf(node);
      if (!attrs.is_valid())
        return unimplementedError("op '" + node.op() +
                                  "' has an attr that is not handed over");
      return nb::cast<int64_t>(
          call(prepareCall, nb::make_tuple(nb::str(node.op().c_str()), attrs,
                                           node.numOutputs())));
    });
  }

  StatusOr<std::vector<Shape>> infer(const Node &node,
                                     std::span<const Shape> inputs,
                                     std::span<const Tensor> values) override {
    return inPython([&]() -> StatusOr<std::vector<Shape>> {
      nb::list shapes, known;
      for (size_t i = 0; i < inputs.size(); ++i) {
        shapes.append(ToPython()(inputs[i]));
        known.append(values[i].isValid()
                         ? owned(arrayFromTensor(Tensor(values[i]),
                                                 QuantizedForm::Structures))
                         : nb::none());
      }
      nb::object attrs = attrsOf(node);
      if (!attrs.is_valid())
        return unimplementedError("attrs that are not handed over");
      std::vector<Shape> outputs;
      for (nb::handle shape :
           call(inferCall, nb::make_tuple(nb::str(node.op().c_str()), attrs,
                                          shapes, dtypesOf(node), known))) {
        if (shape.is_none()) {
          outputs.push_back(Shape::unknownRank());
          continue;
        }
        Shape &output = outputs.emplace_back();
        for (nb::handle dim : shape)
          output.appendDim(dim.is_none() ? Shape::unknownDim
                                         : nb::cast<int64_t>(dim));
      }
      return outputs;
    });
  }

  StatusOr<std::vector<Tensor>> compute(int64_t number,
                                        std::vector<Tensor> inputs) override {
    return inPython([&]() -> StatusOr<std::vector<Tensor>> {
      nb::list values, dtypes;
      for (Tensor &input : inputs) {
        dtypes.append(nb::int_(static_cast<int>(input.dtype())));
        values.append(owned(
            arrayFromTensor(std::move(input), QuantizedForm::Structures)));
      }
      std::vector<Tensor> outputs;
      for (nb::handle output :
           call(computeCall, nb::make_tuple(number, values, dtypes))) {
        auto dtype = dtypeFromNumber(nb::cast<int>(output[1]));
        outputs.push_back(tensorFromPython(nb::object(output[0]).ptr(),
                                           dtype.value_or(DType::Invalid)));
      }
      return outputs;
    });
  }

private:
  nb::object prepareCall, inferCall, computeCall;
};

} // namespace

void bindForeign(nb::module_ &module) {
  module.def("_set_foreign_library",
             [](nb::object prepare, nb::object infer, nb::object compute) {
               check(setForeignLibrary(*new PythonLibrary(
                   std::move(prepare), std::move(infer), std::move(compute))));
             });
  module.def("_register_foreign_op",
             [](const std::string &name, const std::string &inputs,
                const std::string &outputs, const std::string &attrs,
                bool isStateful, bool callsBack) {
               Status status = registerForeignOp(
                   {name, inputs, outputs, attrs, isStateful, callsBack});
               bool isKilns = status.code() == StatusCode::AlreadyExists;
               if (!isKilns)
                 check(status);
               return !isKilns;
             });
}

} // namespace kiln::python
