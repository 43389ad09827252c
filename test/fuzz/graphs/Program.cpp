// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program consists of, and its folder for kiln-run and TensorFlow.
#include "test/fuzz/graphs/Program.h"

#include "kiln/GraphDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace kiln::fuzz {
namespace {

bool isSource(const std::string &op) {
  return op == "Const" || op.starts_with("Placeholder");
}

std::string quotedList(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &name : list)
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return "[" + text + "]";
}

std::string asksText(const std::vector<Program::Ask> &asks) {
  std::string text;
  for (const Program::Ask &ask : asks)
    text += strCat(text.empty() ? "" : ", ",
                   "{\"fetches\": ", quotedList(ask.fetches),
                   ", \"set\": ", ask.set, "}");
  return text;
}

Status writeFile(const std::filesystem::path &path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  return file ? okStatus()
              : unknownError(strCat("cannot write ", path.string()));
}

} // namespace

int Program::numNodes() const {
  int number = graph.node_size();
  for (const proto::FunctionDef &function : graph.library().function())
    number += function.node_def_size();
  return number;
}

int Program::numOps() const {
  int number = 0;
  for (const proto::NodeDef &node : graph.node())
    number += !isSource(node.op());
  for (const proto::FunctionDef &function : graph.library().function())
    for (const proto::NodeDef &node : function.node_def())
      number += !isSource(node.op());
  return number;
}

StatusOr<std::string> saveProgram(const Program &program,
                                  const std::string &folder) {
  std::filesystem::path base(folder);
  std::error_code error;
  std::filesystem::create_directories(base, error);
  KILN_RETURN_IF_ERROR(
      writeFile(base / "graph.pb", program.graph.SerializeAsString()));
  // Also of what cannot be loaded.
  KILN_RETURN_IF_ERROR(
      writeFile(base / "graph.pbtxt", program.graph.Utf8DebugString()));
  std::string command = "kiln-run " + (base / "graph.pb").string();
  for (size_t set = 0; set < program.feeds.size(); ++set) {
    Graph values;
    for (const auto &[name, value] : program.feeds[set])
      KILN_RETURN_IF_ERROR(
          values
              .addNode({.name = name,
                        .op = "Const",
                        .attrs = {{"dtype", value.dtype()}, {"value", value}}})
              .status());
    std::string path = base / ("feeds" + std::to_string(set) + ".pb");
    KILN_RETURN_IF_ERROR(saveGraphDefFile(values, path));
    command += " --feeds " + path;
  }
  for (const std::string &fetch : program.fetches)
    command += " --fetch " + fetch;
  for (const std::string &target : program.targets)
    command += " --target " + target;
  if (!program.init.empty())
    command += " --init";
  command += " --steps " + std::to_string(program.runs) + " --compare";
  KILN_RETURN_IF_ERROR(writeFile(
      base / "request.json",
      strCat("{\"fetches\": ", quotedList(program.fetches),
             ",\n \"targets\": ", quotedList(program.targets), ",\n \"init\": ",
             quotedList(program.init), ",\n \"runs\": ", program.runs,
             ", \"sets\": ", program.feeds.size(),
             ", \"hasState\": ", program.hasState() ? "true" : "false",
             ",\n \"asks\": [", asksText(program.asks), "]}\n")));
  KILN_RETURN_IF_ERROR(writeFile(base / "replay.txt", command + "\n"));
  return command;
}

bool isInternalFault(const Status &status) {
  return status.code() == StatusCode::Internal &&
         status.message().find("rejection sampler failed") ==
             std::string_view::npos;
}

} // namespace kiln::fuzz
