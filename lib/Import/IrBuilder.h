// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short names for the kiln ops that lowerings are written with.
#ifndef KILN_LIB_IMPORT_IRBUILDER_H
#define KILN_LIB_IMPORT_IRBUILDER_H

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "kiln/DType.h"
#include "lib/Shape/Dim.h"

#include "mlir/IR/Builders.h"

namespace kiln {

using mlir::RankedTensorType;
using mlir::Value;

/// Complex numbers, taken apart.
struct Parts {
  Value real, imag;
};

/// Appends kiln ops at one place, under the location of one node. Operands of
/// binary ops have equal types; the helpers that take a number make the splat
/// themselves.
///
/// Ownership: borrows the builder. Thread safety: that of the context.
class IrBuilder {
public:
  explicit IrBuilder(mlir::OpBuilder &opBuilder)
      : builder(opBuilder), loc(opBuilder.getUnknownLoc()) {}

  mlir::OpBuilder &opBuilder() { return builder; }
  mlir::Location location() const { return loc; }
  void setLocation(mlir::Location location) { loc = location; }

  /// Null for a dtype that Kiln does not compute with.
  mlir::Type elementType(DType dtype);
  /// The tensor type of known and symbolic dimensions.
  RankedTensorType tensorType(const Dims &dims, mlir::Type element);
  RankedTensorType tensorType(const Dims &dims, DType dtype) {
    return tensorType(dims, elementType(dtype));
  }

  static RankedTensorType typeOf(Value value) {
    return mlir::cast<RankedTensorType>(value.getType());
  }
  static mlir::Type elementOf(Value value) {
    return typeOf(value).getElementType();
  }
  static bool isFloat(Value value) {
    return mlir::isa<mlir::FloatType>(elementOf(value));
  }

  /// While it lives, each elementwise result in f32 is rounded to the element
  /// type, if that is f16 or bf16.
  class RoundSteps {
  public:
    RoundSteps(IrBuilder &ir, mlir::Type element)
        : ir(ir), before(ir.rounding) {
      ir.rounding = ir::isNarrowFloat(element) ? element : mlir::Type();
    }
    ~RoundSteps() { ir.rounding = before; }
    RoundSteps(const RoundSteps &) = delete;
    RoundSteps &operator=(const RoundSteps &) = delete;

  private:
    IrBuilder &ir;
    mlir::Type before;
  };

  bool roundsSteps() const { return static_cast<bool>(rounding); }
  /// x as the result of a step: for what is no elementwise op, such as a sum.
  Value rounded(Value x) {
    return rounding && elementOf(x).isF32()
               ? cast(cast(x, rounding), elementOf(x))
               : x;
  }

  // Numbers and dimensions.
  Value splat(RankedTensorType type, double number);
  Value splatInt(RankedTensorType type, int64_t number);
  /// A splat of the type of `like`.
  Value like(Value like, double number) { return splat(typeOf(like), number); }
  Value scalar(mlir::Type element, double number) {
    return splat(RankedTensorType::get({}, element), number);
  }
  Value scalarInt(mlir::Type element, int64_t number) {
    return splatInt(RankedTensorType::get({}, element), number);
  }
  /// Numbers and symbols as a tensor: kiln.constant where all are known (at
  /// most 64), else kiln.dims. Booleans are 0, 1.
  Value contents(RankedTensorType type, const Dims &elements);
  /// One number or symbol as a scalar of a number type.
  Value dimScalar(Dim dim, mlir::Type element);

  // Element by element. An operand of rank 0 is broadcast to the other's shape.
  template <class Op> Value unary(Value x) {
    Value result = Op::create(builder, loc, x.getType(), x);
    return isExact<Op> ? result : rounded(result);
  }
  template <class Op> Value binary(Value x, Value y) {
    matchScalar(x, y);
    Value result = Op::create(builder, loc, x.getType(), x, y);
    return isExact<Op> ? result : rounded(result);
  }
  Value add(Value x, Value y) { return binary<ir::AddOp>(x, y); }
  Value sub(Value x, Value y) { return binary<ir::SubOp>(x, y); }
  Value mul(Value x, Value y) { return binary<ir::MulOp>(x, y); }
  Value div(Value x, Value y) { return binary<ir::DivOp>(x, y); }
  Value neg(Value x) { return unary<ir::NegOp>(x); }
  Value exp(Value x) { return unary<ir::ExpOp>(x); }
  Value log(Value x) { return unary<ir::LogOp>(x); }
  Value sqrt(Value x) { return unary<ir::SqrtOp>(x); }
  /// Strings are equal or not; nothing else of them is compared.
  Value compare(ir::Predicate predicate, Value x, Value y);
  Value compare(ir::Predicate predicate, Value x, double number) {
    return compare(predicate, x, like(x, number));
  }
  Value select(Value condition, Value onTrue, Value onFalse);
  /// Does nothing where x has that element type already.
  Value cast(Value x, mlir::Type element);

