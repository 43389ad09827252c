// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of TensorList: lists of tensors as values, in which loops of
// version 2 keep what they carry and what their gradients need.
#include "lib/Ops/Families.h"
#include "lib/Ops/TensorList/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"EmptyTensorList", "element_shape: shape_type, max_num_elements: int32",
     "handle: variant", "element_dtype: type; shape_type: indexTypes",
     "A list without elements.", inferListMake, takesLists | movesElements, "",
     OpRole::ListEmpty},
    {"TensorListReserve", "element_shape: shape_type, num_elements: int32",
     "handle: variant", "element_dtype: type; shape_type: indexTypes",
     "A list of elements without a value.", inferListMake,
     takesLists | movesElements},
    {"TensorListFromTensor", "tensor: element_dtype, element_shape: shape_type",
     "output_handle: variant", "element_dtype: type; shape_type: indexTypes",
     "The rows of a tensor.", inferListFromTensor, takesLists | movesElements},
    {"TensorListScatter",
     "tensor: element_dtype, indices: int32, element_shape: shape_type",
     "output_handle: variant", "element_dtype: type; shape_type: indexTypes",
     "A list with row i of a tensor as element indices[i].", inferListScatter,
     takesLists | movesElements},
    {"TensorListScatterV2",
     "tensor: element_dtype, indices: int32, element_shape: shape_type, "
     "num_elements: int32",
     "output_handle: variant", "element_dtype: type; shape_type: indexTypes",
     "As TensorListScatter, of num_elements elements at least.",
     inferListScatter, takesLists | movesElements},
    {"TensorListSplit",
     "tensor: element_dtype, element_shape: shape_type, lengths: int64",
     "output_handle: variant", "element_dtype: type; shape_type: indexTypes",
     "A list of parts of a tensor, lengths[i] rows each.", inferListSplit,
     takesLists | movesElements},
    {"TensorListPushBack", "input_handle: variant, tensor: element_dtype",
     "output_handle: variant", "element_dtype: type",
     "The list with an element more.", inferListPush,
     takesLists | movesElements, "", OpRole::ListPush},
    {"TensorListPushBackBatch", "input_handles: variant, tensor: element_dtype",
     "output_handles: variant", "element_dtype: type",
     "Each list of a vector with a row of the tensor more.", inferListPushBatch,
     takesLists | movesElements | stopsGradient},
    {"TensorListPopBack", "input_handle: variant, element_shape: int32",
     "output_handle: variant, tensor: element_dtype", "element_dtype: type",
     "The list without its last element, and that element.", inferListPop,
     takesLists | movesElements, "", OpRole::ListPop},
    {"TensorListGetItem",
     "input_handle: variant, index: int32, element_shape: Tshape",
     "item: element_dtype", "element_dtype: type; Tshape: indexTypes = int32",
     "Element `index`; zeros where it has no value.", inferListGet,
     takesLists | movesElements},
    {"TensorListSetItem",
     "input_handle: variant, index: int32, item: element_dtype",
     "output_handle: variant",
     "element_dtype: type; resize_if_index_out_of_bounds: bool = false",
     "The list with another element `index`.", inferListSet,
     takesLists | movesElements},
    {"TensorListScatterIntoExistingList",
     "input_handle: variant, tensor: element_dtype, indices: int32",
     "output_handle: variant", "element_dtype: type",
     "The list with row i of a tensor as element indices[i].",
     inferListScatterInto, takesLists | movesElements},
    {"TensorListResize", "input_handle: variant, size: int32",
     "output_handle: variant", "", "The list with `size` elements.",
     inferListResize, takesLists | movesElements},
    {"TensorListLength", "input_handle: variant", "length: int32", "",
     "The number of elements.", inferListLength,
     takesLists | movesElements | stopsGradient},
    {"TensorListElementShape", "input_handle: variant",
     "element_shape: shape_type", "shape_type: indexTypes",
     "The shape that the list was made for.", inferListElementShape,
     takesLists | movesElements | stopsGradient},
    {"TensorListStack", "input_handle: variant, element_shape: int32",
     "tensor: element_dtype", "element_dtype: type; num_elements: int = -1",
     "All elements behind one another.", inferListStack,
     takesLists | movesElements},
    {"TensorListGather",
     "input_handle: variant, indices: int32, element_shape: int32",
     "values: element_dtype", "element_dtype: type",
     "The elements `indices` behind one another.", inferListGather,
     takesLists | movesElements},
    {"TensorListConcat", "input_handle: variant",
     "tensor: element_dtype, lengths: int64",
     "element_dtype: type; element_shape: shape = <unknown>",
     "All elements as one tensor along dimension 0, and their lengths.",
     inferListConcat, takesLists | movesElements},
    {"TensorListConcatV2",
     "input_handle: variant, element_shape: shape_type, leading_dims: int64",
     "tensor: element_dtype, lengths: int64",
     "element_dtype: type; shape_type: indexTypes",
     "All elements as one tensor along dimension 0, and their lengths.",
     inferListConcat, takesLists | movesElements},
    {"TensorListConcatLists", "input_a: variant, input_b: variant",
     "output: variant", "element_dtype: type",
     "The elements of one list and then those of another.",
     inferListConcatLists, takesLists | movesElements | stopsGradient},
};

} // namespace

OpFamily tensorListFamily() {
  return {"TensorList", "lists of tensors as values", records};
}

} // namespace kiln
