// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what a run gave is what TensorFlow gave.
#ifndef KILN_TOOLS_GOLDEN_COMPARE_H
#define KILN_TOOLS_GOLDEN_COMPARE_H

#include "kiln/Graph.h"
#include "tools/golden/Case.h"

#include <string>

namespace kiln::golden {

struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// Compares dtype, shape and elements: |got - want| <= atol + rtol * |want|;
/// NaN matches NaN, infinities match exactly, and at rtol 0 the signs of zeros,
/// too. Returns what differs, "got" beside "expected"; empty when nothing does.
std::string compareTensors(const Tensor &got, const Tensor &want,
                           Tolerance tolerance);

/// Compares a fetch with what is expected of it; `contents` has the arrays.
std::string compareFetch(const Tensor &got, const Expectation &want,
                         Tolerance tolerance, const Contents &contents);

/// Compares an error: the code of TensorFlow's exception class; one of the
/// nodes, or the tensor concerned (what such a node reads; for variables
/// without a value any variable); every number, bracketed shape and quoted name
/// of the message. Returns what is missing; empty when nothing is.
std::string compareError(const Status &got, const ExpectedError &want,
                         const Graph &graph);

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_COMPARE_H
