// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln._kiln.front: graph construction for kiln.compat.v1.
#include "python/bind/front/Collections.h"
#include "python/bind/front/GraphObjects.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {
namespace nb = nanobind;

void bindClasses(nb::module_ &module) {
  module.def("set_classes", [](const nb::kwargs &given) {
    Classes &all = classes();
    const std::pair<const char *, nb::object *> members[] = {
        {"graph", &all.graph},
        {"operation", &all.operation},
        {"tensor", &all.tensor},
        {"variable", &all.variable},
        {"shape", &all.shape},
        {"shape_class", &all.shapeClass},
        {"as_dtype", &all.asDType},
        {"as_shape", &all.asShape},
        {"as_initializer", &all.asInitializer},
        {"convert", &all.convert},
        {"indexed_slices", &all.indexedSlices},
        {"sparse_tensor", &all.sparseTensor},
        {"saver", &all.saver},
        {"queue_runner", &all.queueRunner},
        {"partitioned", &all.partitioned},
        {"call_custom_getter", &all.callCustomGetter},
        {"call_getter", &all.callGetter}};
    for (auto [name, member] : members)
      if (given.contains(name))
        *member = given[name];
  });
  module.def("set_dtype", [](nb::object dtype) {
    const auto &held = nb::cast<const DTypeObject &>(dtype);
    auto &all = held.isRef ? classes().refDTypes : classes().dtypes;
    all.at(static_cast<size_t>(held.dtype)) = dtype;
  });
}

void bindFront(nb::module_ &parent) {
  nb::module_ module = parent.def_submodule("front");
  bindGraphObjects(module);
  bindClasses(module);
  bindCollections(module);
  bindGraphs(module);
  bindScopes(module);
  bindOps(module);
  bindArrayOps(module);
  bindMathOps(module);
  bindNnOps(module);
  bindVariables(module);
  bindCustomGetters(module);
  bindControlFlow(module);
  bindDefinedFunctions(module);
  bindGradients(module);
  bindImages(module);
  bindTraining(module);
  bindRnn(module);
  bindSaving(module);
  bindInputPipeline(module);
  bindLayers(module);
  bindSummaries(module);
  bindLosses(module);
}

} // namespace kiln::python::front
