// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program in two ways, and saves it for kiln-run and TensorFlow.
#include "test/fuzz/graphs/Program.h"

#include "kiln/GraphDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

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

OpenProgram opener(ExecutionMode mode) {
  return [mode](std::shared_ptr<Graph> graph) {
    SessionOptions options;
    options.mode = mode;
    options.threads = 1;
    options.fileFolders.emplace();
    // So that some loops stream what they make and others do not.
    options.code.minStreamedBytes = 256;
    options.limits.maxRunBytes = int64_t(1) << 30;
    return Session::create(std::move(graph), options);
  };
}

Outcome compareProgram(const Program &program, const OpenProgram &first,
                       const OpenProgram &second) {
  auto graph = loadGraphDef(program.graph.SerializeAsString());
  if (!graph.ok())
    return {{}, graph.status()};
  compare::Request request;
  request.fetches = program.fetches;
  request.targets = program.targets;
  request.init = program.init;
  request.steps = program.runs;
  // Reduced programs may wait for what nobody gives.
  request.options.timeout = std::chrono::seconds(20);
  for (const Feeds &feeds : program.feeds) {
    std::vector<Feed> &list = request.feeds.emplace_back();
    for (const auto &[name, value] : feeds)
      list.push_back({name + ":0", value});
  }
  auto found = compare::compareRuns(
      **graph, [&] { return first(*graph); }, [&] { return second(*graph); },
      request);
  if (!found.ok())
    return {{}, found.status()};
  // Memory runs out at another place in each, which the words say.
  constexpr std::string_view exhausted = "RESOURCE_EXHAUSTED";
  if (*found && (*found)->tensor.empty() &&
      (*found)->first.starts_with(exhausted) &&
      (*found)->second.starts_with(exhausted))
    return {{}, resourceExhaustedError((*found)->first)};
  return {*std::move(found), okStatus()};
}

Outcome compareProgram(const Program &program) {
  return compareProgram(program, opener(ExecutionMode::NativeOnly),
                        opener(ExecutionMode::EvaluatorOnly));
}

StatusOr<std::string> saveProgram(const Program &program,
                                  const std::string &folder) {
  std::filesystem::path base(folder);
  std::error_code error;
  std::filesystem::create_directories(base, error);
  KILN_RETURN_IF_ERROR(
      writeFile(base / "graph.pb", program.graph.SerializeAsString()));
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Graph> graph,
                        loadGraphDef(program.graph.SerializeAsString()));
  KILN_RETURN_IF_ERROR(
      saveGraphDefFile(*graph, base / "graph.pbtxt", GraphDefFormat::Text));
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
             ", \"sets\": ", program.feeds.size(), "}\n")));
  KILN_RETURN_IF_ERROR(writeFile(base / "replay.txt", command + "\n"));
  return command;
}

} // namespace kiln::fuzz
