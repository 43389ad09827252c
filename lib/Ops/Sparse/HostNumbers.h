// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on elements of a type that a node's attribute names, as
// TensorFlow's kernels do it: narrow floats round after each step, integers
// wrap.
#ifndef KILN_LIB_OPS_SPARSE_HOSTNUMBERS_H
#define KILN_LIB_OPS_SPARSE_HOSTNUMBERS_H

#include "kiln/Node.h"
#include "kiln/Status.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <type_traits>

namespace kiln::host {

template <class T> T sumOf(T a, T b) {
  if constexpr (std::is_class_v<T>)
    return T(static_cast<float>(a) + static_cast<float>(b));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}

/// Calls body with a value of the C++ type of an attribute's dtype. **Errors**:
/// UNIMPLEMENTED for types without arithmetic.
template <class Body>
Status withNumber(const Node &node, std::string_view attr, Body &&body) {
  const auto dtype = node.attrOr<DType>(attr, DType::Invalid);
  if (dtype == DType::Float16)
    return body(Half());
  if (dtype == DType::BFloat16)
    return body(BFloat16());
  if (dtype == DType::Bool || !isSupported(dtype) || dtype == DType::String)
    return unimplementedError(
        strCat(node.op(), " of ", dtypeName(dtype), " is not implemented"));
  return dispatchNumber(dtype, body);
}

} // namespace kiln::host

#endif // KILN_LIB_OPS_SPARSE_HOSTNUMBERS_H
