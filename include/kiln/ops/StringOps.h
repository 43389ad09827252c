// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts as TensorFlow's Python functions take them.
#ifndef KILN_OPS_STRINGOPS_H
#define KILN_OPS_STRINGOPS_H

#include "kiln/OpOptions.h"
#include "kiln/SparseTensor.h"

#include <optional>
#include <vector>

namespace kiln::ops {

struct StringSplitOptions {
  /// Each of its characters is one; nothing: a space.
  std::optional<Input> sep = {};
  bool skipEmpty = true;
  std::string name = {};
};
/// The parts of each text, a row each. **Source**: tf.string_split,
/// "StringSplit/StringSplit".
KILN_EXPORT SparseTensor stringSplit(const Input &source,
                                     const StringSplitOptions &options = {});
struct StringsSplitOptions {
  /// Nothing: any white space.
  std::optional<Input> sep = {};
  /// -1: no limit.
  int64_t maxsplit = -1;
  std::string name = {};
};
/// The same by Python's rules. **Errors** of the graph: UNIMPLEMENTED for texts
/// of more than one axis. **Source**: tf.strings.split,
/// "StringSplit/StringSplitV2".
KILN_EXPORT SparseTensor stringsSplit(const Input &input,
                                      const StringsSplitOptions &options = {});

struct ReduceJoinOptions {
  /// A number or a list of them; nothing: all axes.
  std::optional<Input> axis = {};
  bool keepDims = false;
  std::string separator = {};
  std::string name = {};
};
/// **Source**: tf.reduce_join, "ReduceJoin/ReduceJoin".
KILN_EXPORT Output reduceJoin(const Input &inputs,
                              const ReduceJoinOptions &options = {});

/// Whether the whole text matches; a pattern that is no tensor stands in the
/// op. **Source**: tf.strings.regex_full_match.
KILN_EXPORT Output regexFullMatch(const Input &input, const Input &pattern,
                                  const OpOptions &options = {});
struct RegexReplaceOptions {
  bool replaceGlobal = true;
  std::string name = {};
};
/// **Source**: tf.strings.regex_replace.
KILN_EXPORT Output regexReplace(const Input &input, const Input &pattern,
                                const Input &rewrite,
                                const RegexReplaceOptions &options = {});

struct StringFormatOptions {
  std::string placeholder = "{}";
  /// How many elements at the ends of each axis are shown.
  int64_t summarize = 3;
  std::string name = {};
};
/// The template with the tensors in place of what stands for them. **Errors**
/// of the graph: INVALID_ARGUMENT for another number of tensors. **Source**:
/// tf.strings.format, "StringFormat".
KILN_EXPORT Output stringFormat(const std::string &text,
                                const InputList &inputs,
                                const StringFormatOptions &options = {});

struct PrintLineOptions {
  /// "stderr", "stdout", "log(info)", "log(warning)", "log(error)", or
  /// "file://PATH".
  std::string outputStream = "stderr";
  std::string sep = " ";
  std::string end = "\n";
  int64_t summarize = 3;
  std::string name = {};
};
/// Prints texts and tensors, when a run comes by. **Source**: tf.print,
/// "PrintV2".
KILN_EXPORT const Node *printV2(const std::vector<TensorOrSparse> &inputs,
                                const PrintLineOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_STRINGOPS_H
