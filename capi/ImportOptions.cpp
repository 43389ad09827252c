// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_ImportGraphDefOptions and TF_ImportGraphDefResults.
#include "capi/ImportOptions.h"

#include "tensorflow/c/c_api_experimental.h"

using namespace kiln;
using namespace kiln::capi;

TF_ImportGraphDefOptions *TF_NewImportGraphDefOptions(void) {
  return new TF_ImportGraphDefOptions;
}

void TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions *opts) {
  delete opts;
}

void TF_ImportGraphDefOptionsSetPrefix(TF_ImportGraphDefOptions *opts,
                                       const char *prefix) {
  opts->prefix = prefix;
}

void TF_ImportGraphDefOptionsSetDefaultDevice(TF_ImportGraphDefOptions *opts,
                                              const char *device) {
  opts->defaultDevice = device;
}

void TF_ImportGraphDefOptionsSetUniquifyNames(TF_ImportGraphDefOptions *opts,
                                              unsigned char uniquify_names) {
  opts->makesNamesUnique = uniquify_names;
}

void TF_ImportGraphDefOptionsSetUniquifyPrefix(TF_ImportGraphDefOptions *opts,
                                               unsigned char uniquify_prefix) {
  opts->makesPrefixUnique = uniquify_prefix;
}

// Kiln has CPUs alone: nodes are where they are, beside whomever.
void TF_ImportGraphDefOptionsSetValidateColocationConstraints(
    TF_ImportGraphDefOptions *, unsigned char) {}

void TF_ImportGraphDefOptionsAddInputMapping(TF_ImportGraphDefOptions *opts,
                                             const char *src_name,
                                             int src_index, TF_Output dst) {
  opts->inputMap.insert_or_assign({src_name, src_index}, outputOf(dst));
}

void TF_ImportGraphDefOptionsRemapControlDependency(
    TF_ImportGraphDefOptions *opts, const char *src_name, TF_Operation *dst) {
  opts->inputMap.insert_or_assign({src_name, -1}, Output{nodeOf(dst), -1});
}

void TF_ImportGraphDefOptionsAddControlDependency(
    TF_ImportGraphDefOptions *opts, TF_Operation *oper) {
  opts->controls.push_back(nodeOf(oper));
}

void TF_ImportGraphDefOptionsAddReturnOutput(TF_ImportGraphDefOptions *opts,
                                             const char *oper_name, int index) {
  opts->returnOutputs.emplace_back(oper_name, index);
}

int TF_ImportGraphDefOptionsNumReturnOutputs(
    const TF_ImportGraphDefOptions *opts) {
  return static_cast<int>(opts->returnOutputs.size());
}

void TF_ImportGraphDefOptionsAddReturnOperation(TF_ImportGraphDefOptions *opts,
                                                const char *oper_name) {
  opts->returnOperations.emplace_back(oper_name);
}

int TF_ImportGraphDefOptionsNumReturnOperations(
    const TF_ImportGraphDefOptions *opts) {
  return static_cast<int>(opts->returnOperations.size());
}

void TF_ImportGraphDefResultsReturnOutputs(TF_ImportGraphDefResults *results,
                                           int *num_outputs,
                                           TF_Output **outputs) {
  *num_outputs = static_cast<int>(results->outputs.size());
  *outputs = results->outputs.data();
}

void TF_ImportGraphDefResultsReturnOperations(TF_ImportGraphDefResults *results,
                                              int *num_opers,
                                              TF_Operation ***opers) {
  *num_opers = static_cast<int>(results->operations.size());
  *opers = results->operations.data();
}

void TF_ImportGraphDefResultsMissingUnusedInputMappings(
    TF_ImportGraphDefResults *results, int *num_missing_unused_input_mappings,
    const char ***src_names, int **src_indexes) {
  *num_missing_unused_input_mappings =
      static_cast<int>(results->missingNames.size());
  *src_names = results->missingNames.data();
  *src_indexes = results->missingIndexes.data();
}

void TF_DeleteImportGraphDefResults(TF_ImportGraphDefResults *results) {
  delete results;
}
