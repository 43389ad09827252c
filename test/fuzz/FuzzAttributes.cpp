// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node with attributes of every kind, nested ones too: decoding, checks by
// schema and inference, and the way back to the same bytes.
#include "kiln/GraphDef.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "test/fuzz/MessageMutator.h"
#include "test/fuzz/Words.h"

#include <cstdlib>

using namespace kiln;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  proto::NodeDef node;
  if (!io::parseBinary({reinterpret_cast<const char *>(data), size}, 100, node)
           .ok())
    return 0;
  // What the inputs name exists, so that checks get beyond the edges.
  proto::GraphDef graphDef;
  for (const std::string &input : node.input()) {
    proto::NodeDef &source = *graphDef.add_node();
    source.set_name(input.substr(0, input.find(':')));
    source.set_op("Placeholder");
    (*source.mutable_attr())["dtype"].set_type(proto::DT_FLOAT);
    if (auto found = node.attr().find("T");
        found != node.attr().end() &&
        found->second.value_case() == proto::AttrValue::kType)
      (*source.mutable_attr())["dtype"] = found->second;
    if (source.name() == node.name() || graphDef.node_size() > 16)
      break;
  }
  *graphDef.add_node() = node;
  GraphLoadOptions options;
  options.maxConstantBytes = size_t{1} << 24;
  auto first = loadGraphDef(graphDef.SerializeAsString(), options);
  if (!first.ok())
    return 0;
  auto bytes = toGraphDef(**first);
  if (!bytes.ok())
    return 0;
  auto second = loadGraphDef(*bytes, options);
  if (!second.ok() || !(*first)->isIdenticalTo(**second))
    std::abort(); // the graph did not survive the round trip
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  proto::NodeDef message;
  return fuzz::mutateBinary(message, data, size, maxSize, seed,
                            fuzz::opWords());
}