  // Complex numbers.
  /// The real or the imaginary parts.
  Value part(Value numbers, bool isImaginary);
  Parts parts(Value numbers) {
    return {part(numbers, false), part(numbers, true)};
  }
  Value complex(const Parts &parts);

  // Shapes. All but concat do nothing where the result would be the operand.
  Value reshape(Value x, RankedTensorType type);
  /// Puts x's dimensions last, as TensorFlow broadcasts.
  Value broadcast(Value x, RankedTensorType type);
  Value broadcast(Value x, RankedTensorType type, llvm::ArrayRef<int64_t> map);
  Value transpose(Value x, llvm::ArrayRef<int64_t> permutation);
  Value slice(Value x, llvm::ArrayRef<int64_t> starts,
              llvm::ArrayRef<int64_t> strides, RankedTensorType type);
  Value concat(mlir::ValueRange parts, int64_t axis, RankedTensorType type);
  Value pad(Value x, Value padding, llvm::ArrayRef<int64_t> low,
            RankedTensorType type, Value dynamicLow = {}) {
    return ir::PadOp::create(builder, loc, type, x, padding, dynamicLow, low);
  }
  Value iota(RankedTensorType type, int64_t axis);
  /// Drops the axes; they are sorted and unique.
  Value reduce(ir::ReduceKind kind, Value x, llvm::ArrayRef<int64_t> axes);

  /// Rows of updates combined into those of the base, or of a tensor of the
  /// scalar `base`, that the vector of indices names.
  Value scatter(ir::ScatterKind kind, Value base, Value indices, Value updates,
                RankedTensorType type) {
    return ir::ScatterOp::create(builder, loc, type, kind, base, indices,
                                 updates);
  }
  Value gather(Value x, Value indices, int64_t axis, RankedTensorType type) {
    return ir::GatherOp::create(builder, loc, type, x, indices, axis,
                                /*batch=*/0);
  }

  /// The first index of the largest or smallest element along an axis.
  Value argReduce(Value x, int64_t axis, bool smallest, mlir::Type index);

  Value matmul(Value lhs, Value rhs, bool transposeLhs, bool transposeRhs,
               RankedTensorType type);
  /// The windows of an image times a filter, or transposed times what there is
  /// for each of them. `padded`: the padding that is left out, as kiln.convolve
  /// says, or none.
  Value convolve(Value image, Value rhs, bool transposed,
                 llvm::ArrayRef<int64_t> strides,
                 llvm::ArrayRef<int64_t> dilations, RankedTensorType type,
                 llvm::ArrayRef<int64_t> padded) {
    return ir::ConvolveOp::create(
        builder, loc, type, image, rhs, transposed, strides, dilations,
        padded.empty() ? mlir::DenseI64ArrayAttr()
                       : builder.getDenseI64ArrayAttr(padded));
  }
  /// Calls a kernel of runtime/kernels/KernelRegistry.h with the numbers that
  /// it is told besides and the symbols that it finds out.
  ir::RuntimeCallOp kernelCall(llvm::StringRef kernel, mlir::ValueRange inputs,
                               mlir::TypeRange results,
                               llvm::ArrayRef<int64_t> numbers = {},
                               llvm::ArrayRef<int64_t> binds = {});
  /// As above, of one result.
  Value kernelCall(llvm::StringRef kernel, mlir::ValueRange inputs,
                   RankedTensorType result,
                   llvm::ArrayRef<int64_t> numbers = {}) {
    return kernelCall(kernel, inputs, mlir::TypeRange(result), numbers)
        .getResult(0);
  }

  /// Writes `body` where the run is to end: where the scalar is false.
  void failUnless(Value condition, llvm::function_ref<void()> body);
  /// Ends the run by a kernel of runtime/kernels/Logging.cpp, whose message
  /// names the number.
  void fail(llvm::StringRef kernel, int64_t number) {
    kernelCall(kernel, {}, mlir::TypeRange(), number);
  }

private:
  /// Ops whose results are numbers of their operands' type anyway.
  template <class Op>
  static constexpr bool isExact =
      llvm::is_one_of<Op, ir::NegOp, ir::AbsOp, ir::SignOp, ir::FloorOp,
                      ir::CeilOp, ir::RoundEvenOp, ir::RemOp, ir::MaxOp,
                      ir::MinOp>::value;

  void matchScalar(Value &x, Value &y);
  Value reshapedSplat(Value x, RankedTensorType type);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type rounding;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_IRBUILDER_H
