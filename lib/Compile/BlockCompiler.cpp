// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives import and the JIT, and chooses between native code and the evaluator.
#include "lib/Compile/BlockCompiler.h"

#include "dialect/Cost.h"
#include "dialect/Kiln.h"
#include "lib/Compile/StageText.h"
#include "lib/Exec/EvaluatorCode.h"
#include "lib/Exec/NativeFrame.h"
#include "lib/JIT/backends/cpu/WarmUp.h"
#include "lib/Loader/CodeLoader.h"
#include "lib/Support/FloatState.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "lib/Translate/Translation.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>

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
  return program.interface().feeds.empty() &&
         program.interface().fetches.empty() && program.binding.locks.hasWrites;
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
Status checkCounts(const BufferCounts &counts,
                   const FunctionInterface &interface, size_t numConstants) {
  auto is = [](int64_t count, size_t expected) {
    return count == static_cast<int64_t>(expected);
  };
  if (!is(counts.feeds, interface.feeds.size()) || counts.constants < 0 ||
      counts.constants > static_cast<int64_t>(numConstants) ||
      !is(counts.variables, interface.variables.size()) ||
      !is(counts.results, interface.fetches.size()))
    return internalError("expected the buffer table to be the function's");
  return okStatus();
}

/// Whether a compilation that stops there has run no stage behind decompose.
bool endsWithDecompose(std::string_view stopAfter) {
  auto stage = passes::stageNamed(stopAfter);
  return stopAfter == compileStageNames().front() ||
         (stage && *stage <= passes::Stage::Decompose);
}

/// How many threads one loop of a run may use.
int threadsOf(const SessionOptions &options) {
  int available = ThreadPool::process().numThreads(), most = options.threads;
  return most == 0 ? available : std::min(most, available);
}

/// The caller may write its tensors again once the compilation is done.
Status ownFedValues(FunctionInterface &interface) {
  for (FedValue &fed : interface.fedValues) {
    auto copy = fed.value.clone();
    if (!copy.ok())
      return copy.status().withNode(
          interface.feeds[static_cast<size_t>(fed.feed)].node);
    fed.value = *std::move(copy);
  }
  return okStatus();
}

} // namespace

BlockCompiler::BlockCompiler(const Block &root, std::span<const FeedView> feeds,
                             Options options, const CompileServices &services,
                             const CompileControl &control)
    : root(root), feeds(feeds), how(options), services(services),
      control(control), numNodes(countNodes(root)),
      shapes(services.session.resources), lease(ContextLease::lease()) {}

Status BlockCompiler::import(std::optional<AskedTensor> &asked) {
  lease.addNodes(numNodes);
  KILN_RETURN_IF_ERROR(control.check("import"));
  watch.lap();
  std::vector<FeedSpec> specs = feedSpecs(feeds);
  KILN_ASSIGN_OR_RETURN(
      ImportedFunction imported,
      importGraph(lease->mlirContext(), root, specs, &asked, &shapes));
  module = std::move(imported.module);
  KILN_RETURN_IF_ERROR(checkOps(*module, "import", sessionOptions().limits));
  constants = std::move(imported.constants);
  interface = std::move(imported);
  KILN_RETURN_IF_ERROR(ownFedValues(interface));
  KILN_RETURN_IF_ERROR(alignConstants(
      constants, [&](uint64_t index) { return constantNode(*module, index); }));
  stats.importNs = watch.lap();
  return okStatus();
}

Status BlockCompiler::decompose() {
  options.control = &control;
  options.inspect = sessionOptions().inspect;
  options.inspect.regions |= how.choice == CodeChoice::WithRegions;
  options.quickCode = numNodes > hugeGraphOps;
  options.code = sessionOptions().code;
  options.constants = &constants;
  options.threads = availableThreads() > 1 ? sessionOptions().threads : 1;
  KILN_RETURN_IF_ERROR(
      runStages(*lease, *module, passes::Stage::Decompose, options, times));
  if (endsWithDecompose(options.stopAfter))
    return okStatus();
  KILN_RETURN_IF_ERROR(
      checkOps(*module, "decomposition", sessionOptions().limits));
  counts = countOps(*module, root, threadsOf(sessionOptions()));
  stats.opsFolded = counts.folded;
  stats.opsForeign = counts.foreign;
  return okStatus();
}

