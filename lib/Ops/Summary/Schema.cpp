// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Summary: ops that make messages of tensors. Host kernels
// compute them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Summary/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"ScalarSummary", "tags: string, values: T", "summary: string",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}",
     "A Summary message with a number for each tag.", inferMessage,
     hostBody | stopsGradient},
    {"HistogramSummary", "tag: string, values: T", "summary: string",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64} = float32",
     "A Summary message with a histogram.", inferMessage,
     hostBody | stopsGradient},
    {"ImageSummary", "tag: string, tensor: T", "summary: string",
     "max_images: int >= 1 = 3; T: {uint8, float32, float16, float64} = "
     "float32; bad_color: tensor = uint8 [255, 0, 0, 255]",
     "A Summary message with pictures, as PNG files.", inferMessage,
     hostBody | stopsGradient},
    {"AudioSummaryV2", "tag: string, tensor: float32, sample_rate: float32",
     "summary: string", "max_outputs: int >= 1 = 3",
     "A Summary message with sounds, as WAV files.", inferMessage,
     hostBody | stopsGradient},
    {"AudioSummary", "tag: string, tensor: float32", "summary: string",
     "sample_rate: float; max_outputs: int >= 1 = 3",
     "A Summary message with sounds at one rate, as WAV files.", inferMessage,
     hostBody | stopsGradient},
    {"TensorSummary", "tensor: T", "summary: string",
     "T: type; description: string =; labels: list(string) = []; "
     "display_name: string =",
     "A Summary message with a tensor, under the node's name.", inferMessage,
     hostBody | movesElements | stopsGradient},
    {"TensorSummaryV2",
     "tag: string, tensor: T, serialized_summary_metadata: string",
     "summary: string", "T: type", "A Summary message with a tensor.",
     inferMessage, hostBody | movesElements | stopsGradient},
    {"MergeSummary", "inputs: N*string", "summary: string", "N: int >= 1",
     "One Summary message of several.", inferMessage, hostBody | stopsGradient},
    {"SerializeTensor", "tensor: T", "serialized: string", "T: type",
     "A TensorProto message.", inferMessage,
     hostBody | movesElements | stopsGradient},
    {"ParseTensor", "serialized: string", "output: out_type", "out_type: type",
     "The tensor of a TensorProto message.", inferParsedTensor,
     hostBody | movesElements | stopsGradient},
};

} // namespace

OpFamily summaryFamily() {
  return {"Summary", "ops that make messages of tensors", records};
}

} // namespace kiln
