// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host detection, the reduced list of LLVM's passes and code generation into
// memory.
#include "lib/JIT/backends/cpu/Target.h"

#include "lib/JIT/CompileThreads.h"
#include "lib/JIT/backends/cpu/BufferAliasing.h"
#include "lib/JIT/backends/cpu/HostFeatures.h"
#include "lib/JIT/backends/cpu/LongBlocks.h"
#include "lib/JIT/backends/cpu/SingleLaneStores.h"
#include "lib/Loader/Hasher.h"
#include "lib/Support/StatusMacros.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <map>
#include <mutex>

using namespace llvm;

namespace kiln {
namespace {

/// Code as fast as O2's for what Kiln's passes write, in a quarter to an eighth
/// of O2's time.
constexpr StringLiteral passList =
    "function(sroa,early-cse,kiln-buffer-aliasing,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,loop-mssa(loop-rotate,"
    "licm),simplifycfg,kiln-single-lane-stores,kiln-long-blocks)";

/// Without instcombine, which asks of every comparison whether its operands may
/// be NaN, six ops back and lane by lane: a quarter of what a tree of 100,000
/// nodes takes to compile, for code that is not optimized any further.
constexpr StringLiteral quickPassList =
    "function(sroa,early-cse,kiln-buffer-aliasing,loop-mssa(loop-rotate,licm),"
    "simplifycfg,kiln-single-lane-stores)";

/// Lets other jobs go first between two passes of the code generator.
class CheckpointPass final : public FunctionPass {
public:
  CheckpointPass() : FunctionPass(id) {}
  bool runOnFunction(Function &) override {
    CompileThreads::checkpoint();
    return false;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }

private:
  static inline char id = 0;
};

/// The code generator's passes with a checkpoint before each that takes a
/// function: of a step on a thousand variables one of them takes tenths of a
/// second, all together seconds. Passes on loops keep their common manager.
class PausingPasses final : public legacy::PassManager {
public:
  void add(Pass *pass) override {
    if (pass->getPassKind() == PT_Function && !pass->getAsImmutablePass())
      legacy::PassManager::add(new CheckpointPass); // owned by the manager
    legacy::PassManager::add(pass);
  }
};

StatusOr<std::string> emitFile(TargetMachine &machine, Module &module,
                               CodeGenFileType kind) {
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  PausingPasses passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind,
                                  /*DisableVerify=*/true))
    return internalError("the host's target cannot emit this kind of file");
  passes.run(module);
  return std::string(bytes);
}

/// Whether code for the processor `cpu` runs on this one.
Status checkRunsHere(const MCSubtargetInfo &info, const std::string &cpu,
                     const std::map<std::string, bool> &features) {
  for (const auto &[name, isThere] : features)
    if (!isThere && info.checkFeatures("+" + name))
      return invalidArgumentError(
          "expected a processor whose code runs here, got " + cpu +
          ", which has " + name);
  return okStatus();
}

} // namespace

StatusOr<std::unique_ptr<HostTarget>>
HostTarget::create(const std::string &cpu) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  Triple triple(sys::getProcessTriple());
  std::string error;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return internalError("no code generator for " + triple.str() + ": " +
                         error);

  // A target machine for a name that it does not know would print that.
  std::unique_ptr<MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!cpu.empty() && !(known && known->isCPUStringValid(cpu)))
    return invalidArgumentError("expected the name of a processor, got " + cpu);
  // A named processor brings its own features.
  SubtargetFeatures features;
  KILN_ASSIGN_OR_RETURN(auto host, hostFeatures());
  if (cpu.empty())
    for (const auto &[name, isThere] : host)
      features.AddFeature(name, isThere);
  TargetOptions options;
  options.AllowFPOpFusion =
      FPOpFusion::Strict; // a * b + c rounds twice unless the code says fma
  options.ExceptionModel = ExceptionHandling::None;
  std::unique_ptr<HostTarget> result(new HostTarget);
  std::string name = cpu.empty() ? sys::getHostCPUName().str() : cpu;
  result->machine.reset(target->createTargetMachine(
      triple, name, features.getString(), options, Reloc::PIC_,
      CodeModel::Small, CodeGenOptLevel::Default, /*JIT=*/true));
  if (!result->machine)
    return internalError("no code generator for " + name);
  const MCSubtargetInfo &info = *result->machine->getMCSubtargetInfo();
  if (!cpu.empty())
    KILN_RETURN_IF_ERROR(checkRunsHere(info, cpu, host));
  result->vectorBits = info.checkFeatures("+avx512f") ? 512 : 256;
  KILN_ASSIGN_OR_RETURN(result->digest, identity(cpu));
  return result;
}

