// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and folds of the ops that make, move and rearrange elements.
#include "dialect/Kiln.h"
#include "dialect/Limits.h"
#include "dialect/Types.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kiln::ir {

static RankedTensorType tensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Type elementOf(Value value) { return tensor(value).getElementType(); }

//===--- [s0, 9] ----------------------------------------------------------===//

ParseResult parseDimList(OpAsmParser &parser, DenseI64ArrayAttr &symbols,
                         DenseI64ArrayAttr &values) {
  SmallVector<int64_t> ids, numbers;
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    if (succeeded(parser.parseOptionalKeyword(&name))) {
      int64_t id = 0;
      if (!name.consume_front("s") || name.getAsInteger(10, id))
        return parser.emitError(parser.getCurrentLocation(),
                                "expected a number or a symbol such as s0");
      ids.push_back(id);
      numbers.push_back(0);
      return success();
    }
    ids.push_back(-1);
    return parser.parseInteger(numbers.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  symbols = parser.getBuilder().getDenseI64ArrayAttr(ids);
  values = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

void printDimList(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr symbols,
                  DenseI64ArrayAttr values) {
  Extents extents;
  for (auto [symbol, value] :
       llvm::zip_equal(symbols.asArrayRef(), values.asArrayRef()))
    extents.push_back(symbol < 0 ? Extent::known(value)
                                 : Extent::ofSymbol(symbol));
  printer << toString(extents);
}

LogicalResult DimsOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  // dims_c1
  if (!type.hasStaticShape() || type.getRank() > 1)
    return emitOpError("expected a static result of rank 0 or 1, got ") << type;
  // dims_c2
  if (getSymbols().size() != getValues().size() ||
      static_cast<int64_t>(getSymbols().size()) != type.getNumElements())
    return emitOpError("expected ")
           << type.getNumElements() << " elements, got " << getSymbols().size();
  // dims_c3
  if (llvm::any_of(getSymbols(), [](int64_t id) { return id < -1; }))
    return emitOpError("expected symbol ids, or -1 for a number");
  return success();
}

Placement DimsOp::getPlacement() {
  return rankOf(getResult()) == 0 ? Placement::Nest : Placement::Kernel;
}

Reuse DimsOp::getReuse() {
  return rankOf(getResult()) == 0 ? Reuse::Inline : Reuse::Stored;
}

//===--- Constants --------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  // constant_c4
  if (!isa<DenseElementsAttr>(getValue()))
    return emitOpError("expected dense elements, got ") << getValue();
  // constant_c1
  if (getValue().getElementType() != type.getElementType())
    return emitOpError("expected elements of type ")
           << type.getElementType() << ", got " << getValue().getElementType();
  if (getValue().isSplat())
    return success();
  // constant_c2
  if (!type.hasStaticShape() ||
      getValue().getShapedType().getShape() != type.getShape())
    return emitOpError("expected a splat or a value of the result's shape");
  // constant_c3
  if (type.getNumElements() > maxConstantElements)
    return emitOpError("expected at most ")
           << maxConstantElements << " elements, got " << type.getNumElements()
           << ": larger constants are kiln.constant_ref";
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

Placement ConstantOp::getPlacement() {
  return getValue().isSplat() ? Placement::Nest : Placement::Kernel;
}

Reuse ConstantOp::getReuse() {
  return getValue().isSplat() ? Reuse::Inline : Reuse::Stored;
}

bool IotaOp::usesIndexOf(int64_t dimension) {
  return dimension == static_cast<int64_t>(getAxis());
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  // iota_c1
  if (getAxis() >= static_cast<uint64_t>(type.getRank()))
    return emitOpError("expected an axis below ")
           << type.getRank() << ", got " << getAxis();
  auto scalar = RankedTensorType::get({}, type.getElementType());
  // iota_c2
  if (getStart().getType() != scalar || getStep().getType() != scalar)
    return emitOpError(
        "expected scalars of the result's element type as start and step");
  return success();
}

//===--- Views of shape ---------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  Extents from = extentsOf(getOperand()), to = extentsOf(getResult());
  // broadcast_c1
  if (elementOf(getOperand()) != elementOf(getResult()))
    return emitOpError("expected one element type");
  // broadcast_c2
  if (getMap().size() != from.size())
    return emitOpError("expected a map of ")
           << from.size() << " dimensions, got " << getMap().size();
  int64_t last = -1;
  for (auto [index, target] : llvm::enumerate(getMap())) {
    if (target <= last || target >= static_cast<int64_t>(to.size()))
      return emitOpError("expected a strictly increasing map below ")
             << to.size() << ", got " << target;
    last = target;
    // broadcast_c3
    if (from[index].isKnown() && !from[index].isKnown(1) &&
        to[target].isKnown() && from[index] != to[target])
      return emitOpError("expected dimension ")
             << index << " to be 1 or " << to[target].value << ", got "
             << from[index].value;
  }
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  // broadcast(splat) -> splat
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getOperand()))
    return DenseElementsAttr::get(
        RankedTensorType::get({}, splat.getElementType()),
        splat.getSplatValue<Attribute>());
  return {};
}

