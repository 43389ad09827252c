// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tf.get_variable, custom getters between Python and C++, and variables in
// parts.
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"
#include "python/bind/front/VariableValues.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;

nb::object To<Reuse>::convert(Reuse reuse) {
  if (reuse == autoReuse)
    return toPython(std::string("auto"));
  return nb::bool_(reuse == Reuse(true));
}

Weight From<Weight>::convert(PyObject *value) {
  if (value == Py_None)
    return {};
  if (VariableObject *variable = variableFrom(value))
    return variable->variable;
  const PartitionedVariable *parts;
  if (nb::try_cast(nb::handle(value), parts) && parts)
    return *parts;
  return from<Output>(value);
}

nb::object To<PartitionedVariable>::convert(const PartitionedVariable &whole) {
  if (whole.parts().empty())
    return nb::none();
  return classes().partitioned(toPython(whole.name()), objectOf(whole.shape()),
                               toPython(whole.parts()), whole.axis());
}

nb::object To<Weight>::convert(const Weight &weight) {
  if (const PartitionedVariable *parts = weight.partitioned())
    return toPython(*parts);
  if (const Output *tensor = weight.tensor())
    return objectOf(*tensor);
  return objectOf(*weight.variable());
}

namespace {

struct PythonPartitioner {
  nb::handle function;
  std::vector<int64_t> operator()(const Shape &shape, DType dtype) const {
    return calledBack([&] {
      nb::object parts = function(nb::arg("shape") = toPython(shape),
                                  nb::arg("dtype") = toPython(dtype));
      return from<std::vector<int64_t>>(parts.ptr());
    });
  }
};

} // namespace

Partitioner From<Partitioner>::convert(PyObject *value) {
  return value == Py_None ? Partitioner()
                          : Partitioner(PythonPartitioner{value});
}

nb::object To<Partitioner>::convert(const Partitioner &partitioner) {
  if (!partitioner)
    return nb::none();
  if (auto *given = partitioner.target<PythonPartitioner>())
    return nb::borrow(given->function);
  return nb::cpp_function(
      [partitioner](nb::handle shape, nb::handle dtype) {
        return raised([&] {
          return toPython(
              partitioner(shapeFrom(shape.ptr()), dtypeFrom(dtype.ptr())));
        });
      },
      nb::arg("shape"), nb::arg("dtype"));
}

namespace {

/// A getter of C++'s that Python calls.
struct GetterObject {
  VariableGetter getter;
};
/// A custom getter of C++'s that Python calls: one around another.
struct CustomGetterObject {
  CustomGetter getter;
};

/// The name and the options by position.
nb::object positional(nb::handle first, nb::handle second,
                      const std::string &name,
                      const GetVariableOptions &given) {
  GetVariableOptions options = given;
  nb::list all;
  all.append(first);
  if (second)
    all.append(second);
  all.append(toPython(name));
  withMembers(options,
              [&](auto &...members) { (all.append(toPython(members)), ...); });
  return nb::tuple(all);
}

nb::object calledWith(const nb::object &function, const nb::object &arguments) {
  PyObject *result = PyObject_CallObject(function.ptr(), arguments.ptr());
  if (!result)
    throw nb::python_error();
  return nb::steal(result);
}

/// A custom getter of Python's.
struct PythonCustomGetter {
  nb::handle function;
  Weight operator()(const VariableGetter &getter, const std::string &name,
                    const GetVariableOptions &options) const {
    return calledBack([&]() -> Weight {
      nb::object inner = nb::cast(GetterObject{getter});
      nb::object made = calledWith(classes().callCustomGetter,
                                   positional(function, inner, name, options));
      return from<Weight>(made.ptr());
    });
  }
};

/// A getter of Python's, which a custom getter of C++'s calls.
struct PythonGetter {
  nb::handle function;
  Weight operator()(const std::string &name,
                    const GetVariableOptions &options) const {
    return calledBack([&]() -> Weight {
      nb::object made = calledWith(classes().callGetter,
                                   positional(function, {}, name, options));
      return from<Weight>(made.ptr());
    });
  }
};

/// Makes the graph hold what its variable will call.
void keepConstraint(const GetVariableOptions &options) {
  using Given = Callback<Output(const Variable &)>;
  if (!options.constraint)
    return;
  if (auto *given = options.constraint->target<Given>())
    keep(GraphBuilder::current(), given->function);
}

Weight get(Arguments &arguments, const VariableGetter &getter) {
  auto name = arguments.take<std::string>();
  auto options = arguments.take<GetVariableOptions>();
  arguments.finish();
  keepConstraint(options);
  return getter(name, options);
}

Weight getKept(const std::string &name, const GetVariableOptions &options) {
  keepConstraint(options);
  return getWeight(name, options);
}

/// How many parts a partitioner of C++'s cuts each axis into.
template <auto make> struct Cut;
template <class... Parameters, Partitioner (*make)(Parameters...)>
struct Cut<make> {
  static std::vector<int64_t> parts(const Shape &shape, DType dtype,
                                    Parameters... parameters) {
    return make(parameters...)(shape, dtype);
  }
};

PyMethodDef functions[] = {
    function_<&getKept>("get_variable"),
    function_<&Cut<&fixedSizePartitioner>::parts>("fixed_size_parts"),
    function_<&Cut<&axisSizePartitioner>::parts>("axis_size_parts"),
    function_<&Cut<&minMaxPartitioner>::parts>("min_max_parts"),
    {nullptr, nullptr, 0, nullptr}};

Arguments argumentsOf(const nb::args &arguments) {
  return Arguments(PySequence_Fast_ITEMS(arguments.ptr()),
                   PyTuple_GET_SIZE(arguments.ptr()));
}

} // namespace

CustomGetter From<CustomGetter>::convert(PyObject *value) {
  if (value == Py_None)
    return {};
  const CustomGetterObject *known;
  if (nb::try_cast(nb::handle(value), known) && known)
    return known->getter;
  return PythonCustomGetter{value};
}

nb::object To<CustomGetter>::convert(const CustomGetter &getter) {
  if (!getter)
    return nb::none();
  if (auto *given = getter.target<PythonCustomGetter>())
    return nb::borrow(given->function);
  return nb::cast(CustomGetterObject{getter});
}

void bindCustomGetters(nb::module_ &module) {
  addFunctions(module, functions);
  nb::class_<GetterObject>(module, "VariableGetter")
      .def("__call__", [](const GetterObject &self, const nb::args &given) {
        return raised([&] {
          Arguments arguments = argumentsOf(given);
          return toPython(get(arguments, self.getter));
        });
      });
  nb::class_<CustomGetterObject>(module, "CustomGetter")
      .def("call", [](const CustomGetterObject &self, nb::handle getter,
                      const nb::args &given) {
        return raised([&] {
          Arguments arguments = argumentsOf(given);
          VariableGetter inner = PythonGetter{getter};
          return toPython(
              get(arguments, [&](const std::string &name,
                                 const GetVariableOptions &options) {
                return self.getter(inner, name, options);
              }));
        });
      });
  nb::class_<PartitionedVariable>(module, "PartitionedVariable",
                                  nb::dynamic_attr())
      .def("__init__",
           [](PartitionedVariable *self, const std::string &name,
              nb::handle shape, nb::handle parts, int axis) {
             new (self) PartitionedVariable(
                 name, shapeFrom(shape.ptr()),
                 from<std::vector<Variable>>(parts.ptr()), axis);
           })
      .def("_as_tensor", [](const PartitionedVariable &self) {
        return raised([&] { return objectOf(self.asTensor()); });
      });
}

} // namespace kiln::python::front
