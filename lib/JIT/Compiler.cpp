// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives the stages, translation to LLVM IR, code generation and linking, and
// times each.
#include "lib/JIT/Compiler.h"

#include "lib/JIT/CodeBackend.h"
#include "lib/JIT/CodeKey.h"
#include "lib/JIT/CodeParts.h"
#include "lib/JIT/CompileThreads.h"
#include "lib/JIT/KernelFacts.h"
#include "lib/JIT/KernelParts.h"
#include "lib/JIT/LlvmDiagnostics.h"
#include "lib/JIT/backends/cpu/WarmUp.h"
#include "lib/Loader/CodeLoader.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Translate/Fold.h"
#include "passes/LayoutAttributes.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <numeric>

using namespace mlir;

namespace kiln {
namespace {

constexpr std::string_view stageNames[] = {
    "import",    "simplify",    "decompose", "fuse",    "bufferize",
    "vectorize", "parallelize", "llvm",      "llvm-ir", "assembly"};
static_assert(std::size(stageNames) == std::size(passes::allStages) + 3);

/// Adds the time until it dies.
class Timer {
public:
  explicit Timer(int64_t &total) : total(total) {}
  ~Timer() {
    total += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin)
                 .count();
  }

private:
  int64_t &total;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};

/// Writes NN-stage.extension, where a directory is given.
template <class Print>
Status dump(const CompileOptions &options, std::string_view stage,
            StringRef extension, Print print) {
  if (options.dumpDirectory.empty())
    return okStatus();
  auto number = std::find(std::begin(stageNames), std::end(stageNames), stage) -
                std::begin(stageNames);
  if (std::error_code error =
          llvm::sys::fs::create_directories(options.dumpDirectory))
    return unknownError("creating " + options.dumpDirectory + ": " +
                        error.message());
  std::string path =
      llvm::formatv("{0}/{1}-{2}.{3}", options.dumpDirectory,
                    llvm::format("%02d", int(number)), stage, extension);
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    print(stream);
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? unknownError("writing " + path + ": " + error.message())
               : okStatus();
}

Status dumpModule(const CompileOptions &options, std::string_view stage,
                  ModuleOp module) {
  return dump(options, stage, "mlir", [&](llvm::raw_ostream &stream) {
    module->print(stream, OpPrintingFlags().enableDebugInfo());
    stream << "\n";
  });
}

/// What is looked at stays whole, and so does what is made in a hurry.
bool isWhole(const CompileOptions &options) {
  return !options.dumpDirectory.empty() || !options.stopAfter.empty() ||
         options.quickCode;
}

/// `backend`: null for the stages that know none, up to decompose.
passes::PipelineOptions pipelineOptions(CompilerContext &context,
                                        const CompileOptions &options,
                                        const CodeBackend *backend) {
  passes::PipelineOptions result;
  result.fold = foldConstant;
  result.code = options.code;
  context.constants().setTable(options.constants);
  result.constants = &context.constants();
  result.markRegions = options.inspect.any();
  result.quick = options.quickCode;
  if (!backend)
    return result;
  result.fuse = options.fuse;
  result.kernels = &context.kernels();
  result.target = backend->scheduleTarget(options.unroll);
  return result;
}

/// The parts of a compilation that another thread may take. Leaves work that
/// is not asked for any more.
class SharedParts {
public:
  ~SharedParts() {
    for (const auto &part : parts)
      part->abandon();
  }

  /// Takes them out of the module.
  void take(llvm::Module &module, const CompileOptions &options,
            bool withKernels, int64_t firstTemporary) {
    std::vector<KernelModule> kernels;
    if (withKernels)
      kernels = takeKernels(module);
    // Two halves take a tenth more time than one, together.
    if (options.threads != 1)
      if (auto half = CodePart::split(module, firstTemporary))
        parts.push_back(std::move(half));
    numHalves = parts.size();
    const bool isShared =
        options.threads != 1 &&
        (!parts.empty() || kernels.size() > 1 ||
         (kernels.size() == 1 && costOf(module) >= minKernelCost));
    for (KernelModule &kernel : kernels) {
      names.push_back(std::move(kernel.name));
      parts.push_back(CodePart::of(std::move(kernel.module), isShared));
    }
    if (isShared)
      CompileThreads::process().submit(
          [parts = parts, code = options.code] {
            // Where there is none the compiling thread says so.
            if (auto backend = codeBackend(code); backend.ok())
              for (const auto &part : parts)
                part->generate(**backend);
          },
          CompileThreads::currentWork());
  }