StatusOr<Digest> HostTarget::identity(const std::string &cpu) {
  // A virtual machine takes tens of microseconds to tell.
  static const std::string host = sys::getHostCPUName().str();
  Hasher hasher;
  hasher.add(std::string_view(cpu))
      .add(std::string_view(sys::getProcessTriple()))
      .add(std::string_view(host));
  KILN_ASSIGN_OR_RETURN(auto features, hostFeatures());
  for (const auto &[name, isThere] : features)
    if (isThere)
      hasher.add(std::string_view(name));
  return hasher.digest();
}

HostTarget::~HostTarget() = default;

passes::KilnVectorizeOptions HostTarget::scheduleTarget(int64_t unroll) const {
  passes::KilnVectorizeOptions target;
  const int64_t bytes = vectorBits / 8;
  // The same number of registers a step, whatever a vector of 16 lanes takes.
  target.unroll = std::max<int64_t>(unroll * bytes / target.registerBytes, 1);
  target.registerBytes = bytes;
  target.registers = vectorBits == 512 ? 32 : 16;
  return target;
}

std::unique_ptr<Module> HostTarget::emit(mlir::ModuleOp module,
                                         LLVMContext &context) const {
  std::unique_ptr<Module> code =
      mlir::translateModuleToLLVMIR(module, context, "kiln");
  if (code)
    prepare(*code);
  return code;
}

void HostTarget::prepare(Module &module) const {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setDoesNotThrow();
    function.addFnAttr("frame-pointer", "all");
    function.addFnAttr("prefer-vector-width", std::to_string(vectorBits));
    // denormals are flushed inside a run: no folding may assume otherwise
    function.addFnAttr("denormal-fp-math", "preserve-sign,preserve-sign");
    function.addFnAttr("no-trapping-math", "true");
  }
}

void HostTarget::optimize(Module &module, int64_t firstTemporary, bool quick) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  callbacks.registerBeforeNonSkippedPassCallback(
      [](StringRef, const Any &) { CompileThreads::checkpoint(); });
  PassBuilder builder(machine.get(), PipelineTuningOptions(), std::nullopt,
                      &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerPipelineParsingCallback(
      [&](StringRef name, FunctionPassManager &manager,
          ArrayRef<PassBuilder::PipelineElement>) {
        if (name == "kiln-buffer-aliasing")
          manager.addPass(BufferAliasingPass(firstTemporary));
        else if (name == "kiln-single-lane-stores")
          manager.addPass(SingleLaneStoresPass());
        else if (name == "kiln-long-blocks")
          manager.addPass(LongBlocksPass());
        else
          return false;
        return true;
      });
  ModulePassManager passes;
  cantFail(builder.parsePassPipeline(passes, quick ? quickPassList : passList));
  passes.run(module, modules);
}

StatusOr<std::string> HostTarget::emitObject(Module &module, bool quick) {
  machine->setOptLevel(quick ? CodeGenOptLevel::None
                             : CodeGenOptLevel::Default);
  return emitFile(*machine, module, CodeGenFileType::ObjectFile);
}

StatusOr<std::string> HostTarget::emitAssembly(const Module &module) {
  std::unique_ptr<Module> copy = CloneModule(module);
  return emitFile(*machine, *copy, CodeGenFileType::AssemblyFile);
}

} // namespace kiln
