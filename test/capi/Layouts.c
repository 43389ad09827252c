// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts that programs compiled against TensorFlow's headers have, as a C
// program sees ours; sizes as genuine headers of 1.15 and 2.21 give them.
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/env.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_string_encoding.h"

#include <stdio.h>

#define SIZE(type, size) _Static_assert(sizeof(type) == size, #type)
#define PLACE(type, field, place)                                              \
  _Static_assert(offsetof(type, field) == place, #type "." #field)

SIZE(TF_Output, 16);
PLACE(TF_Output, index, 8);
SIZE(TF_Input, 16);
PLACE(TF_Input, index, 8);
SIZE(TF_Buffer, 24);
PLACE(TF_Buffer, length, 8);
PLACE(TF_Buffer, data_deallocator, 16);
SIZE(TF_AttrMetadata, 32);
PLACE(TF_AttrMetadata, list_size, 8);
PLACE(TF_AttrMetadata, type, 16);
PLACE(TF_AttrMetadata, total_size, 24);
SIZE(TF_WhileParams, 72);
PLACE(TF_WhileParams, cond_output, 24);
PLACE(TF_WhileParams, body_graph, 40);
PLACE(TF_WhileParams, name, 64);
SIZE(TF_StringView, 16);
SIZE(TF_TString, 24);
SIZE(TF_AllocatorAttributes, 16);
SIZE(TF_FileStatistics, 24);
SIZE(TF_ThreadOptions, 24);
SIZE(TF_InputRange_Args, 32);
SIZE(TF_ShapeAndType, 24);
SIZE(TF_ShapeAndTypeList, 16);
SIZE(TF_Code, 4);
SIZE(TF_DataType, 4);
SIZE(TF_AttrType, 4);
SIZE(TFE_ContextDevicePlacementPolicy, 4);

int main(void) {
  if (TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE != 9)
    return 1;
  puts(TF_Version());
  return 0;
}
