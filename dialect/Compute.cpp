// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and folds of casts, reductions, contractions and random generators,
// and the definitions of all ops.
#include "dialect/Kiln.h"
#include "dialect/Types.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <limits>

namespace kiln::ir {
mlir::ParseResult parseDimList(mlir::OpAsmParser &parser,
                               mlir::DenseI64ArrayAttr &symbols,
                               mlir::DenseI64ArrayAttr &values);
void printDimList(mlir::OpAsmPrinter &printer, mlir::Operation *,
                  mlir::DenseI64ArrayAttr symbols,
                  mlir::DenseI64ArrayAttr values);
} // namespace kiln::ir

#define GET_OP_CLASSES
#include "dialect/KilnOps.cpp.inc"

using namespace mlir;

namespace kiln::ir {

/// The dimensions of `from` that are not among `axes`.
static FailureOr<Extents> dropAxes(const Extents &from,
                                   ArrayRef<int64_t> axes) {
  llvm::SmallBitVector dropped(from.size());
  int64_t last = -1;
  for (int64_t axis : axes) {
    if (axis <= last || axis >= static_cast<int64_t>(from.size()))
      return failure();
    dropped.set(last = axis);
  }
  Extents kept;
  for (size_t i = 0; i < from.size(); ++i)
    if (!dropped.test(i))
      kept.push_back(from[i]);
  return kept;
}

LogicalResult CastOp::verify() {
  Type from = cast<RankedTensorType>(getOperand().getType()).getElementType(),
       to = cast<RankedTensorType>(getType()).getElementType();
  // cast_c1
  if ((isNarrowFloat(from) && !to.isF32()) ||
      (isNarrowFloat(to) && !from.isF32()))
    return emitOpError("expected f16 and bf16 to be converted from and to f32 "
                       "alone, got ")
           << from << " to " << to;
  return success();
}

//===--- Complex numbers --------------------------------------------------===//

/// Whether numbers of one element type are what complex ones of the other have
/// as parts.
static bool arePartsOf(Value parts, Value whole) {
  unsigned part = getElementTypeOrSelf(parts.getType()).getIntOrFloatBitWidth();
  return 2 * part ==
         getElementTypeOrSelf(whole.getType()).getIntOrFloatBitWidth();
}

template <class Op> static LogicalResult verifyPart(Op op) {
  // part_c1
  if (arePartsOf(op.getResult(), op.getOperand()))
    return success();
  return op.emitOpError("expected parts of half the size, got ")
         << op.getOperand().getType() << " to " << op.getType();
}
LogicalResult RealOp::verify() { return verifyPart(*this); }
LogicalResult ImagOp::verify() { return verifyPart(*this); }
LogicalResult ComplexOp::verify() {
  // complex_c1
  if (arePartsOf(getReal(), getResult()))
    return success();
  return emitOpError("expected numbers of twice the size of their parts, got ")
         << getReal().getType() << " to " << getType();
}

// real(complex(x, y)) -> x
OpFoldResult RealOp::fold(FoldAdaptor) {
  auto whole = getOperand().getDefiningOp<ComplexOp>();
  return whole ? whole.getReal() : Value();
}
// imag(complex(x, y)) -> y
OpFoldResult ImagOp::fold(FoldAdaptor) {
  auto whole = getOperand().getDefiningOp<ComplexOp>();
  return whole ? whole.getImag() : Value();
}
// complex(real(z), imag(z)) -> z
OpFoldResult ComplexOp::fold(FoldAdaptor) {
  auto real = getReal().getDefiningOp<RealOp>();
  auto imag = getImag().getDefiningOp<ImagOp>();
  bool isWhole = real && imag && real.getOperand() == imag.getOperand();
  return isWhole ? real.getOperand() : Value();
}

LogicalResult ScatterOp::verify() {
  auto base = cast<RankedTensorType>(getBase().getType()),
       result = cast<RankedTensorType>(getType());
  Type element = result.getElementType();
  // scatter_c1
  if (result.getRank() == 0 ||
      (base != result && base != RankedTensorType::get({}, element)))
    return emitOpError("expected a base of type ")
           << result << ", or a scalar of its elements, got " << base;
  Extents indices = extentsOf(getIndices());
  // scatter_c2
  if (indices.size() != 1)
    return emitOpError("expected a vector of indices, got ")
           << getIndices().getType();
  Extents expected = extentsOf(result);
  expected[0] = indices[0];
  // scatter_c3
  if (getUpdates().getType() != tensorTypeOf(expected, element))
    return emitOpError("expected updates of type ")
           << tensorTypeOf(expected, element) << ", got "
           << getUpdates().getType();
  bool isNumber = dtypeOf(element) != DType::String && !element.isInteger(128);
  bool takesBools = getKind() == ScatterKind::min ||
                    getKind() == ScatterKind::max ||
                    getKind() == ScatterKind::sub;
  // scatter_c4
  if (getKind() != ScatterKind::update &&
      (!isNumber || (element.isInteger(1) && !takesBools)))
    return emitOpError("expected elements to compute with, got ") << element;
  return success();
}

bool ScatterOp::mayFail() {
  Type element = cast<RankedTensorType>(getType()).getElementType();
  return getKind() == ScatterKind::div && isa<IntegerType>(element);
}

Extents ScatterOp::getLoops() { return extentsOf(getUpdates()); }

Access ScatterOp::getAccess(OpOperand &operand) {
  Access access = sameAccess(rankOf(operand.get()));
  if (operand.get() == getBase() && !access.empty())
    access[0] = DimAccess::picked(
        static_cast<int>(getIndicesMutable().getOperandNumber()));
  return access;
}

LogicalResult ReduceOp::verify() {
  auto operand = cast<RankedTensorType>(getOperand().getType());
  FailureOr<Extents> kept = dropAxes(extentsOf(operand), getAxes());
  // reduce_c1
  if (failed(kept))
    return emitOpError("expected strictly increasing axes below ")
           << operand.getRank();
  // reduce_c2
  if (*kept != extentsOf(getResult()) ||
      operand.getElementType() !=
          cast<RankedTensorType>(getType()).getElementType())
    return emitOpError("expected a result of shape ")
           << toString(*kept) << ", got " << getType();
  bool logical = getKind() == ReduceKind::all || getKind() == ReduceKind::any;
  // reduce_c3
  if (logical != operand.getElementType().isInteger(1))
    return emitOpError("expected bool elements for all and any, numbers "
                       "otherwise, got ")
           << operand.getElementType();
  return success();
}

Extents ReduceOp::getLoops() {
  Extents loops = extentsOf(getResult()), from = extentsOf(getOperand());
  for (int64_t axis : getAxes())
    loops.push_back(from[axis]);
  return loops;
}

Access ReduceOp::getAccess(OpOperand &) {
  int kept = 0, combined = static_cast<int>(rankOf(getResult()));
  Access access;
  for (int64_t dim = 0, rank = rankOf(getOperand()); dim < rank; ++dim)
    access.push_back(DimAccess::same(
        llvm::is_contained(getAxes(), dim) ? combined++ : kept++));
  return access;
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  return getAxes().empty() ? OpFoldResult(getOperand()) : OpFoldResult();
}

LogicalResult ArgReduceOp::verify() {
  auto operand = cast<RankedTensorType>(getOperand().getType());
  FailureOr<Extents> kept =
      dropAxes(extentsOf(operand), {static_cast<int64_t>(getAxis())});
  // arg_reduce_c1
  if (failed(kept))
    return emitOpError("expected an axis below ")
           << operand.getRank() << ", got " << getAxis();
  // arg_reduce_c2
  if (*kept != extentsOf(getResult()))
    return emitOpError("expected a result of shape ")
           << toString(*kept) << ", got " << getType();
  return success();
}

LogicalResult MatmulOp::verify() {
  Extents lhs = extentsOf(getLhs()), rhs = extentsOf(getRhs()),
          result = extentsOf(getResult());
  size_t rank = result.size();
  // matmul_c1
  if (rank < 2 || lhs.size() != rank || rhs.size() != rank)
    return emitOpError(
        "expected operands and a result of one rank of at least 2");
  // matmul_c2
  for (size_t i = 0; i + 2 < rank; ++i)
    if (lhs[i] != result[i] || rhs[i] != result[i])
      return emitOpError("expected equal batch dimensions, got ")
             << toString(lhs) << " and " << toString(rhs);
  if (getTransposeLhs())
    std::swap(lhs[rank - 2], lhs[rank - 1]);
  if (getTransposeRhs())
    std::swap(rhs[rank - 2], rhs[rank - 1]);
  // matmul_c3
  if (lhs[rank - 1] != rhs[rank - 2])
    return emitOpError("expected equal inner dimensions, got ")
           << toString(lhs) << " and " << toString(rhs);
  // matmul_c4
  if (result[rank - 2] != lhs[rank - 2] || result[rank - 1] != rhs[rank - 1])
    return emitOpError("expected the outer dimensions of ")
           << toString(lhs) << " and " << toString(rhs) << ", got "
           << toString(result);
  Type element = cast<RankedTensorType>(getType()).getElementType();
  // matmul_c5
  for (Value operand : getOperands())
    if (cast<RankedTensorType>(operand.getType()).getElementType() != element)
      return emitOpError("expected one element type");
  return success();
}

Extents ArgReduceOp::getLoops() {
  Extents loops = extentsOf(getResult());
  loops.push_back(extentsOf(getOperand())[getAxis()]);
  return loops;
}

Access ArgReduceOp::getAccess(OpOperand &) {
  int next = 0, combined = static_cast<int>(rankOf(getResult()));
  Access access;
  for (int64_t dim = 0, rank = rankOf(getOperand()); dim < rank; ++dim)
    access.push_back(DimAccess::same(
        dim == static_cast<int64_t>(getAxis()) ? combined : next++));
  return access;
}

Extents MatmulOp::getLoops() {
  Extents loops = extentsOf(getResult()), lhs = extentsOf(getLhs());
  loops.push_back(lhs[lhs.size() - (getTransposeLhs() ? 2 : 1)]);
  return loops;
}

Access MatmulOp::getAccess(OpOperand &operand) {
  bool isLeft = operand.getOperandNumber() == 0;
  int64_t rank = rankOf(getResult());
  Access access = sameAccess(rank);
  DimAccess depth = DimAccess::same(static_cast<int>(rank));
  DimAccess own = access[rank - (isLeft ? 2 : 1)];
  bool depthFirst = isLeft ? getTransposeLhs() : !getTransposeRhs();
  access[rank - 2] = depthFirst ? depth : own;
  access[rank - 1] = depthFirst ? own : depth;
  return access;
}

LogicalResult ConvolveOp::verify() {
  Extents lhs = extentsOf(getLhs()), places = extentsOf(getPlaces()),
          filter = extentsOf(getFilter());
  size_t rank = lhs.size();
  auto isPositive = [](int64_t number) { return number > 0; };
  // convolve_c1
  if (rank < 3 || places.size() != rank || filter.size() != rank ||
      getStrides().size() + 2 != rank || getDilations().size() + 2 != rank ||
      !llvm::all_of(getStrides(), isPositive) ||
      llvm::is_contained(getDilations(), 0) ||
      llvm::is_contained(getDilations(), std::numeric_limits<int64_t>::min()))
    return emitOpError("expected tensors of one rank of at least 3, with a "
                       "positive stride and a dilation other than 0 for each "
                       "dimension between the first and the last");
  // convolve_c2
  if (lhs.front() != places.front() || lhs.back() != filter[rank - 2] ||
      places.back() != filter.back())
    return emitOpError("expected places and filters of ")
           << toString(lhs) << ", got " << toString(places) << " and "
           << toString(filter);
  // convolve_c3
  for (size_t i = 0; i + 2 < rank; ++i) {
    const Extent &whole = lhs[i + 1], &place = places[i + 1], &own = filter[i];
    if (!whole.isKnown() || !place.isKnown() || !own.isKnown() ||
        place.value == 0 || own.value == 0)
      continue;
    int64_t lastPlace = 0, last = 0;
    if (llvm::MulOverflow(place.value - 1, getStrides()[i], lastPlace) ||
        llvm::MulOverflow(own.value - 1, std::abs(getDilations()[i]), last) ||
        llvm::AddOverflow(lastPlace, last, last) || last >= whole.value)
      return emitOpError("expected windows that lie in dimension ")
             << i + 1 << " of " << whole.value;
  }
  Type element = cast<RankedTensorType>(getType()).getElementType();
  // convolve_c4
  for (Value operand : getOperands())
    if (cast<RankedTensorType>(operand.getType()).getElementType() != element)
      return emitOpError("expected one element type");
  auto isNegative = [](int64_t number) { return number < 0; };
  // convolve_c5
  if (auto padded = getPadded();
      padded &&
      (!(padded->size() == 2 || (padded->size() == 4 && getTransposed())) ||
       llvm::any_of(*padded, isNegative) || rank < 4))
    return emitOpError("expected two numbers of at least 0 as what is padded, "
                       "or four where transposed, of tensors of a rank of at "
                       "least 4");
  return success();
}

// The loops of the result, then those of the other side's rows.
Extents ConvolveOp::getLoops() {
  Extents loops = extentsOf(getResult());
  Extents other = extentsOf(getTransposed() ? getPlaces() : getFilter());
  loops.append(other.begin(), other.end() - 1);
  return loops;
}

Access ConvolveOp::getAccess(OpOperand &operand) {
  int rank = static_cast<int>(rankOf(getResult()));
  int places = getTransposed() ? rank : 0, windows = rank - places;
  Access access;
  if (operand.getOperandNumber() == 1) { // all but its last loop are combined
    for (int dim = 0; dim < rank; ++dim)
      access.push_back(DimAccess::same(dim + 1 < rank ? rank + dim : dim));
    return access;
  }
  access.push_back(DimAccess::same(places));
  for (auto [dim, stride, dilation] :
       llvm::enumerate(getStrides(), getDilations()))
    access.push_back(
        DimAccess::windowed(places + 1 + static_cast<int>(dim), stride,
                            windows + static_cast<int>(dim), dilation));
  access.push_back(DimAccess::same(windows + rank - 2));
  return access;
}

/// No loop walks the words of a generator's state.
static Access randomAccess(OpOperand &operand) {
  return Access(rankOf(operand.get()), DimAccess::none());
}

Access RandomOp::getAccess(OpOperand &operand) { return randomAccess(operand); }

Access RandomIntOp::getAccess(OpOperand &operand) {
  return randomAccess(operand);
}

/// A Philox state: four counter words, then two key words.
static bool isState(Type type) {
  return cast<RankedTensorType>(type).getShape() == ArrayRef<int64_t>{6};
}

template <class Op> static LogicalResult verifyDimList(Op op) {
  // random_reserve_c2
  if (op.getSymbols().size() != op.getValues().size())
    return op.emitOpError("expected as many symbols as values, got ")
           << op.getSymbols().size() << " and " << op.getValues().size();
  return success();
}

LogicalResult RandomReserveOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  // random_reserve_c1
  if (!isState(type))
    return emitOpError("expected a result of 6 words, got ") << type;
  return verifyDimList(*this);
}

LogicalResult ReserveStreamOp::verify() { return verifyDimList(*this); }

LogicalResult RandomOp::verify() {
  // random_c1
  if (!isState(getState().getType()))
    return emitOpError("expected a state of 6 words, got ")
           << getState().getType();
  return success();
}

LogicalResult RandomIntOp::verify() {
  // random_int_c1
  if (!isState(getState().getType()))
    return emitOpError("expected a state of 6 words, got ")
           << getState().getType();
  auto scalar = RankedTensorType::get(
      {}, cast<RankedTensorType>(getType()).getElementType());
  // random_int_c2
  if (getLow().getType() != scalar || getHigh().getType() != scalar)
    return emitOpError(
        "expected scalars of the result's element type as bounds");
  return success();
}

} // namespace kiln::ir
