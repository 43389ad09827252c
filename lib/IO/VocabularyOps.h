// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that carry a model over to another vocabulary.
#ifndef KILN_LIB_IO_VOCABULARYOPS_H
#define KILN_LIB_IO_VOCABULARYOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's ops of these names. **Errors**: with its texts.
Status generateVocabRemapping(const HostCall &call);
Status loadAndRemapMatrix(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_VOCABULARYOPS_H
