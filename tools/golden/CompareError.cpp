// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing errors: the facts of a message count, not its words.
#include "tools/golden/Compare.h"

#include "kiln/NodeTraits.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <regex>
#include <set>

namespace kiln::golden {
namespace {

/// The code of a TensorFlow exception class; Unknown for another class.
StatusCode codeOf(std::string_view type) {
  constexpr std::pair<std::string_view, StatusCode> codes[] = {
      {"AbortedError", StatusCode::Aborted},
      {"AlreadyExistsError", StatusCode::AlreadyExists},
      {"CancelledError", StatusCode::Cancelled},
      {"DataLossError", StatusCode::DataLoss},
      {"DeadlineExceededError", StatusCode::DeadlineExceeded},
      {"FailedPreconditionError", StatusCode::FailedPrecondition},
      {"InternalError", StatusCode::Internal},
      {"InvalidArgumentError", StatusCode::InvalidArgument},
      {"KeyError", StatusCode::NotFound},
      {"NotFoundError", StatusCode::NotFound},
      {"OutOfRangeError", StatusCode::OutOfRange},
      {"PermissionDeniedError", StatusCode::PermissionDenied},
      {"ResourceExhaustedError", StatusCode::ResourceExhausted},
      {"RuntimeError", StatusCode::FailedPrecondition},
      {"TypeError", StatusCode::InvalidArgument},
      {"UnauthenticatedError", StatusCode::Unauthenticated},
      {"UnavailableError", StatusCode::Unavailable},
      {"UnimplementedError", StatusCode::Unimplemented},
      {"ValueError", StatusCode::InvalidArgument},
  };
  for (const auto &[name, code] : codes)
    if (name == type)
      return code;
  return StatusCode::Unknown;
}

/// What `group` of the pattern takes from the text, without spaces.
std::set<std::string> findAll(const std::string &text,
                              const std::regex &pattern, size_t group) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end;
       it != end; ++it) {
    std::string part = (*it)[group].str();
    std::erase(part, ' ');
    found.insert(part);
  }
  return found;
}

/// The numbers and bracketed shapes; a digit inside of a name is no number.
std::set<std::string> numbersAndShapes(const std::string &message) {
  static const std::regex number(
      R"((^|[^\w.])([-+]?\d+(\.\d+)?([eE][-+]?\d+)?)(?![\w]))");
  static const std::regex shape(R"([\[(][-\d?, ]*[\])])");
  std::set<std::string> facts = findAll(message, number, 2);
  facts.merge(findAll(message, shape, 0));
  return facts;
}

std::set<std::string> quotedNames(const std::string &message) {
  static const std::regex quoted(R"((^|[^\w])(['"])([^'"]+)\2)");
  return findAll(message, quoted, 3);
}

/// The nodes that an error may name where TensorFlow named `nodes`.
std::set<std::string> concerned(const std::vector<std::string> &nodes,
                                bool uninitialized, const Graph &graph) {
  std::set<std::string> names(nodes.begin(), nodes.end());
  for (const std::string &name : nodes)
    if (const Node *node = graph.lookup(name))
      for (const Output &input : node->inputs())
        names.insert(input.node->name());
  // Which of several variables without a value is named is chance.
  if (uninitialized)
    for (int id = 0; id < graph.numNodes(); ++id)
      if (const Node *node = graph.node(id); traitsOf(*node).isVariable)
        names.insert(node->name());
  return names;
}

/// True when the text has `name` as a whole name.
bool mentions(std::string_view text, std::string_view name) {
  auto inName = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '/';
  };
  for (size_t at = text.find(name); at != text.npos;
       at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !inName(text[at - 1])) &&
        (end == text.size() || !inName(text[end])))
      return true;
  }
  return false;
}

} // namespace

std::string compareError(const Status &got, const ExpectedError &want,
                         const Graph &graph) {
  std::string problems;
  auto report = [&](std::string problem) {
    problems += (problems.empty() ? "" : "; ") + std::move(problem);
  };
  StatusCode code = codeOf(want.type);
  if (got.code() != code)
    report(strCat("got code ", statusCodeName(got.code()), ", expected ",
                  statusCodeName(code), " (", want.type, ")"));

  bool uninitialized = want.message.find("uninitialized") != std::string::npos;
  std::set<std::string> names = concerned(want.nodes, uninitialized, graph);
  // A node of a function is named with the calls around it; one of the graph is
  // itself, whatever its name ends with.
  const bool isInFunction = !graph.lookup(got.node());
  bool named = std::ranges::any_of(names, [&](const std::string &name) {
    return got.node() == name ||
           (isInFunction && got.node().ends_with("/" + name)) ||
           mentions(got.message(), name);
  });
  if (!want.nodes.empty() && !named)
    report(strCat("got node '", got.node(), "', expected ",
                  strJoin(want.nodes, " or ")));

  std::set<std::string> facts = numbersAndShapes(std::string(got.message()));
  for (const std::string &fact : numbersAndShapes(want.message))
    if (!facts.contains(fact))
      report(strCat("the message lacks ", fact));
  const std::set<std::string> quotes = quotedNames(std::string(got.message()));
  for (const std::string &name : quotedNames(want.message))
    if (!quotes.contains(name) && !mentions(got.message(), name))
      report(strCat("the message lacks '", name, "'"));
  return problems.empty()
             ? problems
             : strCat(problems, "\n      got      ", got.toString(),
                      "\n      expected ", want.message);
}

} // namespace kiln::golden
