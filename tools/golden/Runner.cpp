// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One session a name, one run a step, in the order of the case.
#include "tools/golden/Runner.h"

#include "kiln/GraphDef.h"
#include "kiln/Ops.h"
#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "tools/common/Npy.h"
#include "tools/compare/Compare.h"
#include "tools/golden/Compare.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace kiln::golden {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Fills status, fetched and stats of a step. **Errors**: of the feeds' files;
/// what the run itself says is in the result.
Status execute(Session &session, const Step &step, const Contents &contents,
               StepResult &result) {
  std::vector<Feed> feeds;
  for (const auto &[tensor, given] : step.feeds) {
    KILN_ASSIGN_OR_RETURN(Tensor value, readValue(contents, given));
    feeds.push_back({tensor, std::move(value)});
  }
  std::vector<Fetch> fetches(step.fetches.begin(), step.fetches.end());
  for (int64_t i = 0; i < step.repeat && result.status.ok(); ++i) {
    result.stats = RunStats();
    StatusOr<std::vector<Tensor>> fetched =
        session.run(feeds, fetches, {}, {}, &result.stats);
    result.status = fetched.status();
    if (fetched.ok())
      result.fetched = *std::move(fetched);
    else
      result.fetched.clear();
  }
  return okStatus();
}

/// The checkpoint that the file `checkpoint` of a folder calls the latest.
StatusOr<fs::path> latestCheckpoint(const fs::path &folder) {
  KILN_ASSIGN_OR_RETURN(FileBytes bytes,
                        readFile((folder / "checkpoint").string(), 1 << 20));
  const std::string_view text = bytes.view();
  constexpr std::string_view key = "model_checkpoint_path: \"";
  const size_t begin = text.find(key), end = text.find("\"\n", begin);
  if (begin != 0 || end == text.npos)
    return invalidArgumentError(
        strCat((folder / "checkpoint").string(), " names no checkpoint"));
  return folder / text.substr(key.size(), end - key.size());
}

/// What a program did to its variables beside its steps is in the checkpoints
/// that it left: the saver `save_x` restores the latest of folder ckpt_x.
Status restoreCheckpoints(Session &session, const Graph &graph,
                          const fs::path &caseFolder) {
  constexpr std::string_view prefix = "ckpt";
  std::error_code error;
  std::vector<fs::path> folders;
  for (const auto &entry : fs::directory_iterator(caseFolder, error))
    if (entry.path().filename().string().starts_with(prefix))
      folders.push_back(entry.path());
  std::ranges::sort(folders);
  for (const fs::path &folder : folders) {
    const std::string saver =
        "save" + folder.filename().string().substr(prefix.size());
    if (!graph.lookup(saver + "/restore_all"))
      continue;
    KILN_ASSIGN_OR_RETURN(fs::path checkpoint, latestCheckpoint(folder));
    KILN_RETURN_IF_ERROR(
        session
            .run({{saver + "/Const:0", Tensor::scalar(checkpoint.string())}},
                 {saver + "/restore_all"})
            .status());
  }
  return okStatus();
}

/// Native code must have run where native code was asked for, and the other
/// way round.
std::string compareExecutor(const RunStats &stats, ExecutionMode mode) {
  if (mode == ExecutionMode::NativeOnly && stats.opsEvaluator != 0)
    return strCat("the evaluator ran ", stats.opsEvaluator,
                  " ops, expected native code alone");
  if (mode == ExecutionMode::EvaluatorOnly && stats.opsNative != 0)
    return strCat("native code ran ", stats.opsNative,
                  " ops, expected the evaluator alone");
  return {};
}

std::string compareStep(const StepResult &result, const Step &step,
                        ExecutionMode mode, const Graph &graph,
                        const Contents &contents) {
  if (step.error) {
    if (!result.status.ok())
      return compareError(result.status, *step.error, graph);
    return strCat("got no error, expected ", step.error->type, ": ",
                  step.error->message);
  }
  if (!result.status.ok())
    return strCat("got ", result.status.toString(), ", expected no error");
  if (result.fetched.size() != step.fetches.size())
    return strCat("got ", result.fetched.size(), " values, expected ",
                  step.fetches.size());
  Tolerance tolerance{step.rtol, step.atol};
  std::string failures;
  for (size_t i = 0; i < step.fetches.size(); ++i) {
    std::string failure =
        compareFetch(result.fetched[i], step.expect[i], tolerance, contents);
    if (!failure.empty())
      failures += strCat(failures.empty() ? "" : "\n    ", step.fetches[i],
                         ": ", failure);
  }
  return failures.empty() ? compareExecutor(result.stats, mode) : failures;
}

bool hasZeroAtAnEnd(const Tensor &tensor) {
  return tensor.dtype() == DType::String &&
         std::ranges::any_of(tensor.data<String>(), [](const String &text) {
           return text.view().ends_with('\0');
         });
}

