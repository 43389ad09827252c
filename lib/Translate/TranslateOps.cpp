// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op of the dialect says, as a record.
#include "lib/Translate/Translator.h"

#include "dialect/IntegerOps.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelRegistry.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kiln::eval {
namespace {

// Enumerations with the dialect's numbers.
#define KILN_SAME(Own, name)                                                   \
  static_assert(static_cast<int>(Own) == static_cast<int>(ir::name))
KILN_SAME(Predicate::Eq, Predicate::eq);
KILN_SAME(Predicate::Ne, Predicate::ne);
KILN_SAME(Predicate::Lt, Predicate::lt);
KILN_SAME(Predicate::Le, Predicate::le);
KILN_SAME(Predicate::Gt, Predicate::gt);
KILN_SAME(Predicate::Ge, Predicate::ge);
KILN_SAME(ReduceKind::Sum, ReduceKind::sum);
KILN_SAME(ReduceKind::Prod, ReduceKind::prod);
KILN_SAME(ReduceKind::Max, ReduceKind::max);
KILN_SAME(ReduceKind::Min, ReduceKind::min);
KILN_SAME(ReduceKind::All, ReduceKind::all);
KILN_SAME(ReduceKind::Any, ReduceKind::any);
KILN_SAME(ScatterKind::Update, ScatterKind::update);
KILN_SAME(ScatterKind::Add, ScatterKind::add);
KILN_SAME(ScatterKind::Sub, ScatterKind::sub);
KILN_SAME(ScatterKind::Mul, ScatterKind::mul);
KILN_SAME(ScatterKind::Div, ScatterKind::div);
KILN_SAME(ScatterKind::Min, ScatterKind::min);
KILN_SAME(ScatterKind::Max, ScatterKind::max);
KILN_SAME(ScatterKind::SegmentMin, ScatterKind::segment_min);
KILN_SAME(ScatterKind::SegmentMax, ScatterKind::segment_max);
KILN_SAME(RandomKind::Uniform, RandomKind::uniform);
KILN_SAME(RandomKind::Normal, RandomKind::normal);
#undef KILN_SAME

//===--- Elementwise ops --------------------------------------------------===//

ElementLoop unaryLoopOf(Operation *op, DType type) {
  return llvm::TypeSwitch<Operation *, ElementLoop>(op)
#define KILN_CASE(Name)                                                        \
  .Case<ir::Name##Op>([&](auto) { return unaryLoop(UnaryFloat::Name, type); })
#define KILN_ELEMENTARY_UNARY(Enum, Name) KILN_CASE(Enum)
      KILN_FOR_EACH_UNARY_FLOAT(KILN_CASE)
#include "runtime/elementary/Elementary.def"
#undef KILN_CASE
          .Default([](auto) { return nullptr; });
}

ElementLoop binaryLoopOf(Operation *op, DType type) {
  return llvm::TypeSwitch<Operation *, ElementLoop>(op)
#define KILN_CASE(Name)                                                        \
  .Case<ir::Name##Op>([&](auto) { return binaryLoop(BinaryFloat::Name, type); })
#define KILN_ELEMENTARY_BINARY(Enum, Name) KILN_CASE(Enum)
      KILN_FOR_EACH_BINARY_FLOAT(KILN_CASE)
#include "runtime/elementary/Elementary.def"
#undef KILN_CASE
          .Default([](auto) { return nullptr; });
}

Predicate predicateOf(ir::CompareOp op) {
  return static_cast<Predicate>(op.getPredicate());
}

ElementLoop loopOf(Operation *op) {
  if (!isa<ir::KilnDialect>(op->getDialect()) ||
      !op->hasTrait<OpTrait::Elementwise>())
    return nullptr;
  DType operand = ir::dtypeOf(op->getOperand(0).getType());
  DType result = ir::dtypeOf(op->getResult(0).getType());
  if (isa<ir::CastOp>(op))
    return castLoop(operand, result);
  if (isa<ir::RealOp, ir::ImagOp>(op))
    return partLoop(isa<ir::ImagOp>(op), result);
  if (isa<ir::ComplexOp>(op))
    return complexLoop(operand);
  if (auto compare = dyn_cast<ir::CompareOp>(op))
    return compareLoop(predicateOf(compare), operand);
  if (isa<ir::SelectOp>(op))
    return selectLoop(result == DType::String ? DType::Int64 : result);
  if (auto function = ir::integerFunctionOf(op);
      function && result != DType::Float32 && result != DType::Float64)
    return integerLoop(*function, result);
  return op->getNumOperands() == 1 ? unaryLoopOf(op, result)
                                   : binaryLoopOf(op, result);
}

/// The loop of a select and the comparison that it alone asks for.
ElementLoop conditionLoopOf(Operation *op) {
  auto select = dyn_cast<ir::SelectOp>(op);
  auto compare =
      select ? select.getCondition().getDefiningOp<ir::CompareOp>() : nullptr;
  if (!compare || !compare->hasOneUse())
    return nullptr;
  return comparedSelectLoop(predicateOf(compare),
                            ir::dtypeOf(compare.getOperand(0).getType()),
                            ir::dtypeOf(select.getType()));
}

StatusOr<AnyOp> elementwise(Operation *op) {
  ElementwiseOp made{loopOf(op), conditionLoopOf(op)};
  if (!made.loop)
    return internalError(strCat("expected an op on tensors, got ",
                                op->getName().getStringRef().str()));
  return made;
}

//===--- Other ops --------------------------------------------------------===//

StatusOr<AnyOp> convert(ir::ConstantOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(ConstantOp made, to.addConstant(op.getValue()));
  return made;
}
StatusOr<AnyOp> convert(ir::ConstantRefOp op, Translator &) {
  return ConstantRefOp{op.getIndex()};
}
StatusOr<AnyOp> convert(ir::DimsOp op, Translator &to) {
  return DimsOp{to.addDims(op.getSymbols(), op.getValues())};
}
StatusOr<AnyOp> convert(ir::IotaOp op, Translator &) {
  return IotaOp{static_cast<int32_t>(op.getAxis())};
}
StatusOr<AnyOp> convert(ir::BroadcastOp op, Translator &to) {
  return BroadcastOp{to.addNumbers(op.getMap())};
}
StatusOr<AnyOp> convert(ir::ReshapeOp, Translator &) { return ReshapeOp{}; }
StatusOr<AnyOp> convert(ir::TransposeOp op, Translator &to) {
  return TransposeOp{to.addNumbers(op.getPermutation())};
}
StatusOr<AnyOp> convert(ir::SliceOp op, Translator &to) {
  return SliceOp{to.addNumbers(op.getStarts()), to.addNumbers(op.getStrides())};
}
StatusOr<AnyOp> convert(ir::ConcatOp op, Translator &) {
  return ConcatOp{static_cast<int32_t>(op.getAxis())};
}
StatusOr<AnyOp> convert(ir::PadOp op, Translator &to) {
  return PadOp{to.addNumbers(op.getLow())};
}
StatusOr<AnyOp> convert(ir::WindowOp op, Translator &to) {
  return WindowOp{to.addNumbers(op.getStarts()),
                  to.addNumbers(op.getStrides())};
}
StatusOr<AnyOp> convert(ir::GatherOp op, Translator &) {
  return GatherOp{static_cast<int32_t>(op.getAxis()),
                  static_cast<int32_t>(op.getBatch())};
}
StatusOr<AnyOp> convert(ir::ReduceOp op, Translator &to) {
  return ReduceOp{to.addNumbers(op.getAxes()),
                  static_cast<ReduceKind>(op.getKind())};
}
StatusOr<AnyOp> convert(ir::ArgReduceOp op, Translator &) {
  return ArgReduceOp{static_cast<int32_t>(op.getAxis()), op.getSmallest()};
}
StatusOr<AnyOp> convert(ir::ScatterOp op, Translator &) {
  return ScatterOp{static_cast<ScatterKind>(op.getKind())};
}
StatusOr<AnyOp> convert(ir::MatmulOp op, Translator &) {
  return MatmulOp{op.getTransposeLhs(), op.getTransposeRhs()};
}
StatusOr<AnyOp> convert(ir::ConvolveOp op, Translator &to) {
  return ConvolveOp{to.addNumbers(op.getStrides()),
                    to.addNumbers(op.getDilations()),
                    to.addNumbers(op.getPadded().value_or(ArrayRef<int64_t>())),
                    op.getTransposed()};
}
StatusOr<AnyOp> convert(ir::RandomReserveOp op, Translator &to) {
  return RandomReserveOp{static_cast<int64_t>(op.getStream()),
                         to.addDims(op.getSymbols(), op.getValues())};
}
StatusOr<AnyOp> convert(ir::RandomOp op, Translator &) {
  return RandomOp{static_cast<RandomKind>(op.getKind())};
}
StatusOr<AnyOp> convert(ir::RandomIntOp, Translator &) { return RandomIntOp{}; }
StatusOr<AnyOp> convert(ir::VarReadOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(int64_t variable,
                        to.variableOf(op, op.getVariableAttr()));
  return VarReadOp{variable};
}
StatusOr<AnyOp> convert(ir::VarWriteOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(int64_t variable,
                        to.variableOf(op, op.getVariableAttr()));
  return VarWriteOp{variable};
}
StatusOr<AnyOp> convert(ir::VarIsInitializedOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(int64_t variable,
                        to.variableOf(op, op.getVariableAttr()));
  return VarIsInitializedOp{variable};
}
StatusOr<AnyOp> convert(ir::RuntimeCallOp op, Translator &to) {
  const kiln::Kernel *kernel = KernelRegistry::process().find(
      std::string_view(op.getCallee().data(), op.getCallee().size()));
  if (!kernel)
    return internalError(
        strCat("expected a kernel, got ", op.getCallee().str()));
  return RuntimeCallOp{kernel, to.addNumbers(op.getNumbers()),
                       to.addNumbers(op.getBinds())};
}
StatusOr<AnyOp> convert(ir::FusionOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(uint32_t body, to.addBlock(op.getBody().front()));
  return FusionOp{body};
}
StatusOr<AnyOp> convert(ir::IfOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(uint32_t thenBlock, to.addBlock(op.thenBlock()));
  KILN_ASSIGN_OR_RETURN(uint32_t elseBlock, to.addBlock(op.elseBlock()));
  return IfOp{thenBlock, elseBlock};
}
StatusOr<AnyOp> convert(ir::WhileOp op, Translator &to) {
  KILN_ASSIGN_OR_RETURN(uint32_t before, to.addBlock(op.beforeBlock()));
  KILN_ASSIGN_OR_RETURN(uint32_t after, to.addBlock(op.afterBlock()));
  return WhileOp{before, after};
}
StatusOr<AnyOp> convert(ir::BindOp op, Translator &to) {
  return BindOp{to.addNumbers(op.getBinds())};
}
StatusOr<AnyOp> convert(ir::DefineOp op, Translator &to) {
  return DefineOp{static_cast<int64_t>(op.getId()),
                  to.addDims(op.getSymbols(), op.getValues()),
                  static_cast<SymbolDef::Kind>(op.getKind())};
}
StatusOr<AnyOp> convert(ir::GuardOp op, Translator &to) {
  return GuardOp{static_cast<int64_t>(op.getNumber()),
                 to.addDims(op.getSymbols(), op.getValues()),
                 static_cast<Guard::Kind>(op.getKind())};
}

} // namespace

