// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that add ops have in common.
#ifndef KILN_OPOPTIONS_H
#define KILN_OPOPTIONS_H

#include "kiln/GraphBuilder.h"

#include <string>
#include <vector>

namespace kiln {

/// The options of ops without optional attributes.
struct OpOptions {
  /// The op's type where it is empty. Made unique; one that ends in "/", as
  /// NameScope::name() gives it, is taken as it is.
  std::string name = {};
};

/// One function for each op, under its own name, with the types and numbers
/// that follow from the inputs left out. What Python's functions add beside the
/// node is in kiln::ops.
namespace rawOps {
using kiln::OpOptions;
}

/// TensorFlow's functions. An op is added to the graph that its inputs are in,
/// or else to GraphBuilder::current(). **Errors** are the graph's: an Output
/// without a node, a null operation.
namespace ops {
using kiln::OpOptions;
}

} // namespace kiln

#endif // KILN_OPOPTIONS_H
