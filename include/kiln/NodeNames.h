// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of nodes that TensorFlow's C interface takes and no other.
#ifndef KILN_NODENAMES_H
#define KILN_NODENAMES_H

#include "kiln/Export.h"

namespace kiln {

/// While one lives, nodes that this thread adds to graphs may have any names
/// but empty ones: Graph::addNode() demands isValidNodeName() otherwise.
/// GraphDefs with such names cannot be read again. **Source**:
/// TF_FinishOperation, which looks at no name.
class [[nodiscard]] KILN_EXPORT AnyNodeNames {
public:
  AnyNodeNames() noexcept;
  ~AnyNodeNames();
  AnyNodeNames(const AnyNodeNames &) = delete;
  AnyNodeNames &operator=(const AnyNodeNames &) = delete;
};

} // namespace kiln

#endif // KILN_NODENAMES_H
