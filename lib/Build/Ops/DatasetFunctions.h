// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of datasets as attributes of nodes.
#ifndef KILN_LIB_BUILD_OPS_DATASETFUNCTIONS_H
#define KILN_LIB_BUILD_OPS_DATASETFUNCTIONS_H

#include "kiln/Attributes.h"
#include "kiln/Functions.h"

#include <string_view>
#include <vector>

namespace kiln::data {

/// A function of the graph's library, and what a node that calls it is given.
struct PipelineFunction {
  NameAttrList function;
  std::vector<Output> captures;
  std::vector<DType> dtypes; ///< of its results
  std::vector<Shape> shapes;
};

/// Traces a function of arguments of these types and shapes.
PipelineFunction pipelineFunction(std::string_view name,
                                  const std::vector<DType> &dtypes,
                                  const std::vector<Shape> &shapes,
                                  const FunctionBodyFn &body);

/// What both shapes say. **Source**: most_specific_compatible_shape.
Shape commonShape(const Shape &a, const Shape &b);

} // namespace kiln::data

#endif // KILN_LIB_BUILD_OPS_DATASETFUNCTIONS_H
