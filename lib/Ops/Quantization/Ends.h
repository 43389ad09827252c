// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape functions say of the ends of ranges, which are inputs.
#ifndef KILN_LIB_OPS_QUANTIZATION_ENDS_H
#define KILN_LIB_OPS_QUANTIZATION_ENDS_H

#include "lib/OpDefs/Inference.h"

#include <initializer_list>

namespace kiln::shapes {

/// What TensorFlow's kernels take for the end of a range, and what they say of
/// anything else.
enum class EndText : uint8_t {
  Quoted,     ///< "`min` must be rank 0 but is rank 1"
  Plain,      ///< "min must be rank 0 but is rank 1"
  Number,     ///< "min must be a scalar"
  Received,   ///< "min shape must be rank 0 but is rank 1, received shape: [1]"
  OneElement, ///< "min must have 1 element"
  NotEmpty,   ///< "min must not be empty."
  OneOrVector, ///< "min must be a scalar or a vector of 1 element"
};

/// The inputs from `first` on are ends of ranges. **Errors**: INVALID_ARGUMENT
/// with the text.
Status checkEnds(InferenceContext &context, EndText text, int first,
                 std::initializer_list<std::string_view> names);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_QUANTIZATION_ENDS_H
