// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the list of known failures, and judging a case by it.
#include "tools/golden/KnownFailures.h"

#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace kiln::golden {
namespace {

constexpr size_t maxListBytes = size_t{1} << 20;
/// More steps than any case has: a range beyond it is a slip of the pen.
constexpr size_t maxSteps = 10000;
/// As lines name the ways to run, in the order of KnownFailures::Texts.
constexpr std::array<std::string_view, 2> modeNames = {"native", "evaluator"};

/// Takes what stands before the first `separator` off the front of `text`.
std::string_view take(std::string_view &text, char separator) {
  size_t end = std::min(text.find(separator), text.size());
  std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

std::optional<size_t> readNumber(std::string_view digits) {
  size_t number = 0;
  const char *end = digits.data() + digits.size();
  auto [rest, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || rest != end || number >= maxSteps)
    return std::nullopt;
  return number;
}

} // namespace

Status KnownFailures::addSteps(std::string_view steps, std::string_view mode,
                               std::string_view text,
                               std::map<size_t, Texts> &listed) {
  for (std::string_view rest = steps; !rest.empty();) {
    std::string_view range = take(rest, ',');
    std::optional<size_t> first = readNumber(take(range, '-'));
    std::optional<size_t> last = range.empty() ? first : readNumber(range);
    if (!first || !last || *last < *first)
      return invalidArgumentError(
          strCat("expected steps such as 3,5-7, got ", quote(steps)));
    for (size_t step = *first; step <= *last; ++step)
      for (size_t way = 0; way < modeNames.size(); ++way) {
        if (!mode.empty() && mode != modeNames[way])
          continue;
        std::string &own = listed[step][way];
        if (!own.empty())
          return invalidArgumentError(
              strCat("step ", step, " is listed twice"));
        own = text;
      }
  }
  return okStatus();
}

Status KnownFailures::addLine(std::string_view line) {
  std::string_view rest = line;
  std::string_view name = take(rest, ' '), steps = take(rest, ' '), mode;
  if (std::ranges::find(modeNames, steps) != modeNames.end())
    mode = std::exchange(steps, take(rest, ' '));
  if (name.empty() || steps.empty() || rest.empty())
    return invalidArgumentError(
        strCat("expected CASE STEPS TEXT, got ", quote(line)));
  return addSteps(steps, mode, rest, cases[std::string(name)]);
}

StatusOr<KnownFailures> KnownFailures::read(const std::string &path) {
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, maxListBytes));
  KnownFailures failures;
  std::string_view text = bytes.view();
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = take(text, '\n');
    if (line.empty() || line.starts_with('#'))
      continue;
    Status added = failures.addLine(line);
    if (!added.ok())
      return Status(added.code(),
                    strCat(path, ":", number, ": ", added.message()));
  }
  return failures;
}

int KnownFailures::judge(const std::string &caseName, ExecutionMode mode,
                         CaseResult &result) const {
  auto found = cases.find(caseName);
  if (found == cases.end() || !result.failure.empty())
    return 0;
  int known = 0;
  for (const auto &[step, texts] : found->second) {
    if (step >= result.steps.size()) {
      result.failure = strCat("step ", step, " is listed as a known failure, ",
                              "the case has ", result.steps.size());
      continue;
    }
    StepResult &stepResult = result.steps[step];
    stepResult.isListed = true;
    const std::string &text = texts[mode == ExecutionMode::EvaluatorOnly];
    if (text.empty())
      continue;
    std::string &failure = stepResult.failure;
    if (failure.empty()) {
      failure = strCat("passes: take it off the list of known failures, where "
                       "it fails with ",
                       text);
    } else if (failure.find(text) == std::string::npos) {
      failure = strCat("expected to fail with ", text, "; ", failure);
    } else {
      failure.clear();
      ++known;
    }
  }
  return known;
}

} // namespace kiln::golden
