// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Layout: elements at other places, by blocks, borders, ends and
// diagonals.
#include "lib/Ops/Families.h"
#include "lib/Ops/Layout/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"SpaceToDepth", "input: T", "output: T",
     "T: type; block_size: int >= 2; data_format: string = NHWC",
     "Blocks of an image moved into its channels.", inferSpaceToDepth,
     movesElements},
    {"DepthToSpace", "input: T", "output: T",
     "T: type; block_size: int >= 2; data_format: string = NHWC",
     "Channels of an image moved into blocks.", inferDepthToSpace,
     movesElements},
    {"SpaceToBatchND",
     "input: T, block_shape: Tblock_shape, paddings: Tpaddings", "output: T",
     "T: type; Tblock_shape: indexTypes = int32; Tpaddings: indexTypes = int32",
     "Places inside of blocks moved into the batch, with zeros added around.",
     inferSpaceToBatch, movesElements},
    {"BatchToSpaceND", "input: T, block_shape: Tblock_shape, crops: Tcrops",
     "output: T",
     "T: type; Tblock_shape: indexTypes = int32; Tcrops: indexTypes = int32",
     "Parts of the batch moved into blocks, of which the borders are cut off.",
     inferBatchToSpace, movesElements},
    {"SpaceToBatch", "input: T, paddings: Tpaddings", "output: T",
     "T: type; Tpaddings: indexTypes = int32; block_size: int >= 2",
     "Places inside of blocks of an image moved into the batch, with zeros "
     "added around.",
     inferSpaceToBatch, movesElements},
    {"BatchToSpace", "input: T, crops: Tidx", "output: T",
     "T: type; block_size: int >= 2; Tidx: indexTypes = int32",
     "Parts of the batch moved into blocks of images, of which the borders are "
     "cut off.",
     inferBatchToSpace, movesElements},
    {"MirrorPad", "input: T, paddings: Tpaddings", "output: T",
     "T: type; Tpaddings: indexTypes = int32; mode: string",
     "The input with its own elements mirrored around it.", inferMirrorPad,
     movesElements},
    {"MirrorPadGrad", "input: T, paddings: Tpaddings", "output: T",
     "T: type; Tpaddings: indexTypes = int32; mode: string",
     "What was mirrored added to what it was mirrored from.",
     inferMirrorPadGrad, takesComplex},
    {"Roll", "input: T, shift: Tshift, axis: Taxis", "output: T",
     "T: type; Tshift: indexTypes; Taxis: indexTypes",
     "Elements shifted along axes; what leaves at one end enters at the other.",
     inferRoll, movesElements},
    {"ReverseSequence", "input: T, seq_lengths: Tlen", "output: T",
     "seq_dim: int; batch_dim: int = 0; T: type; Tlen: indexTypes = int64",
     "The first elements of each sequence turned round.", inferReverseSequence,
     movesElements},
    {"DataFormatDimMap", "x: T", "y: T",
     "T: indexTypes = int32; src_format: string = NHWC; dst_format: string = "
     "NCHW",
     "Where dimensions of one data format stand in another.",
     inferDataFormatDimMap},
    {"DataFormatVecPermute", "x: T", "y: T",
     "T: indexTypes = int32; src_format: string = NHWC; dst_format: string = "
     "NCHW",
     "What there is for each dimension of a data format, in the order of "
     "another.",
     inferDataFormatVecPermute},
    {"ExtractImagePatches", "images: T", "patches: T",
     "ksizes: list(int); strides: list(int); rates: list(int); "
     "T: {bfloat16, float16, float32, float64, int8, int16, int32, int64, "
     "uint8, uint16, uint32, uint64, complex64, complex128, bool}; padding: "
     "string {SAME, VALID}",
     "The elements of each window of images, one behind the other.",
     inferPatches, movesElements},
    {"ExtractVolumePatches", "input: T", "patches: T",
     "ksizes: list(int); strides: list(int); T: realNumbers; "
     "padding: string {SAME, VALID}",
     "The elements of each window of volumes, one behind the other.",
     inferPatches, movesElements},
    {"TopKV2", "input: T, k: Tk", "values: T, indices: index_type",
     "sorted: bool = true; T: {float32, float64, int32, uint8, int16, int8, "
     "int64, bfloat16, uint16, float16, uint32, uint64}; Tk: {int16, int32, "
     "int64} = int32; index_type: {int16, int32, int64} = int32",
     "The k largest elements of each row and their places; equal ones in their "
     "order.",
     inferTopK, movesElements},
    {"TopK", "input: T", "values: T, indices: int32",
     "k: int >= 0; sorted: bool = true; T: {float32, float64, int32, uint8, "
     "int16, int8, int64, bfloat16, uint16, float16, uint32, uint64}",
     "The k largest elements of each row and their places; equal ones in their "
     "order.",
     inferTopK, movesElements},
    {"ApproxTopK", "input: T", "values: T, indices: int32",
     "k: int >= 0; reduction_dimension: int = -1; recall_target: float = 0.95; "
     "is_max_k: bool = true; reduction_input_size_override: int = -1; "
     "aggregate_to_topk: bool = true; T: {float16, bfloat16, float32}",
     "The k largest elements of each row and their places, none of which is "
     "missed.",
     inferApproxTopK, movesElements},
    {"NthElement", "input: T, n: int32", "values: T",
     "reverse: bool = false; T: realNumbers", "Element n of each row in order.",
     inferNthElement, movesElements},
    {"MatrixBandPart", "input: T, num_lower: Tindex, num_upper: Tindex",
     "band: T", "T: type; Tindex: indexTypes = int64",
     "Matrices with zeros outside of a band around the diagonal.",
     inferMatrixBandPart, movesElements},
    {"Diag", "diagonal: T", "output: T",
     "T: {bfloat16, float16, float32, float64, int32, int64, complex64, "
     "complex128}",
     "A tensor as the diagonal of one of twice the rank.", inferDiag,
     movesElements},
    {"DiagPart", "input: T", "diagonal: T",
     "T: {bfloat16, float16, float32, float64, int32, int64, complex64, "
     "complex128}",
     "The diagonal of a tensor of even rank.", inferDiagPart, movesElements},
    {"MatrixDiag", "diagonal: T", "output: T", "T: type",
     "Vectors as the diagonals of matrices.", inferMatrixDiag, movesElements},
    {"MatrixDiagV2",
     "diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: "
     "T",
     "output: T", "T: type", "Vectors as diagonals of matrices.",
     inferMatrixDiag, movesElements},
    {"MatrixDiagV3",
     "diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: "
     "T",
     "output: T", "T: type; align: string = RIGHT_LEFT",
     "Vectors as diagonals of matrices.", inferMatrixDiag, movesElements},
    {"MatrixDiagPart", "input: T", "diagonal: T", "T: type",
     "The diagonals of matrices.", inferMatrixDiagPart, movesElements},
    {"MatrixDiagPartV2", "input: T, k: int32, padding_value: T", "diagonal: T",
     "T: type", "Some diagonals of matrices.", inferMatrixDiagPart,
     movesElements},
    {"MatrixDiagPartV3", "input: T, k: int32, padding_value: T", "diagonal: T",
     "T: type; align: string = RIGHT_LEFT", "Some diagonals of matrices.",
     inferMatrixDiagPart, movesElements},
    {"MatrixSetDiag", "input: T, diagonal: T", "output: T", "T: type",
     "Matrices with other diagonals.", inferMatrixSetDiag, movesElements},
    {"MatrixSetDiagV2", "input: T, diagonal: T, k: int32", "output: T",
     "T: type", "Matrices with some other diagonals.", inferMatrixSetDiag,
     movesElements},
    {"MatrixSetDiagV3", "input: T, diagonal: T, k: int32", "output: T",
     "T: type; align: string = RIGHT_LEFT",
     "Matrices with some other diagonals.", inferMatrixSetDiag, movesElements},
    {"BatchMatrixBandPart", "input: T, num_lower: int64, num_upper: int64",
     "band: T", "T: type", "The former name of MatrixBandPart.",
     inferMatrixBandPart, movesElements, "MatrixBandPart"},
    {"BatchMatrixDiag", "diagonal: T", "output: T", "T: type",
     "The former name of MatrixDiag.", inferMatrixDiag, movesElements,
     "MatrixDiag"},
    {"BatchMatrixDiagPart", "input: T", "diagonal: T", "T: type",
     "The former name of MatrixDiagPart.", inferMatrixDiagPart, movesElements,
     "MatrixDiagPart"},
    {"BatchMatrixSetDiag", "input: T, diagonal: T", "output: T", "T: type",
     "The former name of MatrixSetDiag.", inferMatrixSetDiag, movesElements,
     "MatrixSetDiag"},
};

} // namespace

OpFamily layoutFamily() {
  return {"Layout", "elements at other places: blocks, borders, diagonals",
          records};
}

} // namespace kiln
