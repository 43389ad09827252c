// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives prune, import and the JIT, and binds the result to a session's
// variables and streams.
#include "lib/Compile/ProgramCompiler.h"

#include "dialect/Cost.h"
#include "dialect/Kiln.h"
#include "lib/Compile/OpCounts.h"
#include "lib/Compile/SessionShapes.h"
#include "lib/Compile/StoredCode.h"
#include "lib/Exec/BindProgram.h"
#include "lib/Exec/CutPlan.h"
#include "lib/Exec/EvaluatorCode.h"
#include "lib/Exec/NativeFrame.h"
#include "lib/Import/DynamicVariables.h"
#include "lib/Import/Import.h"
#include "lib/JIT/Compiler.h"
#include "lib/JIT/backends/cpu/WarmUp.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Ops/Queue/HostQueueSpecs.h"
#include "lib/Plan/Placement.h"
#include "lib/Plan/Plan.h"
#include "lib/Support/FloatState.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "lib/Translate/Translation.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace kiln {
namespace {

/// What is worth more than compiling it, which takes about as long.
constexpr int64_t cheapNs = 50'000'000;

/// Native ops from which on code is made smaller, and then made in a hurry:
/// LLVM would take a third of a second, and 1.6 s.
constexpr int64_t largeGraphOps = 320'000'000 / ir::compileNanosecondsPerOp;
constexpr int64_t hugeGraphOps = 1'600'000'000 / ir::compileNanosecondsPerOp;
/// A value that is stored is ten instructions and more. Five seconds' worth.
constexpr int64_t maxLargeGraphInstructions =
    5'000'000'000 / ir::compileNanosecondsPerInstruction;

/// Adds up the time between its calls.
class Stopwatch {
public:
  int64_t lap() {
    auto now = std::chrono::steady_clock::now();
    auto passed = std::chrono::nanoseconds(now - begin).count();
    begin = now;
    return passed;
  }

private:
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};

std::vector<FeedSpec> feedSpecs(std::span<const FeedView> feeds) {
  std::vector<FeedSpec> specs;
  for (const FeedView &feed : feeds)
    specs.push_back(
        {feed.dtype, Shape(feed.dims), feed.value ? *feed.value : Tensor()});
  return specs;
}

/// The node whose value constant `index` is.
std::string constantNode(mlir::ModuleOp module, uint64_t index) {
  std::string node;
  module.walk([&](ir::ConstantRefOp op) {
    if (op.getIndex() == index)
      if (auto named = op.getLoc()->findInstanceOf<mlir::NameLoc>())
        node = named.getName().str();
  });
  return node;
}

bool onlyWritesVariables(const Program &program) {
  return program.feeds.empty() && program.results.empty() &&
         program.locks.hasWrites;
}

/// A few nodes may stand for very many ops, whose passes would take all day.
Status checkOps(mlir::ModuleOp module, std::string_view stage,
                const SessionLimits &limits) {
  int64_t ops = 0;
  module.walk([&](mlir::Operation *) { ++ops; });
  if (ops <= limits.maxOps)
    return okStatus();
  return resourceExhaustedError(strCat("expected at most ", limits.maxOps,
                                       " operations after ", stage, ", got ",
                                       ops));
}

void recordTimes(const CompileTimes &times, RunStats &stats) {
  for (passes::Stage stage : passes::allStages) {
    int64_t ns = times.stages[static_cast<size_t>(stage)];
    llvm::StringRef name = passes::stageName(stage);
    stats.stageNs.emplace_back(std::string_view(name.data(), name.size()), ns);
    stats.passesNs += ns;
  }
  stats.llvmNs = times.llvmTotal();
}

/// The table is laid out by what bufferize found to be used.
Status checkCounts(const BufferCounts &counts, const Program &program) {
  auto is = [](int64_t count, size_t expected) {
    return count == static_cast<int64_t>(expected);
  };
  if (!is(counts.feeds, program.feeds.size()) || counts.constants < 0 ||
      counts.constants > static_cast<int64_t>(program.constants.size()) ||
      !is(counts.variables, program.variables.size()) ||
      !is(counts.results, program.results.size()))
    return internalError("expected the buffer table to be the function's");
  return okStatus();
}

/// That one loop of a run may use.
int threadsOf(const Program &program) {
  int available = ThreadPool::process().numThreads(),
      most = program.services.options.threads;
  return most == 0 ? available : std::min(most, available);
}

/// True where the evaluator is to run the program, for now: sets how long.
bool isEvaluatedFirst(std::span<const FeedView> feeds, const OpCounts &counts,
                      Program &program) {
  const SessionOptions &options = program.services.options;
  // Regions are watched in native code alone.
  bool isTiered = options.tiering && !options.inspect.any();
  program.runNs = counts.evaluatorNs;
  if (isTiered)
    program.maxRunNs =
        counts.compileNs + (isCompilerWarm() ? 0 : ir::coldCompileNanoseconds);
  else if (onlyWritesVariables(program) && program.runNs.isKnown())
    program.maxRunNs = cheapNs;
  program.tier = isTiered ? Program::Tier::Behind : Program::Tier::Once;
  if (!program.isSoonest(feeds))
    program.tier = Program::Tier::Final;
  return !program.isFinal();
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

/// Tells passes how large the run is that the code is made for.
void noteSizes(mlir::ModuleOp module, std::span<const FeedView> feeds,
               const Program &program) {
  // What is wrong with its feeds the run says itself.
  if (auto sizes = program.symbolsOf(feeds))
    module->setAttr(passes::sizesName,
                    mlir::DenseI64ArrayAttr::get(module->getContext(), *sizes));
}

/// Makes the program's code.
Status compileBlocks(const Block &root, std::span<const FeedView> feeds,
                     CodeChoice choice, bool fuse, const StoredCode *stored,
                     Program &program, const CompileControl &control,
                     std::optional<AskedTensor> &asked) {
  DefaultFloatState floatState;
  RunStats &stats = program.stats;
  Stopwatch watch;
  ContextLease lease = ContextLease::lease();
  const int64_t numNodes = countNodes(root);
  lease.addNodes(numNodes);
  KILN_RETURN_IF_ERROR(control.check("import"));
  watch.lap();
  std::vector<FeedSpec> specs = feedSpecs(feeds);
  SessionShapes shapes(program.services.resources);
  KILN_ASSIGN_OR_RETURN(
      ImportedFunction imported,
      importGraph(lease->mlirContext(), root, specs, &asked, &shapes));
  mlir::OwningOpRef<mlir::ModuleOp> module = std::move(imported.module);
  const SessionLimits &limits = program.services.options.limits;
  KILN_RETURN_IF_ERROR(checkOps(*module, "import", limits));
  // The fed values are the caller's, who waits no longer than the compilation
  // takes.
  FunctionInterface interface = imported;
  KILN_RETURN_IF_ERROR(bindProgram(
      std::move(imported), std::move(imported.constants),
      [&](uint64_t index) { return constantNode(*module, index); }, program));
  stats.importNs = watch.lap();

  CompileOptions options;
  options.control = &control;
  options.inspect = program.services.options.inspect;
  options.inspect.regions |= choice == CodeChoice::WithRegions;
  options.quickCode = numNodes > hugeGraphOps;
  options.code = program.services.options.code;
  options.constants = &program.constants;
  options.threads =
      availableThreads() > 1 ? program.services.options.threads : 1;
  CompileTimes times;
  KILN_RETURN_IF_ERROR(
      runStages(*lease, *module, passes::Stage::Decompose, options, times));
  KILN_RETURN_IF_ERROR(checkOps(*module, "decomposition", limits));
  OpCounts counts = countOps(*module, root, threadsOf(program));
  stats.opsFolded = counts.folded;
  stats.opsForeign = counts.foreign;
  if (choice == CodeChoice::Evaluator ||
      (choice == CodeChoice::EvaluatorIfSooner &&
       isEvaluatedFirst(feeds, counts, program))) {
    stats.opsEvaluator = counts.native + counts.runtime;
    KILN_ASSIGN_OR_RETURN(
        eval::Program code,
        translate(*module->getOps<mlir::func::FuncOp>().begin(),
                  counts.lastEffects));
    program.executor = std::make_unique<EvaluatorCode>(std::move(code));
  } else {
    stats.opsNative = counts.native;
    stats.opsRuntime = counts.runtime;
    options.startAt = passes::Stage::Fuse;
    options.maxCodeBytes = limits.maxCodeBytes;
    options.fuse = fuse;
    // The first run of a very large graph is not to wait for the last tenth of
    // speed.
    if (counts.native > largeGraphOps) {
      options.unroll = 1;
      options.maxOptimizedInstructions = maxLargeGraphInstructions;
    }
    options.quickCode = counts.native > hugeGraphOps;
    noteSizes(*module, feeds, program);
    KILN_ASSIGN_OR_RETURN(CompiledCode code,
                          compile(*lease, *module, options, times));
    stats.opsQuick = times.isQuick ? stats.opsNative : 0;
    KILN_RETURN_IF_ERROR(checkCounts(code.layout.counts, program));
    KILN_RETURN_IF_ERROR(control.check("linking"));
    watch.lap();
    KILN_ASSIGN_OR_RETURN(
        auto linked, linkObjects(code.objects, codeEntryName, options.inspect));
    KILN_ASSIGN_OR_RETURN(program.executor,
                          NativeExecutor::make(std::move(linked), code.layout));
    stats.linkNs = watch.lap();
    // Not for the variables that it opened.
    if (stored && program.openVariables.empty()) {
      stored->store(program, std::move(interface), code);
      stats.diskNs += watch.lap();
    }
  }
  recordTimes(times, stats);
  return okStatus();
}

/// A program whose parts are compiled when a run comes to them.
StatusOr<std::shared_ptr<const Program>>
planCut(const Block &root, std::span<const FeedView> feeds, int64_t pruneNs,
        StatusOr<CutGraph> cut, int depth, SessionServices &services) {
  if (!cut.ok())
    return cut.status();
  Stopwatch watch;
  auto program = std::make_shared<Program>(services);
  program->stats.pruneNs = pruneNs;
  for (size_t i = 0; i < feeds.size(); ++i)
    program->feeds.push_back({std::string(root.args[i].node->name()),
                              feeds[i].dtype,
                              Dims(feeds[i].dims.size(), Dim::unknown())});
  auto shared = std::make_shared<const CutGraph>(*std::move(cut));
  KILN_ASSIGN_OR_RETURN(program->executor,
                        CutPlan::make(std::move(shared), depth, services));
  program->stats.compileNs = pruneNs + watch.lap();
  return std::shared_ptr<const Program>(std::move(program));
}

using ProgramPtr = std::shared_ptr<const Program>;

/// What is tried in turn, as long as it ends in an error of Kiln's own.
struct Attempt {
  CodeChoice choice;
  bool fuse;
  std::string_view name; ///< of those that follow the first
};

StatusOr<ProgramPtr> compileWithFallbacks(
    const Block &root, std::span<const FeedView> feeds, CodeChoice choice,
    int64_t pruneNs, const StoredCode *stored, SessionServices &services,
    const CompileControl &control, std::optional<AskedTensor> &asked) {
  Stopwatch total;
  std::vector<Attempt> attempts = {{choice, true, ""}};
  if (choice != CodeChoice::Evaluator &&
      services.options.mode == ExecutionMode::Auto) {
    attempts.push_back(
        {choice == CodeChoice::WithRegions ? choice : CodeChoice::Native, false,
         "without fusion"});
    attempts.push_back({CodeChoice::Evaluator, false, "evaluated"});
  }
  Status first;
  for (const Attempt &attempt : attempts) {
    auto program = std::make_shared<Program>(services);
    program->stats.pruneNs = pruneNs;
    // Only what is as it should be is worth keeping.
    Status status =
        compileBlocks(root, feeds, attempt.choice, attempt.fuse,
                      first.ok() ? stored : nullptr, *program, control, asked);
    if (status.ok()) {
      if (!first.ok())
        program->stats.degraded = strCat(attempt.name, ": ", first.toString());
      program->stats.compileNs = pruneNs + total.lap();
      return ProgramPtr(std::move(program));
    }
    if (first.ok())
      first = std::move(status);
    if (first.code() != StatusCode::Internal)
      break;
  }
  return first;
}

/// Takes the program's code from the disk cache, or makes it.
StatusOr<ProgramPtr> findOrCompile(const Block &root,
                                   std::span<const FeedView> feeds,
                                   CodeChoice choice, int64_t pruneNs,
                                   SessionServices &services,
                                   const CompileControl &control,
                                   std::optional<AskedTensor> &asked) {
  if (!services.disk || choice == CodeChoice::Evaluator ||
      choice == CodeChoice::WithRegions ||
      hasOpenVariables(root, services.resources))
    return compileWithFallbacks(root, feeds, choice, pruneNs, nullptr, services,
                                control, asked);
  Stopwatch watch;
  StoredCode stored(services, root, feeds);
  auto program = std::make_shared<Program>(services);
  KILN_ASSIGN_OR_RETURN(bool isLoaded, stored.load(*program));
  if (!isLoaded)
    return compileWithFallbacks(root, feeds, choice, pruneNs, &stored, services,
                                control, asked);
  program->stats.pruneNs = pruneNs;
  program->stats.diskNs = watch.lap();
  program->stats.compileNs = pruneNs + program->stats.diskNs;
  return ProgramPtr(std::move(program));
}

/// Each runs its parts on the stack of the one that it is in.
constexpr int maxCutDepth = 64;

/// Makes the program of a run that no op cuts; where it would have to know what
/// the run computes, of two parts.
StatusOr<ProgramPtr> makeProgram(const Block &root,
                                 std::span<const FeedView> feeds,
                                 CodeChoice choice, int64_t pruneNs, int depth,
                                 SessionServices &services,
                                 const CompileControl &control) {
  std::optional<AskedTensor> asked;
  auto program =
      findOrCompile(root, feeds, choice, pruneNs, services, control, asked);
  if (program.ok() || !asked || depth >= maxCutDepth)
    return program;
  auto cut = cutBehind(root, *asked);
  return cut.ok() ? planCut(root, feeds, pruneNs, std::move(cut), depth + 1,
                            services)
                  : program;
}

} // namespace

void addRegionsMark(SignatureKey &key) {
  // No id of a target, and not what a run in steps has.
  key.push_back(~uint64_t(1));
}

CodeChoice chooseCode(const SessionOptions &options, bool needsNative,
                      bool regions) {
  if (regions && options.mode != ExecutionMode::EvaluatorOnly)
    return CodeChoice::WithRegions;
  switch (options.mode) {
  case ExecutionMode::EvaluatorOnly:
    return CodeChoice::Evaluator;
  case ExecutionMode::NativeOnly:
    return CodeChoice::Native;
  case ExecutionMode::Auto:
    return needsNative ? CodeChoice::Native : CodeChoice::EvaluatorIfSooner;
  }
  return CodeChoice::Native;
}

/// Makes the queues that a run declares, whoever uses them: TensorFlow's do
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

StatusOr<std::shared_ptr<const Program>>
compileProgram(const Graph &graph, const RunRequest &request,
               std::span<const FeedView> feeds, CodeChoice choice,
               bool isInSteps, SessionServices &services,
               const CompileControl &control) {
  Stopwatch watch;
  KILN_ASSIGN_OR_RETURN(PrunedGraph pruned, prune(graph, request));
  int64_t pruneNs = watch.lap();
  int64_t limit = services.options.limits.maxNodes;
  if (static_cast<int64_t>(pruned.nodes.size()) > limit)
    return resourceExhaustedError(strCat("expected a run of at most ", limit,
                                         " nodes, got ", pruned.nodes.size()));
  KILN_RETURN_IF_ERROR(checkPlacement(pruned, services.options.softPlacement,
                                      services.options.cpuDevices));
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<Block> root, makeBlocks(pruned, limit));
  KILN_RETURN_IF_ERROR(makeQueues(*root, services.resources));
  if (isInSteps)
    return planCut(*root, feeds, pruneNs, cutIntoSteps(*root), 0, services);
  KILN_ASSIGN_OR_RETURN(std::optional<CutGraph> cut, cutGraph(*root));
  return cut ? planCut(*root, feeds, pruneNs, *std::move(cut), 0, services)
             : makeProgram(*root, feeds, choice, pruneNs, 0, services, control);
}

StatusOr<std::shared_ptr<const Program>>
compilePart(const Block &part, std::span<const FeedView> feeds,
            CodeChoice choice, int depth, SessionServices &services,
            const CompileControl &control) {
  return makeProgram(part, feeds, choice, 0, depth, services, control);
}

} // namespace kiln
