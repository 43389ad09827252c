// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libkiln-io.so: lib/IO with protobuf, behind one function.
#include "cmake/package/IoFunctions.h"

const kiln::IoFunctions *kilnIoFunctions() {
  static constexpr kiln::IoFunctions functions = {
      kiln::loadGraphDef,          kiln::loadGraphDefFile,
      kiln::extendGraphDef,        kiln::toGraphDef,
      kiln::saveGraphDefFile,      kiln::ioOps,
      kiln::makeRecordSource,      kiln::loadMetaGraph,
      kiln::loadMetaGraphFile,     kiln::toMetaGraphDef,
      kiln::saveMetaGraphFile,     kiln::encodeSavedModel,
      kiln::decodeSavedModel,      kiln::encodeSaverDef,
      kiln::decodeSaverDef,        kiln::encodeVariableDef,
      kiln::decodeVariableDef,     kiln::encodeQueueRunnerDef,
      kiln::decodeQueueRunnerDef,  kiln::encodeOpList,
      kiln::encodeContextDef,      kiln::decodeContextDef,
      kiln::encodeEvent,           kiln::encodeScalars,
      kiln::encodeSummaryMetadata, kiln::encodeGraphWithShapes,
      kiln::toRunMetadata,         kiln::encodeCheckpointState,
      kiln::decodeCheckpointState, kiln::openStoredVariables};
  return &functions;
}
