// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops on strings that give as many as they find, match and
// recode.
#ifndef KILN_LIB_OPS_STRINGS_HOST_H
#define KILN_LIB_OPS_STRINGS_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: with its texts.
Status decodePaddedRaw(const HostCall &call);
Status stringSplit(const HostCall &call);
Status stringSplitV2(const HostCall &call);
Status unsortedSegmentJoin(const HostCall &call);

/// With patterns that are inputs, or attributes. **Errors**: INVALID_ARGUMENT
/// with TensorFlow's text for what is no pattern.
Status regexFullMatch(const HostCall &call);
Status regexReplace(const HostCall &call);

/// As TensorFlow's StringNGrams. **Errors**: with its texts; RESOURCE_EXHAUSTED
/// for more than 2^31 strings that are joined.
Status stringNgrams(const HostCall &call);

/// As TensorFlow's ops of these names, of the encodings that Encoding has.
/// **Errors**: with its texts; INVALID_ARGUMENT for other encodings.
Status unicodeDecode(const HostCall &call);
Status unicodeEncode(const HostCall &call);
Status unicodeTranscode(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_STRINGS_HOST_H