StatusOr<AnyOp> translateOp(Operation *op, Translator &translator) {
  if (op->hasTrait<OpTrait::Elementwise>())
    return elementwise(op);
  return llvm::TypeSwitch<Operation *, StatusOr<AnyOp>>(op)
      .Case<ir::ConstantOp, ir::ConstantRefOp, ir::DimsOp, ir::IotaOp,
            ir::BroadcastOp, ir::ReshapeOp, ir::TransposeOp, ir::SliceOp,
            ir::ConcatOp, ir::PadOp, ir::WindowOp, ir::GatherOp, ir::ReduceOp,
            ir::ArgReduceOp, ir::ScatterOp, ir::MatmulOp, ir::ConvolveOp,
            ir::RandomReserveOp, ir::RandomOp, ir::RandomIntOp, ir::VarReadOp,
            ir::VarWriteOp, ir::VarIsInitializedOp, ir::FusionOp,
            ir::RuntimeCallOp, ir::IfOp, ir::WhileOp, ir::BindOp, ir::DefineOp,
            ir::GuardOp>(
          [&](auto specific) { return convert(specific, translator); })
      .Default([](Operation *other) {
        return internalError(strCat("expected an op on tensors, got ",
                                    other->getName().getStringRef().str()));
      });
}

} // namespace kiln::eval
