// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in NumPy's .npy files as tensors.
#ifndef KILN_TOOLS_COMMON_NPY_H
#define KILN_TOOLS_COMMON_NPY_H

#include "kiln/Tensor.h"

#include <string>
#include <string_view>

namespace kiln {

/// Parses a .npy file. **Types**: bool, integers of 1 to 8 bytes, floats of 2,
/// 4 and 8; of either order of bytes. Byte strings ("S") and texts ("U", as
/// UTF-8) become strings, without the zeros at their ends, as in NumPy.
/// **Edges**: Fortran order is turned into C order.
/// **Errors**: INVALID_ARGUMENT for anything that is not such a file, with what
/// is wrong; RESOURCE_EXHAUSTED. **Source**: NumPy's "NEP 1, A Simple File
/// Format for NumPy Arrays", versions 1 to 3.
StatusOr<Tensor> parseNpy(std::string_view bytes);
/// As parseNpy(), from a file of at most maxFileBytes; the path is in the
/// message.
StatusOr<Tensor> readNpy(const std::string &path,
                         size_t maxFileBytes = size_t(16) << 30);

/// Writes a tensor in C order, version 1; strings as "S" of the longest one.
/// **Errors**: UNIMPLEMENTED for a dtype that NumPy does not have and for a
/// string that ends in a zero byte, which "S" loses; RESOURCE_EXHAUSTED for the
/// items of strings; as writeFileAtomically(). The path is in the message.
Status writeNpy(const std::string &path, const Tensor &tensor);

} // namespace kiln

#endif // KILN_TOOLS_COMMON_NPY_H
