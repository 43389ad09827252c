// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An argument or result in the signature of an op or a function.
#ifndef KILN_LIB_GRAPH_ARGDEF_H
#define KILN_LIB_GRAPH_ARGDEF_H

#include "kiln/DType.h"

#include <string>

namespace kiln {

/// An input or output. Exactly one of dtype, typeAttr and typeListAttr is set.
struct ArgDef {
  std::string name;
  DType dtype = DType::Invalid;
  std::string typeAttr;
  std::string typeListAttr;
  /// The int attribute that says how many tensors of this type there are; empty
  /// for one.
  std::string numberAttr;
  bool isRef = false;
};

} // namespace kiln

#endif // KILN_LIB_GRAPH_ARGDEF_H