/// Writes PATH.npy, or PATH.json for strings that such a file does not hold.
Status writeValue(const fs::path &path, const Tensor &tensor) {
  if (!hasZeroAtAnEnd(tensor))
    return writeNpy(path.string() + ".npy", tensor);
  Json strings = Json::array();
  for (const String &text : tensor.data<String>())
    strings.push_back(toHex(text.view()));
  const std::span<const int64_t> dims = tensor.shape().dims();
  const Json value{{"strings", std::move(strings)},
                   {"shape", std::vector<int64_t>(dims.begin(), dims.end())}};
  return writeFileAtomically(path.string() + ".json", value.dump() + "\n");
}

StatusOr<std::shared_ptr<Graph>> readGraph(const Case &golden) {
  const GraphLoadOptions options = {.checker = makeNodeChecker()};
  KILN_ASSIGN_OR_RETURN(
      std::string text,
      golden.contents->read("graph.pb", options.maxFileBytes));
  if (golden.files)
    KILN_RETURN_IF_ERROR(golden.files->rename(text));
  return loadGraphDef(text, options);
}

} // namespace

bool CaseResult::passed() const {
  return failure.empty() &&
         std::ranges::all_of(steps, [](const StepResult &step) {
           return step.failure.empty();
         });
}

CaseResult runCase(const Case &golden, const SessionOptions &options,
                   std::shared_ptr<Graph> graph) {
  CaseResult result;
  if (!graph) {
    StatusOr<std::shared_ptr<Graph>> loaded = readGraph(golden);
    if (!loaded.ok()) {
      result.failure = loaded.status().toString();
      return result;
    }
    graph = *std::move(loaded);
  }
  std::map<std::string, std::unique_ptr<Session>> sessions;
  for (const Step &step : golden.steps) {
    StepResult &stepResult = result.steps.emplace_back();
    std::unique_ptr<Session> &session = sessions[step.session];
    const bool isFirst = !session;
    if (isFirst) {
      StatusOr<std::unique_ptr<Session>> created =
          Session::create(graph, options);
      if (!created.ok()) {
        stepResult.status = created.status();
        stepResult.failure = created.status().toString();
        continue;
      }
      session = *std::move(created);
    }
    Status read = execute(*session, step, *golden.contents, stepResult);
    if (read.ok() && isFirst)
      read = restoreCheckpoints(*session, *graph, golden.contents->folder());
    stepResult.failure = read.ok() ? compareStep(stepResult, step, options.mode,
                                                 *graph, *golden.contents)
                                   : read.toString();
  }
  return result;
}

std::string compareBits(const CaseResult &first, const CaseResult &second) {
  for (size_t i = 0; i < first.steps.size() && i < second.steps.size(); ++i) {
    const StepResult &a = first.steps[i], &b = second.steps[i];
    if (a.isListed)
      continue;
    if (a.status.toString() != b.status.toString())
      return strCat("step ", i, ": ", a.status.toString(), " against ",
                    b.status.toString());
    for (size_t k = 0; k < a.fetched.size() && k < b.fetched.size(); ++k) {
      if (!a.fetched[k].isValid() || !b.fetched[k].isValid())
        continue; // an operation
      if (auto difference = compare::compareTensors(a.fetched[k], b.fetched[k]))
        return strCat("step ", i, ", fetch ", k, ": element ",
                      difference->element, " is ", difference->first,
                      " against ", difference->second);
    }
  }
  return {};
}

Status writeResults(const CaseResult &result, const fs::path &folder) {
  Json steps = Json::array();
  for (size_t i = 0; i < result.steps.size(); ++i) {
    const StepResult &step = result.steps[i];
    fs::path stepFolder = folder / std::to_string(i);
    std::error_code error;
    fs::create_directories(stepFolder, error);
    if (error)
      return unknownError(strCat("cannot make folder ", stepFolder.string(),
                                 ": ", error.message()));
    for (size_t k = 0; k < step.fetched.size(); ++k)
      if (step.fetched[k].isValid())
        KILN_RETURN_IF_ERROR(
            writeValue(stepFolder / std::to_string(k), step.fetched[k]));
    steps.push_back(Json{{"code", statusCodeName(step.status.code())},
                         {"node", step.status.node()},
                         {"message", step.status.message()},
                         {"native", step.stats.opsNative},
                         {"runtime", step.stats.opsRuntime},
                         {"evaluator", step.stats.opsEvaluator},
                         {"folded", step.stats.opsFolded}});
  }
  Json results{{"steps", std::move(steps)}};
  // A message may hold bytes that are no UTF-8.
  return writeFileAtomically(
      (folder / "results.json").string(),
      results.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace kiln::golden
