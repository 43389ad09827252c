// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an import of a GraphDef is asked for, and what it hands back.
#ifndef KILN_CAPI_IMPORTOPTIONS_H
#define KILN_CAPI_IMPORTOPTIONS_H

#include "capi/Handles.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kiln::capi {

/// A tensor of the GraphDef, or with index -1 what nodes wait for.
using ImportedTensor = std::pair<std::string, int>;

} // namespace kiln::capi

struct TF_ImportGraphDefOptions {
  std::string prefix;
  std::string defaultDevice;
  bool makesNamesUnique = false;
  bool makesPrefixUnique = false;
  /// What stands for tensors of the GraphDef; for control inputs index -1.
  std::map<kiln::capi::ImportedTensor, kiln::Output> inputMap;
  std::vector<const kiln::Node *> controls;
  std::vector<kiln::capi::ImportedTensor> returnOutputs;
  std::vector<std::string> returnOperations;
};

struct TF_ImportGraphDefResults {
  std::vector<TF_Output> outputs;
  std::vector<TF_Operation *> operations;
  std::vector<std::string> missing;
  std::vector<const char *> missingNames; ///< into `missing`
  std::vector<int> missingIndexes;
};

#endif // KILN_CAPI_IMPORTOPTIONS_H