Access BroadcastOp::getAccess(OpOperand &) {
  return llvm::map_to_vector<4>(getMap(), [](int64_t target) {
    return DimAccess::repeated(static_cast<int>(target));
  });
}

// A reshape that only adds or drops dimensions of extent 1 is part of a loop
// nest; any other one a view of a whole buffer.
Placement ReshapeOp::getPlacement() {
  return isSameWithoutUnits(getOperand(), getResult()) ? Placement::Nest
                                                       : Placement::Outside;
}

Reuse ReshapeOp::getReuse() {
  return getPlacement() == Placement::Nest ? Reuse::View : Reuse::Stored;
}

Access ReshapeOp::getAccess(OpOperand &operand) {
  Extents to = extentsOf(getResult());
  Access access;
  int next = 0;
  for (const Extent &extent : extentsOf(operand.get())) {
    while (next < static_cast<int>(to.size()) && to[next].isKnown(1))
      ++next;
    access.push_back(extent.isKnown(1) ? DimAccess::none()
                                       : DimAccess::same(next++));
  }
  return access;
}

LogicalResult ReshapeOp::verify() {
  auto from = tensor(getOperand()), to = tensor(getResult());
  // reshape_c1
  if (from.getElementType() != to.getElementType())
    return emitOpError("expected one element type");
  // reshape_c2
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError("expected ")
           << from.getNumElements() << " elements, got " << to.getNumElements();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  // reshape(reshape(x)) -> reshape(x)
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getOperand()))
    return DenseElementsAttr::get(
        RankedTensorType::get({}, splat.getElementType()),
        splat.getSplatValue<Attribute>());
  return {};
}

LogicalResult TransposeOp::verify() {
  Extents from = extentsOf(getOperand()), to = extentsOf(getResult());
  // transpose_c1
  if (elementOf(getOperand()) != elementOf(getResult()))
    return emitOpError("expected one element type");
  // transpose_c2
  if (getPermutation().size() != from.size() || to.size() != from.size())
    return emitOpError("expected a permutation of ")
           << from.size() << " dimensions";
  llvm::SmallBitVector seen(from.size());
  for (auto [index, source] : llvm::enumerate(getPermutation())) {
    if (source < 0 || source >= static_cast<int64_t>(from.size()) ||
        seen.test(source))
      return emitOpError("expected a permutation, got ") << getPermutation();
    seen.set(source);
    // transpose_c3
    if (from[source] != to[index])
      return emitOpError("expected result ")
             << toString(to) << " to be the permuted " << toString(from);
  }
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity = true;
  for (auto [index, source] : llvm::enumerate(getPermutation()))
    identity &= source == static_cast<int64_t>(index);
  if (identity && getOperand().getType() == getType())
    return getOperand();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getOperand()))
    return DenseElementsAttr::get(
        RankedTensorType::get({}, splat.getElementType()),
        splat.getSplatValue<Attribute>());
  return {};
}

Access TransposeOp::getAccess(OpOperand &) {
  Access access(getPermutation().size());
  for (auto [loop, source] : llvm::enumerate(getPermutation()))
    access[source] = DimAccess::same(static_cast<int>(loop));
  return access;
}

