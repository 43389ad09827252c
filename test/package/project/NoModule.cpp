// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs beside a libkiln.so without its module: what needs the module says so,
// and all else runs.
#include <kiln/GraphDef.h>
#include <kiln/Ops.h>
#include <kiln/Session.h>

#include <cstdio>
#include <memory>
#include <string>

using namespace kiln;

namespace {

bool saysSo(const Status &status) {
  return status.code() == StatusCode::FailedPrecondition &&
         status.message().find("loading libkiln-io.so") != std::string::npos;
}

int fail(const char *expected, const Status &got) {
  std::fprintf(stderr, "expected %s, got %s\n", expected,
               got.toString().c_str());
  return 1;
}

} // namespace

int main() {
  auto graph = std::make_shared<Graph>(makeNodeChecker(), GraphLimits());
  auto add = [&](NodeSpec node) {
    return graph->addNode(std::move(node)).status();
  };
  auto text = [&](const char *name, const char *value) {
    return add({.name = name,
                .op = "Const",
                .attrs = {{"dtype", DType::String},
                          {"value", Tensor::scalar(std::string_view(value))}}});
  };
  for (Status status :
       {text("text", "a,b"), text("comma", ","),
        add({.name = "texts",
             .op = "Placeholder",
             .attrs = {{"dtype", DType::String}, {"shape", Shape({-1})}}}),
        add({.name = "split",
             .op = "StringSplit",
             .inputs = {"texts", "comma"},
             .attrs = {{"skip_empty", true}}}),
        add({.name = "replaced",
             .op = "RegexReplace",
             .inputs = {"texts", "comma", "text"}})})
    if (!status.ok())
      return fail("a node", status);
  auto session = Session::create(graph);
  if (!session.ok())
    return fail("a session", session.status());
  const std::string value = "x,y,z";
  const Feed feed = {"texts:0", *Tensor::fromStrings({1}, {value})};
  for (int i = 0; i < 3; ++i) {
    auto split = (*session)->run({feed}, {"split:1"});
    if (!split.ok() || (*split)[0].numElements() != 3)
      return fail("three pieces", split.status());
    Status replaced = (*session)->run({feed}, {"replaced:0"}).status();
    if (!saysSo(replaced) || replaced.node() != "replaced")
      return fail("an op without its module", replaced);
  }
  if (Status loaded = loadGraphDef("").status(); !saysSo(loaded))
    return fail("a format without its module", loaded);
  return 0;
}
