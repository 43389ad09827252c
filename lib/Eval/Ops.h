// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of the evaluator's programs as plain records: what is particular to
// each of them, and what the evaluator asks of all.
#ifndef KILN_LIB_EVAL_OPS_H
#define KILN_LIB_EVAL_OPS_H

#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Shape/SymbolTable.h"

#include <cstdint>
#include <variant>

namespace kiln {

struct Kernel;

namespace eval {

/// The number of a value of a program.
using ValueId = uint32_t;

/// A stretch of one of a program's lists.
struct Range {
  uint32_t begin = 0;
  uint32_t size = 0;
};

/// Numbered as the dialect's.
enum class ReduceKind : uint8_t { Sum, Prod, Max, Min, All, Any };
enum class ScatterKind : uint8_t {
  Update,
  Add,
  Sub,
  Mul,
  Div,
  Min,
  Max,
  SegmentMin,
  SegmentMax
};
enum class RandomKind : uint8_t { Uniform, Normal };

// What an op of the dialect says beside operands, results and their types; the
// meaning is in the dialect's records. Ranges are of Program::numbers where
// nothing else is said.

struct ElementwiseOp {
  ElementLoop loop = nullptr;
  /// The loop of a select and its condition, a comparison that it alone asks
  /// for; else null.
  ElementLoop withCondition = nullptr;
};
struct ConstantOp {
  uint32_t index = 0; ///< of Program::constants
  bool isSplat = false;
};
struct ConstantRefOp {
  uint64_t index = 0; ///< of EvalEnvironment::constants
};
struct DimsOp {
  Range elements; ///< of Program::dims
};
struct IotaOp {
  int32_t axis = 0;
};
struct BroadcastOp {
  Range map;
};
struct ReshapeOp {};
struct TransposeOp {
  Range permutation;
};
struct SliceOp { ///< operand 1, where there is one, has dynamic starts
  Range starts, strides;
};
struct ConcatOp {
  int32_t axis = 0;
};
struct PadOp { ///< operand 2, where there is one, has dynamic paddings
  Range low;
};
struct WindowOp {
  Range starts, strides;
};
struct GatherOp {
  int32_t axis = 0, batch = 0;
};
struct ReduceOp {
  Range axes;
  ReduceKind kind = ReduceKind::Sum;
};
struct ArgReduceOp {
  int32_t axis = 0;
  bool smallest = false;
};
struct ScatterOp {
  ScatterKind kind = ScatterKind::Update;
};
struct MatmulOp {
  bool transposeLhs = false, transposeRhs = false;
};
struct ConvolveOp {
  Range strides, dilations;
  Range padded; ///< as kiln.convolve says, or none
  bool transposed = false;
};
struct RandomReserveOp {
  int64_t stream = 0;
  Range extents; ///< of Program::dims
};
struct RandomOp {
  RandomKind kind = RandomKind::Uniform;
};
struct RandomIntOp {};
struct VarReadOp {
  int64_t variable = 0;
};
struct VarWriteOp {
  int64_t variable = 0;
};
struct VarIsInitializedOp {
  int64_t variable = 0;
};
struct RuntimeCallOp {
  const kiln::Kernel *kernel = nullptr; ///< of the process's registry
  Range numbers, binds;
};
struct FusionOp {
  uint32_t body = 0; ///< this and those below are of Program::blocks
};
struct IfOp {
  uint32_t thenBlock = 0, elseBlock = 0;
};
struct WhileOp {
  uint32_t before = 0, after = 0;
};
struct BindOp {
  Range binds;
};
struct DefineOp {
  int64_t id = 0;
  Range operands; ///< of Program::dims; two
  SymbolDef::Kind kind = SymbolDef::Kind::Add;
};
struct GuardOp {
  int64_t number = 0;
  Range operands; ///< of Program::dims; two
  Guard::Kind kind = Guard::Kind::Equal;
};

using AnyOp =
    std::variant<ElementwiseOp, ConstantOp, ConstantRefOp, DimsOp, IotaOp,
                 BroadcastOp, ReshapeOp, TransposeOp, SliceOp, ConcatOp, PadOp,
                 WindowOp, GatherOp, ReduceOp, ArgReduceOp, ScatterOp, MatmulOp,
                 ConvolveOp, RandomReserveOp, RandomOp, RandomIntOp, VarReadOp,
                 VarWriteOp, VarIsInitializedOp, RuntimeCallOp, FusionOp, IfOp,
                 WhileOp, BindOp, DefineOp, GuardOp>;

/// One op.
struct Op {
  AnyOp what;
  Range node; ///< of Program::names
  Range operands, results;
  /// What it is the last in its block to use, itself or inside of its blocks.
  Range last;
  /// How many leading dimensions of its result are rows that it computes one by
  /// one; 0 where it does not work so (lib/Eval/Slices.h).
  uint8_t rows = 0;
  /// With rows: by bit, the operands of which a row of the result needs its own
  /// row; of the others it needs all or none.
  uint8_t slicedOperands = 0;
  /// With rows: whether an element can be an error of the run.
  bool mayFail = false;
  /// Whether what waits may also run after it.
  bool isMovable = false;
  /// Whether the result may lie in the memory of operand 0: that of a splat is
  /// one, and a reshape is a view.
  bool mayGiveView = false;
  /// Whether it has an effect behind all of which it is not known how long it
  /// takes.
  bool isLastEffect = false;
};

} // namespace eval
} // namespace kiln

#endif // KILN_LIB_EVAL_OPS_H