Placement SliceOp::getPlacement() {
  return getDynamicStarts() ? Placement::Kernel : Placement::Nest;
}

Access SliceOp::getAccess(OpOperand &operand) {
  if (operand.getOperandNumber() != 0)
    return {DimAccess::none()};
  Access access;
  for (auto [loop, start, stride] :
       llvm::enumerate(getStarts(), getStrides())) {
    access.push_back(DimAccess::strided(static_cast<int>(loop), start, stride));
    access.back().indices = getDynamicStarts() ? 1 : -1;
  }
  return access;
}

LogicalResult SliceOp::verify() {
  size_t rank = tensor(getOperand()).getRank();
  // slice_c1
  if (elementOf(getOperand()) != elementOf(getResult()))
    return emitOpError("expected one element type");
  // slice_c2
  if (static_cast<size_t>(cast<RankedTensorType>(getType()).getRank()) !=
          rank ||
      getStarts().size() != rank || getStrides().size() != rank)
    return emitOpError("expected a start and a stride for each of ")
           << rank << " dimensions";
  if (llvm::is_contained(getStrides(), 0))
    return emitOpError("expected strides other than 0");
  // slice_c3
  if (getDynamicStarts() && tensor(getDynamicStarts()).getShape() !=
                                ArrayRef<int64_t>{static_cast<int64_t>(rank)})
    return emitOpError("expected ")
           << rank << " dynamic starts, got " << getDynamicStarts().getType();
  Extents from = extentsOf(getOperand()), to = extentsOf(getResult());
  // slice_c4
  for (size_t i = 0; i < rank && !getDynamicStarts(); ++i) {
    if (!from[i].isKnown() || !to[i].isKnown() || to[i].value == 0)
      continue;
    int64_t last = 0;
    if (llvm::MulOverflow(to[i].value - 1, getStrides()[i], last) ||
        llvm::AddOverflow(getStarts()[i], last, last))
      return emitOpError("expected elements that lie in dimension ")
             << i << " of " << from[i].value;
    if (getStarts()[i] < 0 || getStarts()[i] >= from[i].value || last < 0 ||
        last >= from[i].value)
      return emitOpError("expected elements ")
             << getStarts()[i] << " to " << last << " to lie in dimension " << i
             << " of " << from[i].value;
  }
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  bool whole =
      !getDynamicStarts() && getOperand().getType() == getType() &&
      llvm::all_of(getStarts(), [](int64_t start) { return start == 0; }) &&
      llvm::all_of(getStrides(), [](int64_t stride) { return stride == 1; });
  if (whole)
    return getOperand();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getOperand()))
    return DenseElementsAttr::get(
        RankedTensorType::get({}, splat.getElementType()),
        splat.getSplatValue<Attribute>());
  return {};
}

//===--- Joining and picking ----------------------------------------------===//

LogicalResult ConcatOp::verify() {
  Extents to = extentsOf(getResult());
  // concat_c1
  if (getOperands().empty() || getAxis() >= to.size())
    return emitOpError("expected operands and an axis below ") << to.size();
  int64_t total = 0;
  bool known = true;
  for (Value operand : getOperands()) {
    Extents from = extentsOf(operand);
    // concat_c2
    if (from.size() != to.size() ||
        elementOf(operand) != elementOf(getResult()))
      return emitOpError("expected operands of the result's rank and element "
                         "type, got ")
             << operand.getType();
    for (size_t i = 0; i < to.size(); ++i)
      if (i != getAxis() && from[i] != to[i])
        return emitOpError("expected ")
               << toString(from) << " to equal " << toString(to)
               << " but for axis " << getAxis();
    known &= from[getAxis()].isKnown() &&
             !llvm::AddOverflow(total, from[getAxis()].value, total);
  }
  // concat_c3
  if (known && !to[getAxis()].isKnown(total))
    return emitOpError("expected the axis to sum to ")
           << total << ", got " << toString(to);
  return success();
}

