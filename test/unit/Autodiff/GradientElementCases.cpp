// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of elementwise ops, reductions and linear algebra.
#include "test/unit/Autodiff/GradientCases.h"

namespace kiln::testing {
namespace {

void addUnary(std::vector<GradientCase> &cases, Range range,
              std::initializer_list<const char *> ops) {
  for (const char *op : ops)
    cases.push_back({op, {Varied{{2, 3}, range}}});
}

/// Adds cases of ops on equal shapes, and with a broadcast of each side.
void addBinary(std::vector<GradientCase> &cases, Range x, Range y,
               std::initializer_list<const char *> ops) {
  for (const char *op : ops) {
    cases.push_back({op, {Varied{{2, 3}, x}, Varied{{2, 3}, y}}});
    cases.push_back({op, {Varied{{3}, x}, Varied{{2, 1}, y}}});
    cases.push_back({op, {Varied{{2, 3}, x}, Varied{{}, y}}});
  }
}

Input ints(std::vector<int32_t> values) { return Input(values); }

void addReductions(std::vector<GradientCase> &cases) {
  for (const char *op :
       {"Sum", "Mean", "Max", "Min", "Prod", "EuclideanNorm"}) {
    cases.push_back({op, {Varied{{2, 3, 2}}, ints({0, 1, 2})}});
    cases.push_back({op, {Varied{{2, 3, 2}}, ints({1})}});
    cases.push_back({op, {Varied{{2, 3, 2}}, Input(-1)}});
    cases.push_back(
        {op, {Varied{{2, 3, 2}}, ints({0, 2})}, {{"keep_dims", true}}});
  }
  for (const char *op : {"Cumsum", "Cumprod", "CumulativeLogsumexp"})
    for (bool exclusive : {false, true})
      for (bool reverse : {false, true}) {
        // Exclusive, the first is the logarithm of nothing.
        if (exclusive && std::string(op) == "CumulativeLogsumexp")
          continue;
        cases.push_back({op,
                         {Varied{{2, 3}}, Input(1)},
                         {{"exclusive", exclusive}, {"reverse", reverse}}});
      }
}

void addProducts(std::vector<GradientCase> &cases) {
  for (bool turnA : {false, true})
    for (bool turnB : {false, true}) {
      Shape a = turnA ? Shape{3, 2} : Shape{2, 3};
      Shape b = turnB ? Shape{4, 3} : Shape{3, 4};
      cases.push_back({"MatMul",
                       {Varied{a}, Varied{b}},
                       {{"transpose_a", turnA}, {"transpose_b", turnB}}});
      cases.push_back({"SparseMatMul",
                       {Varied{a}, Varied{b}},
                       {{"transpose_a", turnA}, {"transpose_b", turnB}},
                       DType::Float32});
      Shape as = turnA ? Shape{2, 3, 2} : Shape{2, 2, 3};
      Shape bs = turnB ? Shape{2, 4, 3} : Shape{2, 3, 4};
      for (const char *op : {"BatchMatMul", "BatchMatMulV2"})
        cases.push_back({op,
                         {Varied{as}, Varied{bs}},
                         {{"adj_x", turnA}, {"adj_y", turnB}}});
      cases.push_back({"BatchMatMulV2",
                       {Varied{as}, Varied{b}},
                       {{"adj_x", turnA}, {"adj_y", turnB}}});
      cases.push_back(
          {"BatchMatMulV3",
           {Varied{as}, Varied{b}},
           {{"adj_x", turnA}, {"adj_y", turnB}, {"Tout", DType::Float64}}});
    }
  auto einsum = [&](const char *equation, std::vector<Varied> operands) {
    cases.push_back({"Einsum", {operands}, {{"equation", equation}}});
  };
  einsum("ij,jk->ik", {{{2, 3}}, {{3, 4}}});
  einsum("ij,jk->", {{{2, 3}}, {{3, 2}}});
  einsum("abc,cd->ad", {{{2, 3, 2}}, {{2, 4}}});
  einsum("ij->ji", {{{2, 3}}});
  einsum("abc->b", {{{2, 3, 2}}});
  einsum("abcd->ca", {{{2, 3, 2, 2}}});
  einsum("ii->i", {{{3, 3}}});
  einsum("ii->", {{{3, 3}}});
  einsum("...ij,...jk->...ik", {{{2, 2, 3}}, {{3, 2}}});
  einsum("...ij,jk->...ik", {{{2, 2, 3}}, {{3, 2}}});
  einsum("b...i,i->b...", {{{2, 3, 2}}, {{2}}});
}

void addSystems(std::vector<GradientCase> &cases) {
  Varied square{{2, 3, 3}, Range::Square}, symmetric{{3, 3}, Range::Symmetric};
  for (bool adjoint : {false, true}) {
    cases.push_back({"MatrixInverse", {square}, {{"adjoint", adjoint}}});
    cases.push_back(
        {"MatrixSolve", {square, Varied{{2, 3, 2}}}, {{"adjoint", adjoint}}});
    for (bool lower : {false, true})
      cases.push_back({"MatrixTriangularSolve",
                       {square, Varied{{2, 3, 2}}},
                       {{"adjoint", adjoint}, {"lower", lower}}});
  }
  cases.push_back({"MatrixDeterminant", {square}});
  cases.push_back({"LogMatrixDeterminant", {square}, {}, DType::Float64, {1}});
  cases.push_back({"SelfAdjointEigV2",
                   {symmetric},
                   {{"compute_v", false}},
                   DType::Float64,
                   {0}});
  cases.push_back({"SelfAdjointEigV2", {symmetric}});
  cases.push_back({"Cholesky", {symmetric}});
  for (bool isLower : {false, true})
    for (bool isAdjoint : {false, true})
      cases.push_back({"BandedTriangularSolve",
                       {Varied{{2, 3}, Range::AboveOne}, Varied{{3, 2}}},
                       {{"lower", isLower}, {"adjoint", isAdjoint}},
                       DType::Float64,
                       {},
                       // The rank that MatrixDiagPart gives hangs on them.
                       /*mayBeUnknown=*/false});
  Varied diagonal{{2, 1, 3}};
  cases.push_back(
      {"TridiagonalMatMul", {diagonal, diagonal, diagonal, Varied{{2, 3, 2}}}});
  cases.push_back({"TridiagonalSolve",
                   {Varied{{2, 3, 3}, Range::AboveOne}, Varied{{2, 3, 2}}}});
  for (Shape shape : {Shape{3, 3}, Shape{2, 2, 2}})
    cases.push_back({"MatrixSquareRoot",
                     {Varied{shape, Range::Square}},
                     {},
                     DType::Float64,
                     {},
                     false});
  cases.push_back(
      {"Qr", {Varied{{3, 3}, Range::Square}}, {}, DType::Float64, {}, false});
  cases.push_back(
      {"Qr", {Varied{{4, 2}, Range::Square}}, {}, DType::Float64, {}, false});
  cases.push_back(
      {"Qr", {Varied{{2, 4}, Range::Square}}, {}, DType::Float64, {}, false});
  for (const Shape &shape : {Shape{3, 3}, Shape{4, 2}, Shape{2, 4}})
    cases.push_back(
        {"Svd", {Varied{shape, Range::Square}}, {}, DType::Float64, {}, false});
  cases.push_back({"Svd",
                   {Varied{{3, 2}, Range::Square}},
                   {{"full_matrices", true}},
                   DType::Float64,
                   {0, 1, 2},
                   false});
  cases.push_back({"Svd",
                   {Varied{{3, 2}, Range::Square}},
                   {{"compute_uv", false}},
                   DType::Float64,
                   {0}});
  for (const Shape &shape : {Shape{4, 2}, Shape{2, 4}})
    cases.push_back(
        {"MatrixSolveLs",
         {Varied{shape, Range::Square}, Varied{{shape.dim(0), 2}}, Input(0.1)},
         {},
         DType::Float64,
         {},
         false});
}

} // namespace

std::vector<GradientCase> elementCases() {
  std::vector<GradientCase> cases;
  addUnary(cases, Range::Any,
           {"Abs",        "Neg",       "Sin",        "Cos",        "Tan",
            "Atan",       "Sinh",      "Cosh",       "Tanh",       "Asinh",
            "Square",     "Exp",       "Expm1",      "Erf",        "Erfc",
            "BesselI0",   "BesselI0e", "BesselI1",   "BesselI1e",  "Sigmoid",
            "Relu",       "Relu6",     "Elu",        "Selu",       "Softplus",
            "Softsign",   "Softmax",   "LogSoftmax", "LeakyRelu",  "Sign",
            "Floor",      "Ceil",      "Round",      "Rint",       "Inv",
            "Reciprocal", "L2Loss",    "Identity",   "EnsureShape"});
  cases.back().attrs = {{"shape", Shape{2, 3}}};
  addUnary(cases, Range::Positive,
           {"Sqrt", "Rsqrt", "Log", "Log1p", "Lgamma", "Digamma", "Dawsn",
            "Expint", "FresnelCos", "FresnelSin", "Spence", "BesselJ0",
            "BesselJ1", "BesselK0", "BesselK0e", "BesselK1", "BesselK1e",
            "BesselY0", "BesselY1"});
  addUnary(cases, Range::Unit, {"Asin", "Acos", "Atanh", "Erfinv"});
  addUnary(cases, Range::Portion, {"Ndtri"});
  addUnary(cases, Range::AboveOne, {"Acosh"});
  addBinary(cases, Range::Any, Range::Any,
            {"Add", "AddV2", "Sub", "Mul", "MulNoNan", "Maximum", "Minimum",
             "SquaredDifference", "Atan2"});
  addBinary(cases, Range::Any, Range::Positive,
            {"Div", "RealDiv", "DivNoNan", "Xdivy", "Xlogy", "Xlog1py",
             "FloorDiv", "TruncateDiv", "FloorMod"});
  addBinary(cases, Range::Positive, Range::Any, {"Pow"});
  addBinary(cases, Range::Positive, Range::Positive, {"Igamma", "Igammac"});
  addBinary(cases, Range::Any, Range::Any, {"NextAfter"});
  cases.push_back({"Betainc",
                   {Input(Tensor::scalar(1.5)), Input(Tensor::scalar(2.5)),
                    Varied{{2, 3}, Range::Portion}}});
  cases.push_back({"Cross", {Varied{{2, 3}}, Varied{{2, 3}}}});
  cases.push_back(
      {"Zeta", {Input(Tensor::scalar(3.5)), Varied{{2, 3}, Range::Positive}}});
  cases.push_back(
      {"Polygamma",
       {Input(Tensor::scalar(2.0)), Varied{{2, 3}, Range::Positive}}});
  for (const char *op : {"InvGrad", "ReciprocalGrad", "SqrtGrad", "RsqrtGrad",
                         "TanhGrad", "SigmoidGrad"})
    cases.push_back({op, {Varied{{2, 3}, Range::Positive}, Varied{{2, 3}}}});
  // Their first input is the gradient.
  for (const char *op : {"SoftplusGrad", "ReluGrad", "Relu6Grad",
                         "LeakyReluGrad", "EluGrad", "SeluGrad"})
    cases.push_back({op, {Varied{{2, 3}}, Varied{{2, 3}}}});
  cases.push_back(
      {"AddN", {std::vector<Varied>{{{2, 3}}, {{2, 3}}, {{2, 3}}}}});
  cases.push_back({"AccumulateNV2",
                   {std::vector<Varied>{{{2, 3}}, {{2, 3}}, {{2, 3}}}},
                   {{"shape", Shape{2, 3}}}});
  cases.push_back({"ClipByValue", {Varied{{2, 3}}, Input(-1.0), Input(0.8)}});
  Input mask = Input({Input({true, false, true}), Input({false, false, true})});
  cases.push_back({"Select", {mask, Varied{{2, 3}}, Varied{{2, 3}}}});
  cases.push_back({"SelectV2", {mask, Varied{{2, 1}}, Varied{{3}}}});
  cases.push_back({"Cast", {Varied{{2, 3}}}, {{"DstT", DType::Float64}}});
  addReductions(cases);
  addProducts(cases);
  addSystems(cases);
  return cases;
}

} // namespace kiln::testing
