// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prunes and cuts requests, and tries in turn what may compile them.
#include "lib/Compile/ProgramCompiler.h"

#include "lib/Compile/BlockCompiler.h"
#include "lib/Compile/Fallbacks.h"
#include "lib/Compile/StoredCode.h"
#include "lib/Exec/CutPlan.h"
#include "lib/Import/DynamicVariables.h"
#include "lib/JIT/backends/cpu/WarmUp.h"
#include "lib/Loader/Hasher.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Ops/Queue/HostQueueSpecs.h"
#include "lib/Plan/Placement.h"
#include "lib/Plan/Plan.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <vector>

namespace kiln {
namespace {

CodeChoice chooseCode(const SessionOptions &options, NativeNeed need) {
  if (need.regions && options.mode != ExecutionMode::EvaluatorOnly)
    return CodeChoice::WithRegions;
  switch (options.mode) {
  case ExecutionMode::EvaluatorOnly:
    return CodeChoice::Evaluator;
  case ExecutionMode::NativeOnly:
    return CodeChoice::Native;
  case ExecutionMode::Auto:
    return need.isNeeded ? CodeChoice::Native : CodeChoice::EvaluatorIfSooner;
  }
  return CodeChoice::Native;
}

/// Whether code for the tree depends on more than feeds.
bool hasOpenVariables(const Block &root, const ResourceUser &resources) {
  bool isOpen = false;
  forEachItem(root, [&](const Item &item, const Block &) {
    const OpDef *def =
        item.kind == Item::Kind::Node ? lookupOp(item.node->op()) : nullptr;
    if (!def || !def->has(variable))
      return;
    const ImportedVariable declared = variableOf(*item.node, {});
    isOpen |= !declared.shape.isFullyDefined() ||
              resources.isOpenVariable(keyOf(declared));
  });
  return isOpen;
}

/// A program whose parts are compiled when a run comes to them.
StatusOr<ProgramPtr> planCut(const Block &root, std::span<const FeedView> feeds,
                             int64_t pruneNs, StatusOr<CutGraph> cut, int depth,
                             SessionServices &services) {
  if (!cut.ok())
    return cut.status();
  Stopwatch watch;
  auto program = std::make_shared<Program>(services);
  program->stats.pruneNs = pruneNs;
  for (size_t i = 0; i < feeds.size(); ++i)
    program->function.interface.feeds.push_back(
        {std::string(root.args[i].node->name()), feeds[i].dtype,
         Dims(feeds[i].dims.size(), Dim::unknown())});
  auto shared = std::make_shared<const CutGraph>(*std::move(cut));
  KILN_ASSIGN_OR_RETURN(program->executor,
                        CutPlan::make(std::move(shared), depth, services));
  program->stats.compileNs = pruneNs + watch.lap();
  return ProgramPtr(std::move(program));
}

/// A tree to compile.
struct BlockRequest {
  const Block &root;
  std::span<const FeedView> feeds;
  CodeChoice choice;
  int64_t pruneNs;
  const CompileServices &services;
  const CompileControl &control;
};

StatusOr<ProgramPtr> compileWithFallbacks(const BlockRequest &request,
                                          const StoredCode *stored,
                                          std::optional<AskedTensor> &asked) {
  Stopwatch total;
  SessionServices &session = request.services.session;
  std::shared_ptr<Program> program;
  std::string degraded;
  KILN_RETURN_IF_ERROR(tryInTurn(
      request.choice, session.options.mode,
      [&](BlockCompiler::Options options, bool isFirst) {
        program = std::make_shared<Program>(session);
        // Only what is as it should be is worth keeping.
        return BlockCompiler(request.root, request.feeds, options,
                             request.services, request.control)
            .compile(isFirst ? stored : nullptr, *program, asked);
      },
      degraded));
  program->stats.degraded = std::move(degraded);
  program->stats.pruneNs = request.pruneNs;
  program->stats.compileNs = request.pruneNs + total.lap();
  return ProgramPtr(std::move(program));
}

/// Takes the program's code from the disk cache, or makes it.
StatusOr<ProgramPtr> loadOrCompile(const BlockRequest &request,
                                   std::optional<AskedTensor> &asked) {
  SessionServices &session = request.services.session;
  if (!request.services.disk || request.choice == CodeChoice::Evaluator ||
      request.choice == CodeChoice::WithRegions ||
      hasOpenVariables(request.root, session.resources))
    return compileWithFallbacks(request, nullptr, asked);
  Stopwatch watch;
  StoredCode stored(*request.services.disk, request.root, request.feeds);
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Program> program, stored.load(session));
  if (!program) {
    if (request.choice == CodeChoice::EvaluatorIfSooner)
      warmUpCompiler();
    return compileWithFallbacks(request, &stored, asked);
  }
  program->stats.pruneNs = request.pruneNs;
  program->stats.diskNs = watch.lap();
  program->stats.compileNs = request.pruneNs + program->stats.diskNs;
  return ProgramPtr(std::move(program));
}

/// Each runs its parts on the stack of the one that it is in.
constexpr int maxCutDepth = 64;

/// Makes the program of a run that no op cuts; where it would have to know what
/// the run computes, of two parts.
StatusOr<ProgramPtr> makeProgram(const BlockRequest &request, int depth) {
  std::optional<AskedTensor> asked;
  auto program = loadOrCompile(request, asked);
  if (program.ok() || !asked || depth >= maxCutDepth)
    return program;
  auto cut = cutBehind(request.root, *asked);
  return cut.ok() ? planCut(request.root, request.feeds, request.pruneNs,
                            std::move(cut), depth + 1, request.services.session)
                  : program;
}

} // namespace

