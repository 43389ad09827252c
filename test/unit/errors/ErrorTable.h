// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error table: programs that are wrong, each with the name under which
// errors.json has what TensorFlow says of it.
#ifndef KILN_TEST_UNIT_ERRORS_ERRORTABLE_H
#define KILN_TEST_UNIT_ERRORS_ERRORTABLE_H

#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::testing {

/// Where Kiln does not say what TensorFlow says.
struct Differs {
  std::optional<StatusCode> code = {};
  std::string words = {};
};

/// A program, built in a graph of its own. It gives what went wrong, or leaves
/// it with the graph.
struct ErrorCase {
  template <class Program>
  ErrorCase(std::string name, Program program, Differs differs = {})
      : name(std::move(name)), differs(std::move(differs)) {
    if constexpr (std::is_void_v<decltype(program())>)
      this->program = [program] {
        program();
        return GraphBuilder::current().takeStatus();
      };
    else
      this->program = [program] { return program(); };
  }

  std::string name;
  std::function<Status()> program;
  Differs differs;
};

std::vector<ErrorCase> imageErrors();
std::vector<ErrorCase> nameErrors();
std::vector<ErrorCase> variableErrors();
std::vector<ErrorCase> sessionErrors();
std::vector<ErrorCase> feedErrors();
std::vector<ErrorCase> runErrors();
std::vector<ErrorCase> nodeErrors();
std::vector<ErrorCase> controlFlowErrors();
std::vector<ErrorCase> gradientErrors();
std::vector<ErrorCase> optimizerErrors();
std::vector<ErrorCase> saverErrors();
std::vector<ErrorCase> importErrors();

/// A value whose shape the graph does not know: that it does not fit is for the
/// run to say.
inline Output unknown(const Input &value) {
  return ops::placeholderWithDefault(value, Shape::unknownRank());
}

/// What fetching it in a new session ends with, after the graph's variables
/// have got their values where there is such an operation.
inline Status runOf(const Output &tensor, const Node *before = nullptr) {
  auto session = makeSession();
  if (!session.ok())
    return session.status();
  if (before)
    if (Status status = run(**session, before); !status.ok())
      return status;
  return fetch(**session, tensor).status();
}

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_ERRORS_ERRORTABLE_H
