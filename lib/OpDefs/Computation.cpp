// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks ops without a lowering up.
#include "lib/OpDefs/Computation.h"

#include <unordered_map>

namespace kiln {
namespace {

using Table = std::unordered_map<std::string_view, Computation>;

void add(Table &table, Computation computation, std::string_view ops) {
  while (!ops.empty()) {
    const size_t end = ops.find(' ');
    table.emplace(ops.substr(0, end), computation);
    ops.remove_prefix(end == ops.npos ? ops.size() : end + 1);
  }
}

Table makeTable() {
  using enum Computation::By;
  Table table;
#define KILN_OP_ELSEWHERE(where, ops) add(table, {Elsewhere, where}, ops);
#define KILN_OP_MISSING(what, ops) add(table, {Nothing, what}, ops);
#include "lib/OpDefs/OpsWithoutKernel.def"
  return table;
}

} // namespace

Computation computationOf(const OpDef &def) {
  using enum Computation::By;
  if (def.has(hostBody))
    return {HostKernel, "a host kernel, which native code calls"};
  if (def.has(cutsRun))
    return {Cut, "a host kernel, between two parts of a run"};
  static const Table &table = *new Table(makeTable());
  auto found = table.find(def.name);
  return found == table.end() ? Computation{Code, "native code"}
                              : found->second;
}

} // namespace kiln