  /// Appends the objects, and gives the process those of kernels.
  /// `diagnostics` are the module's, in whose context parts may be.
  Status finish(CodeBackend &backend, const LlvmDiagnostics &diagnostics,
                const KernelUses &uses, std::vector<std::string> &objects) {
    // The other thread does the first one first.
    for (const auto &part : llvm::reverse(parts))
      part->generate(backend);
    KILN_RETURN_IF_ERROR(diagnostics.first);
    for (size_t i = 0; i < parts.size(); ++i) {
      KILN_ASSIGN_OR_RETURN(std::string made, parts[i]->result(backend));
      if (i >= numHalves)
        uses.bring(names[i - numHalves],
                   std::make_shared<const std::string>(made));
      objects.push_back(std::move(made));
    }
    return okStatus();
  }

private:
  std::vector<std::shared_ptr<CodePart>> parts; ///< half of the module, kernels
  size_t numHalves = 0;
  std::vector<std::string> names; ///< of the kernels
};

/// From the LLVM dialect to objects; none when options.stopAfter came first.
StatusOr<std::vector<std::string>>
generateCode(CompilerContext &context, ModuleOp module, int64_t firstTemporary,
             const CompileOptions &options, CompileTimes &times) {
  std::vector<std::string> objects;
  llvm::LLVMContext llvmContext;
  LlvmDiagnostics diagnostics(llvmContext);
  KILN_RETURN_IF_ERROR(options.check("llvm-ir"));
  KILN_ASSIGN_OR_RETURN(CodeBackend * chosen, context.backend(options.code));
  CodeBackend &backend = *chosen;
  std::unique_ptr<llvm::Module> code;
  SharedParts others;
  {
    Timer timer(times.translate);
    DiagnosticCollector collector(context.mlirContext());
    code = backend.emit(module, llvmContext);
    if (!code)
      return collector.status("translation to LLVM IR failed");
    // What is generated quickly takes little time.
    if (!isWhole(options) &&
        static_cast<int64_t>(code->getInstructionCount()) <=
            options.maxOptimizedInstructions)
      others.take(*code, options, context.kernels().isOpen(), firstTemporary);
  }
  KILN_RETURN_IF_ERROR(options.check("optimization"));
  {
    Timer timer(times.optimize);
    backend.optimize(*code, firstTemporary, options.quickCode);
  }
  KILN_RETURN_IF_ERROR(
      dump(options, "llvm-ir", "ll",
           [&](llvm::raw_ostream &stream) { code->print(stream, nullptr); }));
  if (options.stopAfter == "llvm-ir")
    return objects;
  if (!options.dumpDirectory.empty()) {
    KILN_ASSIGN_OR_RETURN(std::string assembly, backend.emitAssembly(*code));
    KILN_RETURN_IF_ERROR(
        dump(options, "assembly", "s",
             [&](llvm::raw_ostream &stream) { stream << assembly; }));
  }
  if (options.stopAfter == "assembly")
    return objects;
  KILN_RETURN_IF_ERROR(options.check("code generation"));
  Timer timer(times.codegen);
  bool isQuick =
      options.quickCode || static_cast<int64_t>(code->getInstructionCount()) >
                               options.maxOptimizedInstructions;
  times.isQuick = isQuick;
  KILN_ASSIGN_OR_RETURN(objects.emplace_back(),
                        backend.emitObject(*code, isQuick));
  noteCompilerIsWarm();
  KILN_RETURN_IF_ERROR(
      others.finish(backend, diagnostics, context.kernels(), objects));
  for (const KernelObject &kernel : context.kernels().taken())
    objects.push_back(*kernel);
  return objects;
}

/// Begins to use and to bring kernels.
Status openKernels(CompilerContext &context, const CompileOptions &options) {
  KILN_ASSIGN_OR_RETURN(CodeBackend * backend, context.backend(options.code));
  CodeKey key;
  key.backend = backend->name();
  key.target = backend->target();
  key.code = options.code;
  key.isInspected = options.inspect.any();
  key.unroll = options.unroll;
  context.kernels().begin(key.digest(), !isWhole(options));
  return okStatus();
}

} // namespace