/// Makes the queues that a run declares, used or not: TensorFlow's are made
/// where their nodes run. **Errors**: as findQueue(), with the node.
static Status makeQueues(const Block &root, ResourceUser &resources) {
  Status status;
  forEachItem(root, [&](const Item &item, const Block &block) {
    if (status.ok() && item.kind == Item::Kind::Node &&
        declaresQueue(*item.node))
      status = findQueue(*item.node, resources)
                   .status()
                   .withNode(strCat(block.path.name, item.node->name()));
  });
  return status;
}

static StatusOr<std::unique_ptr<Block>>
blocksOf(const PrunedGraph &pruned, const SessionOptions &options) {
  const int64_t limit = options.limits.maxNodes;
  if (static_cast<int64_t>(pruned.nodes.size()) > limit)
    return resourceExhaustedError(strCat("expected a run of at most ", limit,
                                         " nodes, got ", pruned.nodes.size()));
  KILN_RETURN_IF_ERROR(
      checkPlacement(pruned, options.softPlacement, options.cpuDevices));
  return makeBlocks(pruned, limit);
}

StatusOr<std::unique_ptr<Block>>
makeRequestBlocks(const Graph &graph, const RunRequest &request,
                  const SessionOptions &options, int64_t &pruneNs) {
  Stopwatch watch;
  KILN_ASSIGN_OR_RETURN(PrunedGraph pruned, prune(graph, request));
  pruneNs = watch.lap();
  return blocksOf(pruned, options);
}

/// The program of a tree that is not run in steps.
static StatusOr<ProgramPtr> compileWhole(const BlockRequest &request) {
  SessionServices &session = request.services.session;
  KILN_RETURN_IF_ERROR(makeQueues(request.root, session.resources));
  KILN_ASSIGN_OR_RETURN(std::optional<CutGraph> cut, cutGraph(request.root));
  return cut ? planCut(request.root, request.feeds, request.pruneNs,
                       *std::move(cut), 0, session)
             : makeProgram(request, 0);
}

StatusOr<ProgramPtr>
compileProgram(const Graph &graph, const RunRequest &request,
               std::span<const FeedView> feeds, NativeNeed need, bool isInSteps,
               const CompileServices &services, const CompileControl &control) {
  SessionServices &session = services.session;
  int64_t pruneNs = 0;
  KILN_ASSIGN_OR_RETURN(
      std::unique_ptr<Block> root,
      makeRequestBlocks(graph, request, session.options, pruneNs));
  const BlockRequest whole{*root,   feeds,    chooseCode(session.options, need),
                           pruneNs, services, control};
  if (!isInSteps)
    return compileWhole(whole);
  KILN_RETURN_IF_ERROR(makeQueues(*root, session.resources));
  return planCut(*root, feeds, pruneNs, cutIntoSteps(*root), 0, session);
}

StatusOr<ProgramPtr> compileFunction(const FunctionRequest &function,
                                     std::span<const FeedView> feeds,
                                     NativeNeed need,
                                     const CompileServices &services,
                                     const CompileControl &control) {
  const SessionOptions &options = services.session.options;
  Stopwatch watch;
  KILN_ASSIGN_OR_RETURN(PrunedGraph pruned,
                        prune(function.request, function.library));
  const int64_t pruneNs = watch.lap();
  // Nodes of several functions may have one name.
  pruned.path.place = strCat(":", function.number, "/");
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<Block> root, blocksOf(pruned, options));
  return compileWhole(
      {*root, feeds, chooseCode(options, need), pruneNs, services, control});
}

namespace {

/// Keeps the function whole.
class WholeFunction final : public FunctionStore {
public:
  explicit WholeFunction(CompiledFunction &to) : to(to) {}
  void store(CompiledFunction &function,
             std::span<const Tensor> constants) const override {
    function.setConstants(
        constants.first(
            static_cast<size_t>(function.code.layout.counts.constants)),
        [](const Tensor &constant) { return digestOf(constant); });
    to = function;
  }

private:
  CompiledFunction &to;
};

} // namespace

StatusOr<CompiledFunction> compileAhead(const Graph &graph,
                                        const RunRequest &request,
                                        std::span<const FeedView> feeds,
                                        const CompileServices &services,
                                        const CompileControl &control) {
  int64_t pruneNs = 0;
  KILN_ASSIGN_OR_RETURN(
      std::unique_ptr<Block> root,
      makeRequestBlocks(graph, request, services.session.options, pruneNs));
  KILN_ASSIGN_OR_RETURN(std::optional<CutGraph> cut, cutGraph(*root));
  if (cut)
    return unimplementedError("expected a run that no op cuts");
  Program program(services.session);
  std::optional<AskedTensor> asked;
  CompiledFunction function;
  WholeFunction whole(function);
  KILN_RETURN_IF_ERROR(
      BlockCompiler(*root, feeds, {CodeChoice::Native, true}, services, control)
          .compile(&whole, program, asked));
  if (function.code.objects.empty())
    return unimplementedError("expected variables with static shapes");
  return function;
}

StatusOr<ProgramPtr> compilePart(const Block &part,
                                 std::span<const FeedView> feeds,
                                 NativeNeed need, int depth,
                                 const CompileServices &services,
                                 const CompileControl &control) {
  return makeProgram({part, feeds, chooseCode(services.session.options, need),
                      0, services, control},
                     depth);
}

} // namespace kiln
