// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that need protobuf, those of the public API and the ops that
// lib/IO does, as a table between the two shared libraries.
#ifndef KILN_CMAKE_PACKAGE_IOFUNCTIONS_H
#define KILN_CMAKE_PACKAGE_IOFUNCTIONS_H

#include "kiln/GraphDef.h"
#include "lib/IO/Formats.h"
#include "lib/OpDefs/HostOps.h"
#include "lib/OpDefs/RecordSource.h"

namespace kiln {

/// What libkiln-io.so gives; both libraries come from one build.
struct IoFunctions {
  decltype(&kiln::loadGraphDef) loadGraphDef;
  decltype(&kiln::loadGraphDefFile) loadGraphDefFile;
  decltype(&kiln::extendGraphDef) extendGraphDef;
  decltype(&kiln::toGraphDef) toGraphDef;
  decltype(&kiln::saveGraphDefFile) saveGraphDefFile;
  decltype(&kiln::ioOps) ioOps;
  decltype(&kiln::makeRecordSource) makeRecordSource;
  decltype(&kiln::loadMetaGraph) loadMetaGraph;
  decltype(&kiln::loadMetaGraphFile) loadMetaGraphFile;
  decltype(&kiln::toMetaGraphDef) toMetaGraphDef;
  decltype(&kiln::saveMetaGraphFile) saveMetaGraphFile;
  decltype(&kiln::encodeSavedModel) encodeSavedModel;
  decltype(&kiln::decodeSavedModel) decodeSavedModel;
  decltype(&kiln::encodeSaverDef) encodeSaverDef;
  decltype(&kiln::decodeSaverDef) decodeSaverDef;
  decltype(&kiln::encodeVariableDef) encodeVariableDef;
  decltype(&kiln::decodeVariableDef) decodeVariableDef;
  decltype(&kiln::encodeQueueRunnerDef) encodeQueueRunnerDef;
  decltype(&kiln::decodeQueueRunnerDef) decodeQueueRunnerDef;
  decltype(&kiln::encodeOpList) encodeOpList;
  decltype(&kiln::encodeContextDef) encodeContextDef;
  decltype(&kiln::decodeContextDef) decodeContextDef;
  decltype(&kiln::encodeEvent) encodeEvent;
  decltype(&kiln::encodeScalars) encodeScalars;
  decltype(&kiln::encodeSummaryMetadata) encodeSummaryMetadata;
  decltype(&kiln::encodeGraphWithShapes) encodeGraphWithShapes;
  decltype(&kiln::toRunMetadata) toRunMetadata;
  decltype(&kiln::encodeCheckpointState) encodeCheckpointState;
  decltype(&kiln::decodeCheckpointState) decodeCheckpointState;
  decltype(&kiln::openStoredVariables) openStoredVariables;
};

} // namespace kiln

/// The only symbol of libkiln-io.so.
extern "C" [[gnu::visibility("default")]] const kiln::IoFunctions *
kilnIoFunctions();

#endif // KILN_CMAKE_PACKAGE_IOFUNCTIONS_H