std::span<const std::string_view> compileStageNames() { return stageNames; }

int64_t CompileTimes::passesTotal() const {
  return std::accumulate(std::begin(stages), std::end(stages), int64_t(0));
}

Status runStages(CompilerContext &context, ModuleOp module, passes::Stage last,
                 const CompileOptions &options, CompileTimes &times) {
  CodeBackend *backend = nullptr;
  if (last > passes::Stage::Decompose) {
    KILN_ASSIGN_OR_RETURN(backend, context.backend(options.code));
  }
  passes::PipelineOptions pipeline = pipelineOptions(context, options, backend);
  markPureCalls(module);
  if (options.startAt == passes::allStages[0]) {
    KILN_RETURN_IF_ERROR(dumpModule(options, "import", module));
    if (options.stopAfter == "import")
      return okStatus();
  }
  for (passes::Stage stage : passes::allStages) {
    if (stage < options.startAt || stage > last)
      continue;
    KILN_RETURN_IF_ERROR(options.check(passes::stageName(stage)));
    {
      Timer timer(times.stages[static_cast<size_t>(stage)]);
      KILN_RETURN_IF_ERROR(context.runStage(module, stage, pipeline));
    }
    std::string_view name = passes::stageName(stage);
    KILN_RETURN_IF_ERROR(dumpModule(options, name, module));
    if (options.stopAfter == name)
      break;
  }
  return okStatus();
}

StatusOr<CompiledCode> compile(CompilerContext &context, ModuleOp module,
                               const CompileOptions &options,
                               CompileTimes &times) {
  const auto *stop = std::find(std::begin(stageNames), std::end(stageNames),
                               options.stopAfter);
  if (!options.stopAfter.empty() && stop == std::end(stageNames))
    return invalidArgumentError("expected a stage to stop after, got " +
                                options.stopAfter);
  if (options.control != &warmUpControl())
    warmUpControl().stop();
  KILN_RETURN_IF_ERROR(openKernels(context, options));
  CompiledCode result;
  KILN_ASSIGN_OR_RETURN(CodeBackend * backend, context.backend(options.code));
  result.backend = backend->name();
  KILN_RETURN_IF_ERROR(
      runStages(context, module, passes::Stage::Llvm, options, times));
  if (options.stopAfter == "import" || passes::stageNamed(options.stopAfter))
    return result;
  DiagnosticCollector collector(context.mlirContext());
  FailureOr<CodeLayout> layout = passes::codeLayout(module);
  if (failed(layout))
    return collector.status("reading the layout failed");
  result.layout = std::move(*layout);
  KILN_ASSIGN_OR_RETURN(result.objects,
                        generateCode(context, module,
                                     result.layout.counts.firstTemporary(),
                                     options, times));
  size_t bytes = 0;
  for (const std::string &object : result.objects)
    bytes += object.size();
  if (static_cast<int64_t>(bytes) > options.maxCodeBytes)
    return resourceExhaustedError(
        llvm::formatv("expected at most {0} bytes of code, got {1}",
                      options.maxCodeBytes, bytes));
  return result;
}

StatusOr<std::unique_ptr<Executable>>
Executable::link(const CompiledCode &compiled, const InspectOptions &inspect) {
  std::unique_ptr<Executable> result(new Executable);
  KILN_RETURN_IF_ERROR(bindKernels(compiled.layout, result->kernelTable));
  KILN_ASSIGN_OR_RETURN(result->code, loadCode(compiled, inspect));
  result->codeLayout = compiled.layout;
  return result;
}

StatusOr<std::unique_ptr<Executable>> compile(CompilerContext &context,
                                              ModuleOp module,
                                              const CompileOptions &options) {
  CompileTimes times;
  KILN_ASSIGN_OR_RETURN(CompiledCode code,
                        compile(context, module, options, times));
  if (code.objects.empty())
    return std::unique_ptr<Executable>();
  return Executable::link(code, options.inspect);
}

} // namespace kiln
