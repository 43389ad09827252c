// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inflates strings.
#include "lib/IO/Inflate.h"
#include "lib/Ops/Parsing/Host.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::host {

using namespace io;

Status decodeCompressed(const HostCall &call) {
  auto type = call.node.attrOr<std::string>("compression_type", "");
  const Compression compression = compressionOf(type);
  if (compression == Compression::None && !type.empty())
    return invalidArgumentError(
        "Only ZLIB, GZIP or NONE are supported compressions");
  const Tensor &input = call.inputs[0];
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(DType::String, input.shape()));
  auto results = call.outputs[0].mutableData<String>();
  size_t at = 0;
  for (const String &text : input.data<String>()) {
    if (compression == Compression::None) {
      results[at++] = text;
      continue;
    }
    KILN_ASSIGN_OR_RETURN(std::string whole,
                          inflateString(text.view(), compression));
    KILN_ASSIGN_OR_RETURN(results[at++], String::create(whole));
  }
  return okStatus();
}

} // namespace kiln::host
