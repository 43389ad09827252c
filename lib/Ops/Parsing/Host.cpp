// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Parsing/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addParsingKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"DecodeCSV", host::decodeCsv},
      {"DecodeCompressed", host::decodeCompressed},
      {"DecodeJSONExample", host::decodeJsonExample},
      {"ParseExample", host::parseExample},
      {"ParseExampleV2", host::parseExample},
      {"ParseSequenceExample", host::parseSequenceExample},
      {"ParseSequenceExampleV2", host::parseSequenceExample},
      {"ParseSingleExample", host::parseSingleExample},
      {"ParseSingleSequenceExample", host::parseSingleSequenceExample},
  });
}

} // namespace kiln
