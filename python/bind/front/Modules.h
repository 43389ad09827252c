// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of kiln._kiln.front, which kiln.compat.v1 is written on.
#ifndef KILN_PYTHON_BIND_FRONT_MODULES_H
#define KILN_PYTHON_BIND_FRONT_MODULES_H

#include <nanobind/nanobind.h>

namespace kiln::python::front {

void bindClasses(nanobind::module_ &module);
void bindGraphs(nanobind::module_ &module);
void bindScopes(nanobind::module_ &module);
void bindOps(nanobind::module_ &module);
void bindArrayOps(nanobind::module_ &module);
void bindMathOps(nanobind::module_ &module);
void bindNnOps(nanobind::module_ &module);
void bindVariables(nanobind::module_ &module);
void bindCustomGetters(nanobind::module_ &module);
void bindLayers(nanobind::module_ &module);
void bindLosses(nanobind::module_ &module);
void bindControlFlow(nanobind::module_ &module);
void bindDefinedFunctions(nanobind::module_ &module);
void bindGradients(nanobind::module_ &module);
void bindRnn(nanobind::module_ &module);
void bindImages(nanobind::module_ &module);
void bindTraining(nanobind::module_ &module);
void bindSaving(nanobind::module_ &module);
void bindInputPipeline(nanobind::module_ &module);
void bindSummaries(nanobind::module_ &module);

/// Adds all of them.
void bindFront(nanobind::module_ &parent);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_MODULES_H
