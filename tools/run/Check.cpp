// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Missing ops and dtypes as a table.
#include "tools/run/Check.h"

#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::run {
namespace {

std::string counted(int64_t count, std::string_view noun) {
  return strCat(count, " ", noun, count == 1 ? "" : "s");
}

std::string section(std::string_view heading,
                    std::span<const MissingOp> missing, bool isWholeOp) {
  size_t width = 0;
  for (const MissingOp &each : missing)
    width = std::max(width, each.op.size());
  std::string text;
  for (const MissingOp &each : missing) {
    if (each.lack.empty() != isWholeOp)
      continue;
    text +=
        strCat("  ", each.op, std::string(width - each.op.size() + 2, ' '),
               counted(each.nodes, "node"), ", the first ", quote(each.node));
    text += each.lack.empty() ? "\n" : strCat(": ", each.lack, "\n");
  }
  return text.empty() ? text : strCat("\n", heading, "\n", text);
}

} // namespace

std::string checkText(std::span<const MissingOp> missing,
                      const std::string &path, int numNodes) {
  std::string text = strCat(path, ": ", counted(numNodes, "node"), "; ");
  if (missing.empty())
    return text + "nothing is missing\n";
  int64_t nodes = 0;
  for (const MissingOp &each : missing)
    nodes += each.nodes;
  return strCat(text, "Kiln cannot run ", counted(nodes, "node"),
                ", those of functions included\n",
                section("missing ops", missing, true),
                section("missing dtypes", missing, false));
}

} // namespace kiln::run
