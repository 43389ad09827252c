// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of neural networks take: paddings, parameters in parts.
#ifndef KILN_PYTHON_BIND_FRONT_NNVALUES_H
#define KILN_PYTHON_BIND_FRONT_NNVALUES_H

#include "kiln/SampledLosses.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/EmbeddingOps.h"
#include "python/bind/front/Values.h"

namespace kiln::python::front {

template <> struct From<ops::EmbeddingParameters> {
  static ops::EmbeddingParameters convert(PyObject *value) {
    if (!PyList_Check(value) && !PyTuple_Check(value))
      return inputFrom(value);
    std::vector<Input> parts;
    for (const nanobind::object &each : elementsOf(value))
      parts.push_back(inputFrom(each.ptr()));
    return ops::EmbeddingParameters(std::move(parts));
  }
};
template <> struct From<ops::Padding> {
  static ops::Padding convert(PyObject *value) {
    if (PyUnicode_Check(value))
      return textFrom(value);
    return from<std::vector<std::vector<int64_t>>>(value);
  }
};

/// What a sampler gave: (sampled, true counts, sampled counts).
template <> struct From<ops::SampledCandidates> {
  static ops::SampledCandidates convert(PyObject *value) {
    std::vector<Output> parts;
    for (const nanobind::object &each : elementsOf(value))
      parts.push_back(GraphBuilder::current().convert(inputFrom(each.ptr())));
    if (parts.size() != 3)
      throw nanobind::value_error("sampled_values must be three tensors.");
    return {parts[0], parts[1], parts[2]};
  }
};

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_NNVALUES_H
