// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that are done here.
#include "lib/IO/CheckpointOps.h"
#include "lib/IO/ExampleOps.h"
#include "lib/IO/FileOps.h"
#include "lib/IO/NgramOps.h"
#include "lib/IO/PngOps.h"
#include "lib/IO/RegexOps.h"
#include "lib/IO/SparseMessageOps.h"
#include "lib/IO/SplitOps.h"
#include "lib/IO/SummaryOps.h"
#include "lib/IO/UnicodeOps.h"
#include "lib/IO/VocabularyOps.h"

namespace kiln {

std::span<const HostBody> ioOps() {
  static constexpr HostBody ops[] = {
#define KILN_IO_OP(type, function, effect)                                     \
  {#type, io::function, HostEffect::effect},
#include "lib/IO/IoOps.def"
  };
  return ops;
}

} // namespace kiln
