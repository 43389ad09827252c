// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches strings against regular expressions. Here, because RE2 is a shared
// library as protobuf is, of which TensorFlow brings another one.
#include "lib/Ops/Strings/Host.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <re2/re2.h>
#include <string>

namespace kiln::host {
namespace {

re2::StringPiece pieceOf(std::string_view text) {
  return {text.data(), text.size()};
}

/// Input i, or the attribute of a Static op.
std::string textOf(const HostCall &call, size_t i, std::string_view name) {
  return call.inputs.size() > i
             ? std::string(call.inputs[i].data<String>()[0].view())
             : call.node.attrOr<std::string>(name, "");
}

Status check(const RE2 &pattern) {
  if (pattern.ok())
    return okStatus();
  return invalidArgumentError(strCat("Invalid pattern: ", pattern.pattern(),
                                     ", error: ", pattern.error()));
}

} // namespace

Status regexFullMatch(const HostCall &call) {
  const RE2 pattern(textOf(call, 1, "pattern"), RE2::Quiet);
  KILN_RETURN_IF_ERROR(check(pattern));
  const Tensor &input = call.inputs[0];
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(DType::Bool, input.shape()));
  auto texts = input.data<String>();
  auto matches = call.outputs[0].mutableData<bool>();
  for (size_t i = 0; i < texts.size(); ++i)
    matches[i] = RE2::FullMatch(pieceOf(texts[i].view()), pattern);
  return okStatus();
}

Status regexReplace(const HostCall &call) {
  const RE2 pattern(textOf(call, 1, "pattern"), RE2::Quiet);
  const std::string rewrite = textOf(call, 2, "rewrite");
  KILN_RETURN_IF_ERROR(check(pattern));
  const bool isGlobal = call.node.attrOr<bool>("replace_global", true);
  const Tensor &input = call.inputs[0];
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(DType::String, input.shape()));
  auto texts = input.data<String>();
  auto results = call.outputs[0].mutableData<String>();
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string text(texts[i].view());
    if (isGlobal)
      RE2::GlobalReplace(&text, pattern, rewrite);
    else
      RE2::Replace(&text, pattern, rewrite);
    KILN_ASSIGN_OR_RETURN(results[i], String::create(text));
  }
  return okStatus();
}

} // namespace kiln::host
