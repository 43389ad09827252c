// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles for the reader: the text of a stage instead of a program.
#include "lib/Compile/Fallbacks.h"
#include "lib/Compile/ProgramCompiler.h"
#include "lib/Exec/CutPlan.h"
#include "lib/Plan/cut/PrintCut.h"
#include "lib/Plan/ir/Print.h"
#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace kiln {
namespace {

/// Writes the texts of a run and of the parts that it is cut into.
class Explainer {
public:
  explicit Explainer(const CompileServices &services)
      : services(services),
        control(services.session.options.limits.maxCompileTime) {}

  /// The text of a run that no op cuts, or of a part.
  StatusOr<std::string> block(const Block &root,
                              std::span<const FeedView> feeds,
                              const ExplainOptions &wanted);
  /// Part for part, under headings; dumps go into a folder a part. `number` is
  /// that of the region whose block this is, followed by a point.
  StatusOr<std::string> cut(const CutGraph &graph, const std::string &number,
                            std::span<const FeedView> feeds,
                            const ExplainOptions &wanted);

private:
  StatusOr<std::string> part(const CutGraph &graph, const CutUnit &unit,
                             const std::string &number,
                             std::span<const FeedView> feeds,
                             const ExplainOptions &wanted);

  const CompileServices &services;
  const CompileControl control;
};

std::string_view regionName(Item::Kind kind) {
  return kind == Item::Kind::While ? "while"
         : kind == Item::Kind::If  ? "if"
                                   : "call";
}

StatusOr<std::string> Explainer::block(const Block &root,
                                       std::span<const FeedView> feeds,
                                       const ExplainOptions &wanted) {
  std::optional<AskedTensor> asked;
  StatusOr<std::string> text = std::string();
  std::string degraded;
  Status status = tryInTurn(
      CodeChoice::Native, services.session.options.mode,
      [&](BlockCompiler::Options options, bool) -> Status {
        text = BlockCompiler(root, feeds, options, services, control)
                   .explain(wanted, asked);
        return text.status();
      },
      degraded);
  if (status.ok())
    return text;
  if (!asked)
    return status;
  // Where a rank depends on what the run computes it is cut there.
  auto cutThere = cutBehind(root, *asked);
  return cutThere.ok() ? cut(*cutThere, "", feeds, wanted) : status;
}

StatusOr<std::string> Explainer::part(const CutGraph &graph,
                                      const CutUnit &unit,
                                      const std::string &number,
                                      std::span<const FeedView> feeds,
                                      const ExplainOptions &wanted) {
  auto known = knownFeeds(graph, unit, feeds);
  std::string text =
      strCat("// ", number,
             known ? ": part\n" : ": part for shapes that the run finds\n");
  if (!known)
    return text;
  ExplainOptions options = wanted;
  std::string &directory = options.dumpDirectory;
  if (!directory.empty()) {
    directory += strCat("/part-", number);
    if (std::error_code error = llvm::sys::fs::create_directories(directory))
      return unknownError(
          strCat("creating ", directory, ": ", error.message()));
  }
  KILN_ASSIGN_OR_RETURN(std::string own,
                        block(*unit.part, known->views, options));
  return text + own;
}

StatusOr<std::string> Explainer::cut(const CutGraph &graph,
                                     const std::string &number,
                                     std::span<const FeedView> feeds,
                                     const ExplainOptions &wanted) {
  std::string text;
  for (size_t i = 0; i < graph.units.size(); ++i) {
    const CutUnit &unit = graph.units[i];
    std::string own = strCat(number, i);
    if (unit.region) {
      const CutRegion &region = *unit.region;
      text += strCat("// ", own, ": ", regionName(region.kind), " ",
                     quote(unit.name), "\n");
      for (auto [name, inside] : {std::pair(".a.", &region.first),
                                  std::pair(".b.", &region.second)}) {
        KILN_ASSIGN_OR_RETURN(std::string inner,
                              cut(*inside, strCat(own, name), {}, wanted));
        text += inner;
      }
    } else if (unit.node) {
      text += strCat("// ", own, ": ", unit.node->op(), " ", quote(unit.name),
                     "\n");
    } else {
      KILN_ASSIGN_OR_RETURN(std::string inner,
                            part(graph, unit, own, feeds, wanted));
      text += inner;
    }
  }
  return text;
}

Status dumpPlan(const std::string &directory, std::string_view plan) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return unknownError(strCat("creating ", directory, ": ", error.message()));
  return writeFileAtomically(strCat(directory, "/plan.txt"), plan);
}

} // namespace

std::vector<std::string_view> explainStages() {
  auto names = compileStageNames();
  std::vector<std::string_view> stages = {"plan"};
  stages.insert(stages.end(), names.begin(), names.end());
  return stages;
}

StatusOr<std::string> explainProgram(const Graph &graph,
                                     const RunRequest &request,
                                     std::span<const FeedView> feeds,
                                     const CompileServices &services,
                                     const ExplainOptions &options) {
  auto stages = explainStages();
  ExplainOptions wanted = options;
  if (wanted.stopAfter.empty())
    wanted.stopAfter = stages.back();
  if (std::find(stages.begin(), stages.end(), wanted.stopAfter) == stages.end())
    return invalidArgumentError(strCat("expected a stage to stop after (",
                                       strJoin(stages, ", "), "), got ",
                                       wanted.stopAfter));
  int64_t pruneNs = 0;
  KILN_ASSIGN_OR_RETURN(
      std::unique_ptr<Block> root,
      makeRequestBlocks(graph, request, services.session.options, pruneNs));
  KILN_ASSIGN_OR_RETURN(std::optional<CutGraph> cut, cutGraph(*root));
  if (const bool isLast = wanted.stopAfter == "plan";
      isLast || !wanted.dumpDirectory.empty()) {
    std::string plan = cut ? print(*cut) : PlanPrinter().print(*root);
    if (!wanted.dumpDirectory.empty())
      KILN_RETURN_IF_ERROR(dumpPlan(wanted.dumpDirectory, plan));
    if (isLast)
      return plan;
  }
  Explainer explainer(services);
  return cut ? explainer.cut(*cut, "", feeds, wanted)
             : explainer.block(*root, feeds, wanted);
}

} // namespace kiln
