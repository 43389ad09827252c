// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Strings/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addStringsKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"DecodePaddedRaw", host::decodePaddedRaw},
      {"RegexFullMatch", host::regexFullMatch},
      {"RegexReplace", host::regexReplace},
      {"StaticRegexFullMatch", host::regexFullMatch},
      {"StaticRegexReplace", host::regexReplace},
      {"StringNGrams", host::stringNgrams},
      {"StringSplit", host::stringSplit},
      {"StringSplitV2", host::stringSplitV2},
      {"UnicodeDecode", host::unicodeDecode},
      {"UnicodeDecodeWithOffsets", host::unicodeDecode},
      {"UnicodeEncode", host::unicodeEncode},
      {"UnicodeTranscode", host::unicodeTranscode},
      {"UnsortedSegmentJoin", host::unsortedSegmentJoin},
  });
}

} // namespace kiln
