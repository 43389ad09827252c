// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the dialects, keeps pass managers per stage and pools contexts.
#include "lib/JIT/CompilerContext.h"

#include "dialect/Kiln.h"
#include "lib/JIT/CompileThreads.h"
#include "runtime/threads/ForkMutex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

#include <atomic>
#include <vector>

using namespace mlir;

namespace kiln {
namespace {

/// One registry a process; contexts copy what they need.
const DialectRegistry &dialects() {
  static const DialectRegistry &registry = *[] {
    auto *made = new DialectRegistry;
    made->insert<ir::KilnDialect, arith::ArithDialect, cf::ControlFlowDialect,
                 func::FuncDialect, index::IndexDialect, LLVM::LLVMDialect,
                 math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                 vector::VectorDialect>();
    registerBuiltinDialectTranslation(*made);
    registerLLVMDialectTranslation(*made);
    return made;
  }();
  return registry;
}

std::string nodeOf(Location location) {
  std::string node;
  location->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    node = named.getName().str();
    return WalkResult::interrupt();
  });
  return node;
}

struct Pool {
  struct Idle {
    std::unique_ptr<CompilerContext> context;
    int leases;
    int64_t nodes;
  };
  ForkMutex mutex; // guards idle
  std::vector<Idle> idle;
};

std::atomic<int64_t> numLeases{0};

/// Never destroyed: a lease may end at any time of the process.
Pool &pool() {
  static Pool &made = *new Pool;
  return made;
}

constexpr size_t maxIdleContexts = 4;
constexpr int maxLeases = 64;
/// A node leaves a few KiB of attributes and locations behind.
constexpr int64_t maxNodes = 4096;

} // namespace

DiagnosticCollector::DiagnosticCollector(MLIRContext &context)
    : context(context) {
  handler =
      context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error && first.ok())
          first = Status(StatusCode::Internal, diagnostic.str(),
                         nodeOf(diagnostic.getLocation()));
        return success();
      });
}

DiagnosticCollector::~DiagnosticCollector() {
  context.getDiagEngine().eraseHandler(handler);
}

Status DiagnosticCollector::status(std::string_view otherwise) const {
  return first.ok() ? internalError(std::string(otherwise)) : first;
}

CompilerContext::CompilerContext()
    : context(dialects(), MLIRContext::Threading::DISABLED) {
  context.loadDialect<ir::KilnDialect, func::FuncDialect>();
  context.printOpOnDiagnostic(false);
  // Other jobs may go first between two passes, and between two patterns.
  context.registerActionHandler(
      [](function_ref<void()> action, const tracing::Action &) {
        CompileThreads::checkpoint();
        action();
      });
}

CompilerContext::~CompilerContext() = default;

StatusOr<CodeBackend *> CompilerContext::backend(const CodeOptions &code) {
  std::unique_ptr<CodeBackend> &place = backends[code.cpu];
  if (!place) {
    auto made = codeBackend(code);
    if (!made.ok()) {
      backends.erase(code.cpu);
      return made.status();
    }
    place = *std::move(made);
  }
  return place.get();
}

Status CompilerContext::runStage(ModuleOp module, passes::Stage stage,
                                 const passes::PipelineOptions &options) {
  auto &[madeFor, manager] = managers[static_cast<size_t>(stage)];
  if (!manager || !options.sameAs(madeFor)) {
    madeFor = options;
    manager = std::make_unique<PassManager>(&context);
#ifdef NDEBUG
    manager->enableVerifier(false);
#else
    manager->enableVerifier(!options.quick);
#endif
    passes::buildStage(*manager, stage, options);
  }
  DiagnosticCollector diagnostics(context);
  if (failed(manager->run(module)))
    return diagnostics.status("stage " + passes::stageName(stage).str() +
                              " failed");
  return okStatus();
}

ContextLease ContextLease::lease() {
  {
    std::lock_guard lock(pool().mutex);
    if (auto &idle = pool().idle; !idle.empty()) {
      Pool::Idle taken = std::move(idle.back());
      idle.pop_back();
      return ContextLease(std::move(taken.context), taken.leases, taken.nodes);
    }
  }
  return ContextLease(std::make_unique<CompilerContext>(), 0, 0);
}

ContextLease &ContextLease::operator=(ContextLease &&other) noexcept {
  std::swap(context, other.context);
  std::swap(leases, other.leases);
  std::swap(nodes, other.nodes);
  return *this;
}

int64_t ContextLease::numLeased() noexcept {
  return numLeases.load(std::memory_order_relaxed);
}

ContextLease::ContextLease(std::unique_ptr<CompilerContext> context, int leases,
                           int64_t nodes)
    : context(std::move(context)), leases(leases), nodes(nodes) {
  numLeases.fetch_add(1, std::memory_order_relaxed);
}

ContextLease::~ContextLease() { giveBack(); }

void ContextLease::giveBack() {
  if (!context)
    return;
  numLeases.fetch_sub(1, std::memory_order_relaxed);
  if (++leases >= maxLeases || nodes >= maxNodes)
    return;
  std::lock_guard lock(pool().mutex);
  if (pool().idle.size() < maxIdleContexts)
    pool().idle.push_back({std::move(context), leases, nodes});
}

} // namespace kiln
