// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that read and write pictures.
#ifndef KILN_LIB_IO_PNGOPS_H
#define KILN_LIB_IO_PNGOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's ops of these names; a JPEG or GIF file, which TensorFlow's
/// DecodePng reads too, is UNIMPLEMENTED. **Errors**: with its texts.
Status decodePngOp(const HostCall &call);
Status encodePngOp(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_PNGOPS_H
