// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes of a saver.
#ifndef KILN_LIB_SAVE_SAVERNODES_H
#define KILN_LIB_SAVE_SAVERNODES_H

#include "kiln/Saver.h"

namespace kiln {

/// What is saved under a name: one variable, or parts of one, or something
/// else.
struct SavedItem {
  std::vector<Variable> parts = {};
  std::optional<SaveableObject> object = {};
};
using SaveablesByName = std::map<std::string, SavedItem>;

/// By the variables' own names. **Errors**: INVALID_ARGUMENT with TensorFlow's
/// texts. **Source**: saveable_object_util.op_list_to_dict.
StatusOr<SaveablesByName> byOwnNames(const std::vector<Saveable> &variables);
/// **Errors**: as byOwnNames().
StatusOr<SaveablesByName>
byGivenNames(const std::map<std::string, Saveable> &variables);

/// Adds the nodes. **Errors** of the graph. **Source**: BaseSaverBuilder.
SaverDef addSaverNodes(const SaveablesByName &variables,
                       const SaverOptions &options, const GraphBuilder &graph);

/// Adds what gives a variable a value of a checkpoint; shapes: the one that it
/// takes, or none. **Source**: VariableSaveable.restore.
const Node *addRestore(const Variable &variable, Output value,
                       const std::vector<Input> &shapes = {});

} // namespace kiln

#endif // KILN_LIB_SAVE_SAVERNODES_H
