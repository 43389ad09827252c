// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of missing kernels, from the registry of TensorFlow 2.21.
#include "lib/Ops/MissingKernels.h"

namespace kiln {
namespace {

constexpr uint64_t setOf() { return 0; }
template <class... Rest> constexpr uint64_t setOf(DType first, Rest... rest) {
  return uint64_t(1) << static_cast<int>(first) | setOf(rest...);
}

constexpr uint64_t narrowFloats = setOf(DType::Float16, DType::BFloat16),
                   signedInts = setOf(DType::Int8, DType::Int16, DType::Int32,
                                      DType::Int64),
                   unsignedInts = setOf(DType::UInt8, DType::UInt16,
                                        DType::UInt32, DType::UInt64),
                   allInts = signedInts | unsignedInts,
                   indexTypes = setOf(DType::Int32, DType::Int64),
                   wideInts = indexTypes | setOf(DType::UInt32, DType::UInt64),
                   nnFloats =
                       narrowFloats | setOf(DType::Float32, DType::Float64);

/// Of ops whose schema names no types.
constexpr uint64_t allBut(uint64_t dtypes) { return ~dtypes; }

struct Row {
  std::string_view op, attr;
  uint64_t dtypes;
};

constexpr Row rows[] = {
    {"AdjustContrastv2", "T", setOf(DType::Float16)},
    {"AdjustHue", "T", setOf(DType::Float16)},
    {"AdjustSaturation", "T", setOf(DType::Float16)},
    {"ApplyAdaMax", "T", allInts | setOf(DType::BFloat16)},
    {"ApplyAdadelta", "T", allInts},
    {"ApplyAdagrad", "T", allInts},
    {"ApplyAdagradDA", "T", allInts | narrowFloats},
    {"ApplyAdagradV2", "T", allInts},
    {"ApplyAdam", "T", allInts},
    {"ApplyAddSign", "T", allInts},
    {"ApplyCenteredRMSProp", "T", allInts},
    {"ApplyFtrl", "T", allInts},
    {"ApplyFtrlV2", "T", allInts},
    {"ApplyGradientDescent", "T", allInts},
    {"ApplyMomentum", "T", allInts},
    {"ApplyPowerSign", "T", allInts},
    {"ApplyProximalAdagrad", "T", allInts | narrowFloats},
    {"ApplyProximalGradientDescent", "T", allInts | narrowFloats},
    {"ApplyRMSProp", "T", allInts},
    {"ApproximateEqual", "T", allInts | narrowFloats},
    {"AssignAddVariableOp", "dtype", setOf(DType::Bool, DType::String)},
    {"AssignSubVariableOp", "dtype", setOf(DType::Bool, DType::String)},
    {"BatchMatMulV2", "T", unsignedInts},
    {"BesselI0", "T", setOf(DType::BFloat16)},
    {"BesselI0e", "T", setOf(DType::BFloat16)},
    {"BesselI1", "T", setOf(DType::BFloat16)},
    {"BesselI1e", "T", setOf(DType::BFloat16)},
    {"BesselJ0", "T", setOf(DType::BFloat16)},
    {"BesselJ1", "T", setOf(DType::BFloat16)},
    {"BesselK0", "T", setOf(DType::BFloat16)},
    {"BesselK0e", "T", setOf(DType::BFloat16)},
    {"BesselK1", "T", setOf(DType::BFloat16)},
    {"BesselK1e", "T", setOf(DType::BFloat16)},
    {"BesselY0", "T", setOf(DType::BFloat16)},
    {"BesselY1", "T", setOf(DType::BFloat16)},
    {"Cholesky", "T", setOf(DType::Float16)},
    {"BandedTriangularSolve", "T", setOf(DType::Float16)},
    {"CholeskyGrad", "T", setOf(DType::Float16)},
    {"ClipByValue", "T", setOf(DType::UInt32, DType::UInt64)},
    {"Dawsn", "T", narrowFloats},
    {"Digamma", "T", setOf(DType::BFloat16)},
    {"Erfinv", "T", narrowFloats},
    {"Expint", "T", narrowFloats},
    {"FresnelCos", "T", narrowFloats},
    {"FresnelSin", "T", narrowFloats},
    {"Igamma", "T", narrowFloats},
    {"Igammac", "T", narrowFloats},
    {"Inv", "T", signedInts},
    {"Lgamma", "T", setOf(DType::BFloat16)},
    {"LogMatrixDeterminant", "T", setOf(DType::Float16)},
    {"Lu", "T", setOf(DType::Float16)},
    {"MatMul", "T", unsignedInts},
    {"MatrixDeterminant", "T", setOf(DType::Float16)},
    {"MatrixInverse", "T", setOf(DType::Float16)},
    {"MatrixSolve", "T", setOf(DType::Float16)},
    {"MatrixSolveLs", "T", setOf(DType::Float16)},
    {"MatrixTriangularSolve", "T", narrowFloats},
    {"MaxPoolGradWithArgmax", "Targmax", setOf(DType::Int32)},
    {"MirrorPadGrad", "T", setOf(DType::Bool, DType::String)},
    {"Mod", "T", narrowFloats},
    {"Ndtri", "T", narrowFloats},
    {"NonDeterministicInts", "dtype", allBut(wideInts)},
    {"NonDeterministicInts", "shape_dtype", allBut(indexTypes)},
    {"ParameterizedTruncatedNormal", "dtype", setOf(DType::BFloat16)},
    {"Qr", "T", setOf(DType::Float16)},
    {"QuantizeAndDequantize", "T", narrowFloats},
    {"QuantizeAndDequantizeV2", "T", narrowFloats},
    {"QuantizeAndDequantizeV3", "T", narrowFloats},
    {"QuantizeAndDequantizeV4", "T", narrowFloats},
    {"QuantizeAndDequantizeV4Grad", "T", narrowFloats},
    {"RaggedFillEmptyRowsGrad", "T", setOf(DType::Bool, DType::String)},
    {"RaggedRange", "T", setOf(DType::BFloat16)},
    {"Range", "Tidx",
     setOf(DType::Int8, DType::Int16, DType::UInt16, DType::UInt32,
           DType::UInt64)},
    {"RealDiv", "T", allInts},
    {"Reciprocal", "T", signedInts},
    {"ResourceApplyAdaMax", "T", allInts | setOf(DType::BFloat16)},
    {"ResourceApplyAdadelta", "T", allInts},
    {"ResourceApplyAdagrad", "T", allInts},
    {"ResourceApplyAdagradDA", "T", allInts | narrowFloats},
    {"ResourceApplyAdagradV2", "T", allInts},
    {"ResourceApplyAdam", "T", allInts},
    {"ResourceApplyAdamWithAmsgrad", "T", allInts},
    {"ResourceApplyAddSign", "T", allInts},
    {"ResourceApplyCenteredRMSProp", "T", allInts},
    {"ResourceApplyFtrl", "T", allInts},
    {"ResourceApplyFtrlV2", "T", allInts},
    {"ResourceApplyGradientDescent", "T", allInts},
    {"ResourceApplyKerasMomentum", "T", allInts},
    {"ResourceApplyMomentum", "T", allInts},
    {"ResourceApplyPowerSign", "T", allInts},
    {"ResourceApplyProximalAdagrad", "T", allInts | narrowFloats},
    {"ResourceApplyProximalGradientDescent", "T", allInts | narrowFloats},
    {"ResourceApplyRMSProp", "T", allInts},
    {"Rint", "T", narrowFloats},
    {"Round", "T", setOf(DType::Int8, DType::Int16)},
    {"SelfAdjointEigV2", "T", setOf(DType::Float16)},
    {"Snapshot", "T", setOf(DType::String)},
    {"SparseAdd", "T", unsignedInts | narrowFloats},
    {"SparseAddGrad", "T", unsignedInts | narrowFloats},
    {"SparseFillEmptyRowsGrad", "T", setOf(DType::Bool, DType::String)},
    {"SparseTensorDenseMatMul", "T",
     setOf(DType::Int8, DType::Int16, DType::Int64, DType::Bool) |
         unsignedInts},
    {"Spence", "T", narrowFloats},
    {"StatefulRandomBinomial", "T", setOf(DType::Int32, DType::Int64)},
    {"StatefulStandardNormal", "dtype", allBut(nnFloats)},
    {"StatefulStandardNormal", "shape_dtype", allBut(indexTypes)},
    {"StatefulStandardNormalV2", "dtype", allBut(nnFloats)},
    {"StatefulStandardNormalV2", "shape_dtype", allBut(indexTypes)},
    {"StatefulTruncatedNormal", "dtype", allBut(nnFloats)},
    {"StatefulTruncatedNormal", "shape_dtype", allBut(indexTypes)},
    {"StatefulUniform", "dtype", allBut(nnFloats)},
    {"StatefulUniform", "shape_dtype", allBut(indexTypes)},
    {"StatefulUniformFullInt", "dtype", allBut(wideInts)},
    {"StatefulUniformFullInt", "shape_dtype", allBut(indexTypes)},
    {"StatefulUniformInt", "dtype", allBut(indexTypes)},
    {"StatefulUniformInt", "shape_dtype", allBut(indexTypes)},
    {"StatelessMultinomial", "T", allInts},
    {"StatelessRandomBinomial", "T", setOf(DType::Int32, DType::Int64)},
    {"StatelessRandomUniformIntV2", "dtype",
     setOf(DType::UInt32, DType::UInt64)},
    {"Svd", "T", setOf(DType::Float16)},
    {"TruncateMod", "T", narrowFloats},
};

} // namespace

bool isKernelMissing(std::string_view op, std::string_view attr, DType dtype) {
  for (const Row &row : rows)
    if (row.op == op && row.attr == attr)
      return row.dtypes >> static_cast<int>(dtype) & 1;
  return false;
}

} // namespace kiln
