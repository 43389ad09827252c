// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program in two ways, here or in another process, and judges errors.
#include "kiln/GraphDef.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"
#include "test/fuzz/graphs/BadNodes.h"
#include "test/fuzz/graphs/Program.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::fuzz {
namespace {

/// A node that no request asks for.
bool isOfBadNode(const Status &status) {
  return status.node().find(badPrefix) != std::string_view::npos;
}

/// Limits the processor's time, not the clock's: the machine may have other
/// work.
void limitTime() {
  rlimit seconds{60, 60};
  ::setrlimit(RLIMIT_CPU, &seconds);
}

compare::Request requestOf(const Program &program) {
  compare::Request request;
  request.fetches = program.fetches;
  request.targets = program.targets;
  request.init = program.init;
  request.steps = program.runs;
  // Reduced programs may wait for what never comes.
  request.options.timeout = std::chrono::seconds(20);
  request.comparesCodes = program.isHostile || program.mayFailAnywhere;
  request.goesOn = !program.hasState();
  for (const Feeds &feeds : program.feeds) {
    std::vector<Feed> &list = request.feeds.emplace_back();
    for (const auto &[name, value] : feeds)
      list.push_back({name + ":0", value});
  }
  return request;
}

Outcome compareRequest(const Program &program, const compare::Request &request,
                       const std::shared_ptr<Graph> &graph,
                       const OpenProgram &first, const OpenProgram &second) {
  auto found = compare::compareRuns(
      *graph, [&] { return first(graph); }, [&] { return second(graph); },
      request);
  if (!found.ok() && isOfBadNode(found.status()))
    return {strCat(found.status().toString(), ": nobody asked for it"), {}};
  if (!found.ok())
    return {{}, found.status()};
  if (!*found)
    return {};
  // Memory runs out at another place in each, which the words say.
  constexpr std::string_view exhausted = "RESOURCE_EXHAUSTED";
  if ((*found)->tensor.empty() && (*found)->first.starts_with(exhausted) &&
      (*found)->second.starts_with(exhausted))
    return {{}, resourceExhaustedError((*found)->first)};
  return {(*found)->toString(), {}};
}

} // namespace

bool Program::hasState() const {
  auto isStateful = [](const proto::NodeDef &node) {
    const OpDef *def = lookupOp(node.op());
    return def && (def->hasEffect() || def->has(stateful) || def->has(cutsRun));
  };
  return std::ranges::any_of(graph.node(), isStateful) ||
         std::ranges::any_of(graph.library().function(),
                             [&](const proto::FunctionDef &function) {
                               return std::ranges::any_of(function.node_def(),
                                                          isStateful);
                             });
}

bool Program::mayFail(int64_t run, const Status &status) const {
  if (isOfBadNode(status))
    return false;
  if (mayFailAnywhere || run == 0 || !isExpected(run))
    return true;
  // The last part of a name that functions and frames may have made longer.
  std::string_view name = status.node();
  name.remove_prefix(name.rfind('/') + 1);
  auto found = idle.find(name);
  return found == idle.end() || found->second[setOf(run)];
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
    return isOfBadNode(graph.status()) ? Outcome{graph.status().toString(), {}}
                                       : Outcome{{}, graph.status()};
  compare::Request request = requestOf(program);
  Status failure = okStatus();
  request.mayFail = [&](int64_t run, const Status &status) {
    bool isInternal = isInternalFault(status),
         counts = run == 0 || program.isExpected(run) || isInternal ||
                  status.code() == StatusCode::Unimplemented;
    if (isInternal || (counts && failure.ok()))
      failure = status;
    return program.mayFail(run, status);
  };
  Outcome outcome = compareRequest(program, request, *graph, first, second);
  if (!outcome.difference)
    outcome.status = failure;
  if (outcome.isFault())
    return outcome;
  // By other sessions, each of which first does something else.
  for (const Program::Ask &ask : program.asks) {
    compare::Request other = request;
    other.fetches = ask.fetches;
    other.targets.clear();
    std::ranges::rotate(other.feeds, other.feeds.begin() + long(ask.set));
    other.steps = 2;
    other.mayFail = {};
    Outcome asked = compareRequest(program, other, *graph, first, second);
    if (asked.isFault())
      return asked;
  }
  return outcome;
}

Outcome compareProgram(const Program &program) {
  return compareProgram(program, opener(ExecutionMode::NativeOnly),
                        opener(ExecutionMode::EvaluatorOnly));
}

bool endsWell(const std::function<void()> &action) {
  pid_t child = ::fork();
  if (child == 0) {
    limitTime();
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

Outcome compareIsolated(const Program &program) {
  int ends[2];
  if (::pipe(ends) != 0)
    return {{}, unknownError("no pipe")};
  pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    limitTime();
    Outcome outcome = compareProgram(program);
    std::string text = outcome.difference
                           ? "d" + *outcome.difference
                           : std::string(1, 's') +
                                 char(int(outcome.status.code())) +
                                 std::string(outcome.status.message()) + '\0' +
                                 std::string(outcome.status.node());
    std::ignore = ::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, size_t(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return {WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                ? std::string("no end")
                : strCat("crash: ", ::strsignal(WTERMSIG(status))),
            {}};
  if (text.size() >= 1 && text[0] == 'd')
    return {text.substr(1), {}};
  if (text.size() < 2 || text[0] != 's')
    return {strCat("exit status ", WEXITSTATUS(status)), {}};
  size_t end = text.find('\0', 2);
  auto code = static_cast<StatusCode>(text[1]);
  if (code == StatusCode::Ok)
    return {};
  return {{}, Status(code, text.substr(2, end - 2), text.substr(end + 1))};
}

} // namespace kiln::fuzz