void BlockCompiler::noteSizes(const FunctionInterface &made) {
  std::vector<Shape> open;
  for (const OpenShape &variable : made.openShapes) {
    // What is wrong with it, import has said.
    auto shape = variable.isUsed ? shapes.shapeOf(variable.variable) : Shape();
    if (!shape.ok())
      return;
    open.push_back(*std::move(shape));
  }
  // What is wrong with its feeds the run says itself.
  if (auto sizes = symbolsOf(made, feeds, open))
    (*module)->setAttr(passes::sizesName, mlir::DenseI64ArrayAttr::get(
                                              module->getContext(), *sizes));
}

StatusOr<CompiledCode> BlockCompiler::generate(const FunctionInterface &made) {
  stats.opsNative = counts.native;
  stats.opsRuntime = counts.runtime;
  options.startAt = passes::Stage::Fuse;
  options.maxCodeBytes = sessionOptions().limits.maxCodeBytes;
  options.fuse = how.fuse;
  // The first run of a very large graph is not to wait for the last tenth of
  // speed.
  if (counts.native > largeGraphOps) {
    options.unroll = 1;
    options.maxOptimizedInstructions = maxLargeGraphInstructions;
  }
  options.quickCode = counts.native > hugeGraphOps;
  noteSizes(made);
  KILN_ASSIGN_OR_RETURN(CompiledCode code,
                        kiln::compile(*lease, *module, options, times));
  stats.opsQuick = times.isQuick ? stats.opsNative : 0;
  return code;
}

/// True where the evaluator is to run the program, for now: sets how long.
bool BlockCompiler::isEvaluatedFirst(Program &program) const {
  // Regions are watched in native code alone.
  bool isTiered = sessionOptions().tiering && !sessionOptions().inspect.any();
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

Status BlockCompiler::evaluate(Program &program) {
  stats.opsEvaluator = counts.native + counts.runtime;
  KILN_ASSIGN_OR_RETURN(eval::Program code,
                        translate(*module->getOps<mlir::func::FuncOp>().begin(),
                                  counts.lastEffects));
  program.executor = std::make_unique<EvaluatorCode>(std::move(code));
  return okStatus();
}

Status BlockCompiler::link(CompiledCode code, const FunctionStore *store,
                           Program &program) {
  KILN_RETURN_IF_ERROR(
      checkCounts(code.layout.counts, program.interface(), constants.size()));
  KILN_RETURN_IF_ERROR(control.check("linking"));
  watch.lap();
  KILN_ASSIGN_OR_RETURN(auto linked, loadCode(code, options.inspect));
  KILN_ASSIGN_OR_RETURN(program.executor,
                        NativeExecutor::make(std::move(linked), code.layout));
  stats.linkNs = watch.lap();
  program.function.code = std::move(code);
  // Not for the variables that import opened.
  if (store && program.binding.openVariables.empty()) {
    program.function.ops = opCountersOf(stats);
    store->store(program.function, constants);
    stats.diskNs += watch.lap();
  }
  program.function.code.objects.clear();
  return okStatus();
}

Status BlockCompiler::compile(const FunctionStore *store, Program &program,
                              std::optional<AskedTensor> &asked) {
  DefaultFloatState floatState;
  KILN_RETURN_IF_ERROR(import(asked));
  KILN_ASSIGN_OR_RETURN(program.binding,
                        bindFunction(interface, services.session));
  program.function.interface = std::move(interface);
  stats.importNs += watch.lap();
  KILN_RETURN_IF_ERROR(decompose());
  if (how.choice == CodeChoice::Evaluator ||
      (how.choice == CodeChoice::EvaluatorIfSooner &&
       isEvaluatedFirst(program))) {
    KILN_RETURN_IF_ERROR(evaluate(program));
  } else {
    KILN_ASSIGN_OR_RETURN(CompiledCode code, generate(program.interface()));
    KILN_RETURN_IF_ERROR(link(std::move(code), store, program));
  }
  program.function.ops = opCountersOf(stats);
  program.binding.constants = std::move(constants);
  recordTimes(times, stats);
  program.stats = std::move(stats);
  return okStatus();
}

StatusOr<std::string>
BlockCompiler::explain(const ExplainOptions &wanted,
                       std::optional<AskedTensor> &asked) {
  DefaultFloatState floatState;
  StageText text(wanted);
  KILN_ASSIGN_OR_RETURN(options.dumpDirectory, text.dumpDirectory());
  options.stopAfter = wanted.stopAfter;
  KILN_RETURN_IF_ERROR(import(asked));
  KILN_RETURN_IF_ERROR(decompose());
  if (!endsWithDecompose(wanted.stopAfter))
    KILN_RETURN_IF_ERROR(generate(interface).status());
  return text.of(*module);
}

} // namespace kiln
