// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of a GraphDef: bytes as they come, and printed messages; what
// loads is printed and loads again as the same graph.
#include "kiln/GraphDef.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "test/fuzz/MessageMutator.h"
#include "test/fuzz/Words.h"

#include <algorithm>
#include <cstdlib>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

using namespace kiln;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  GraphLoadOptions options;
  options.maxConstantBytes = size_t{1} << 24;
  auto first =
      loadGraphDef({reinterpret_cast<const char *>(data), size}, options);
  if (!first.ok())
    return 0;
  for (GraphDefFormat format : {GraphDefFormat::Text, GraphDefFormat::Binary}) {
    auto bytes = toGraphDef(**first, format);
    if (!bytes.ok())
      continue;
    auto second = loadGraphDef(*bytes, options);
    if (!second.ok() || !(*first)->isIdenticalTo(**second))
      std::abort(); // the graph did not survive the round trip
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 2)
    return LLVMFuzzerMutate(data, size, maxSize);
  proto::GraphDef message;
  if (!io::parseText({reinterpret_cast<const char *>(data), size}, 100, message)
           .ok())
    return LLVMFuzzerMutate(data, size, maxSize);
  fuzz::mutateMessage(message, fuzz::opWords(), random);
  auto text = io::serialize(message, GraphDefFormat::Text);
  if (!text.ok() || text->size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(text->begin(), text->end(), data);
  return text->size();
}