LogicalResult PadOp::verify() {
  Extents from = extentsOf(getOperand()), to = extentsOf(getResult());
  // pad_c2
  if (getLow().size() != from.size() || to.size() != from.size())
    return emitOpError("expected a low padding for each of ")
           << from.size() << " dimensions";
  // pad_c1
  if (tensor(getPadding()).getRank() != 0 ||
      elementOf(getPadding()) != elementOf(getOperand()))
    return emitOpError(
        "expected a scalar padding of the operand's element type");
  if (elementOf(getOperand()) != elementOf(getResult()))
    return emitOpError("expected one element type");
  if (getDynamicLow() &&
      tensor(getDynamicLow()).getShape() !=
          ArrayRef<int64_t>{static_cast<int64_t>(from.size())})
    return emitOpError("expected ") << from.size() << " dynamic paddings, got "
                                    << getDynamicLow().getType();
  // pad_c3
  for (size_t i = 0; i < from.size(); ++i)
    if (getLow()[i] < 0 || (from[i].isKnown() && to[i].isKnown() &&
                            getLow()[i] > to[i].value - from[i].value))
      return emitOpError("expected the padded dimension ")
             << i << " to hold the operand";
  return success();
}

Access WindowOp::getAccess(OpOperand &operand) {
  if (operand.getOperandNumber() != 0)
    return {};
  Extents from = extentsOf(getOperand()), to = extentsOf(getResult());
  Access access;
  for (auto [loop, start, stride] :
       llvm::enumerate(getStarts(), getStrides())) {
    access.push_back(DimAccess::strided(static_cast<int>(loop), start, stride));
    access.back().mayBeOutside =
        start != 0 || stride != 1 || from[loop] != to[loop];
  }
  return access;
}

LogicalResult WindowOp::verify() {
  size_t rank = extentsOf(getOperand()).size();
  // window_c1
  if (tensor(getPadding()).getRank() != 0 ||
      elementOf(getPadding()) != elementOf(getOperand()))
    return emitOpError(
        "expected a scalar padding of the operand's element type");
  if (elementOf(getOperand()) != elementOf(getResult()))
    return emitOpError("expected one element type");
  // window_c2
  if (extentsOf(getResult()).size() != rank || getStarts().size() != rank ||
      getStrides().size() != rank)
    return emitOpError("expected a start and a stride for each of ")
           << rank << " dimensions";
  if (llvm::any_of(getStrides(), [](int64_t stride) { return stride < 1; }))
    return emitOpError("expected strides of at least 1");
  return success();
}

LogicalResult GatherOp::verify() {
  Extents from = extentsOf(getOperand()), indices = extentsOf(getIndices());
  // gather_c1
  if (getAxis() >= from.size())
    return emitOpError("expected an axis below ")
           << from.size() << ", got " << getAxis();
  // gather_c3
  if (getBatch() > getAxis() || getBatch() > indices.size() ||
      !std::equal(from.begin(), from.begin() + getBatch(), indices.begin()))
    return emitOpError("expected ")
           << getBatch() << " batch dimensions of both operands, got "
           << toString(from) << " and " << toString(indices);
  Extents expected(from.begin(), from.begin() + getAxis());
  expected.append(indices.begin() + getBatch(), indices.end());
  expected.append(from.begin() + getAxis() + 1, from.end());
  // gather_c2
  if (expected != extentsOf(getResult()) ||
      elementOf(getOperand()) != elementOf(getResult()))
    return emitOpError("expected a result of shape ")
           << toString(expected) << ", got " << getType();
  return success();
}

Access GatherOp::getAccess(OpOperand &operand) {
  int axis = static_cast<int>(getAxis());
  int batch = static_cast<int>(getBatch());
  int picked = static_cast<int>(rankOf(getIndices())) - batch;
  Access access;
  if (operand.getOperandNumber() == getIndicesMutable().getOperandNumber()) {
    for (int dim = 0; dim < batch + picked; ++dim)
      access.push_back(DimAccess::same(dim < batch ? dim : axis + dim - batch));
    return access;
  }
  for (int dim = 0, rank = static_cast<int>(rankOf(getOperand())); dim < rank;
       ++dim)
    access.push_back(dim < axis ? DimAccess::strided(dim, 0, 1)
                     : dim == axis
                         ? DimAccess::picked(1)
                         : DimAccess::strided(dim + picked - 1, 0, 1));
  return access;
}

} // namespace kiln::ir
