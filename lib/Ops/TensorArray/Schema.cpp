// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of TensorArray: arrays and stacks of tensors that live as long as
// a run. The names of version 2 take strings as handles, as old graphs do.
#include "lib/Ops/Families.h"
#include "lib/Ops/TensorArray/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr uint32_t acts = stateful | usesSlot | movesElements;
constexpr uint32_t stacks = acts | holdsHandles;

constexpr OpRecord records[] = {
    {"TensorArrayV3", "size: int32", "handle: resource, flow: float32",
     "dtype: type; element_shape: shape = <unknown>; dynamic_size: bool = "
     "false; "
     "clear_after_read: bool = true; identical_element_shapes: bool = false; "
     "tensor_array_name: string =",
     "Makes an array of `size` tensors.", inferTensorArray,
     acts | stopsGradient},
    {"TensorArrayGradV3", "handle: resource, flow_in: float32",
     "grad_handle: resource, flow_out: float32", "source: string",
     "The array of the gradients of an array's elements, one a source; what is "
     "written to an element again is added.",
     inferTensorArrayGrad, acts | stopsGradient},
    {"TensorArrayGradWithShape",
     "handle: resource, flow_in: float32, shape_to_prepend: int32",
     "grad_handle: resource, flow_out: float32", "source: string",
     "As TensorArrayGradV3, of elements with further dimensions in front.",
     inferTensorArrayGrad, acts | stopsGradient},
    {"TensorArrayWriteV3",
     "handle: resource, index: int32, value: T, flow_in: float32",
     "flow_out: float32", "T: type", "Writes element `index`, once.",
     inferTensorArrayWrite, acts},
    {"TensorArrayReadV3", "handle: resource, index: int32, flow_in: float32",
     "value: dtype", "dtype: type",
     "Reads element `index`; zeros where it was not written and its shape is "
     "known.",
     inferTensorArrayRead, acts},
    {"TensorArrayGatherV3",
     "handle: resource, indices: int32, flow_in: float32", "value: dtype",
     "dtype: type; element_shape: shape = <unknown>",
     "Reads the elements `indices` behind one another.", inferTensorArrayGather,
     acts},
    {"TensorArrayScatterV3",
     "handle: resource, indices: int32, value: T, flow_in: float32",
     "flow_out: float32", "T: type", "Writes row i to element indices[i].",
     inferTensorArrayScatter, acts},
    {"TensorArrayConcatV3", "handle: resource, flow_in: float32",
     "value: dtype, lengths: int64",
     "dtype: type; element_shape_except0: shape = <unknown>",
     "Reads all elements as one tensor along dimension 0, and their lengths.",
     inferTensorArrayConcat, acts},
    {"TensorArraySplitV3",
     "handle: resource, value: T, lengths: int64, flow_in: float32",
     "flow_out: float32", "T: type",
     "Writes all elements from one tensor, lengths[i] rows to element i.",
     inferTensorArraySplit, acts},
    {"TensorArraySizeV3", "handle: resource, flow_in: float32", "size: int32",
     "", "The number of elements.", inferTensorArraySize, acts | stopsGradient},
    {"TensorArrayCloseV3", "handle: resource", "", "",
     "Empties the array, which cannot be used any more.", inferTensorArrayClose,
     acts | stopsGradient},
    {"TensorArrayV2", "size: int32", "handle: string",
     "dtype: type; element_shape: shape = <unknown>; dynamic_size: bool = "
     "false; "
     "clear_after_read: bool = true; tensor_array_name: string =",
     "TensorArrayV3 without a flow.", inferTensorArray, acts | stopsGradient,
     "TensorArrayV3"},
    {"TensorArrayGradV2", "handle: string, flow_in: float32",
     "grad_handle: string", "source: string",
     "TensorArrayGradV3 without a flow.", inferTensorArrayGrad,
     acts | stopsGradient, "TensorArrayGradV3"},
    {"TensorArrayWriteV2",
     "handle: string, index: int32, value: T, flow_in: float32",
     "flow_out: float32", "T: type", "TensorArrayWriteV3 by string.",
     inferTensorArrayWrite, acts, "TensorArrayWriteV3"},
    {"TensorArrayReadV2", "handle: string, index: int32, flow_in: float32",
     "value: dtype", "dtype: type", "TensorArrayReadV3 by string.",
     inferTensorArrayRead, acts, "TensorArrayReadV3"},
    {"TensorArrayGatherV2", "handle: string, indices: int32, flow_in: float32",
     "value: dtype", "dtype: type; element_shape: shape = <unknown>",
     "TensorArrayGatherV3 by string.", inferTensorArrayGather, acts,
     "TensorArrayGatherV3"},
    {"TensorArrayScatterV2",
     "handle: string, indices: int32, value: T, flow_in: float32",
     "flow_out: float32", "T: type", "TensorArrayScatterV3 by string.",
     inferTensorArrayScatter, acts, "TensorArrayScatterV3"},
    {"TensorArrayConcatV2", "handle: string, flow_in: float32",
     "value: dtype, lengths: int64",
     "dtype: type; element_shape_except0: shape = <unknown>",
     "TensorArrayConcatV3 by string.", inferTensorArrayConcat, acts,
     "TensorArrayConcatV3"},
    {"TensorArraySplitV2",
     "handle: string, value: T, lengths: int64, flow_in: float32",
     "flow_out: float32", "T: type", "TensorArraySplitV3 by string.",
     inferTensorArraySplit, acts, "TensorArraySplitV3"},
    {"TensorArraySizeV2", "handle: string, flow_in: float32", "size: int32", "",
     "TensorArraySizeV3 by string.", inferTensorArraySize, acts | stopsGradient,
     "TensorArraySizeV3"},
    {"TensorArrayCloseV2", "handle: string", "", "",
     "TensorArrayCloseV3 by string.", inferTensorArrayClose,
     acts | stopsGradient, "TensorArrayCloseV3"},
    {"StackV2", "max_size: int32", "handle: resource",
     "elem_type: type; stack_name: string =",
     "Makes a stack of at most max_size tensors; of any number where that is "
     "below 0.",
     inferStack, stacks},
    {"StackPushV2", "handle: resource, elem: T", "output: T",
     "T: type; swap_memory: bool = false",
     "Puts a tensor onto the stack, and gives it.", inferStackPush, stacks},
    {"StackPopV2", "handle: resource", "elem: elem_type", "elem_type: type",
     "Takes the last tensor from the stack.", inferStackPop, stacks},
    {"StackCloseV2", "handle: resource", "", "",
     "Empties the stack, which cannot be used any more.", inferTensorArrayClose,
     acts},
    {"Stack", "", "handle: Ref(string)",
     "elem_type: type; stack_name: string =", "StackV2 by reference.",
     inferStack, stacks | stopsGradient, "StackV2"},
    {"StackPush", "handle: Ref(string), elem: T", "output: T",
     "T: type; swap_memory: bool = false", "StackPushV2 by reference.",
     inferStackPush, stacks | stopsGradient, "StackPushV2"},
    {"StackPop", "handle: Ref(string)", "elem: elem_type", "elem_type: type",
     "StackPopV2 by reference.", inferStackPop, stacks | stopsGradient,
     "StackPopV2"},
    {"StackClose", "handle: Ref(string)", "", "", "StackCloseV2 by reference.",
     inferTensorArrayClose, acts | stopsGradient, "StackCloseV2"},
};

} // namespace

OpFamily tensorArrayFamily() {
  return {"TensorArray", "arrays and stacks of tensors that live for one run",
          records};
}

} // namespace kiln
