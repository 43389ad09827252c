// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node calls: bodies of library functions as graphs, checked when they
// are first used.
#ifndef KILN_LIB_OPDEFS_CALLEES_H
#define KILN_LIB_OPDEFS_CALLEES_H

#include "lib/Graph/Function.h"
#include "lib/OpDefs/OpDef.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kiln {

/// Calls may be nested this deep.
inline constexpr int maxCallDepth = 100;

/// What a node does with functions.
struct Call {
  enum class Kind : uint8_t {
    None,     ///< nothing
    Function, ///< runs bodies[0]
    If,       ///< runs bodies[0] or, where input 0 is false, bodies[1]
    Case,     ///< runs bodies[input 0], the last where there is none
    While,    ///< runs bodies[1] while bodies[0] gives true
    For,      ///< as While, if bodies[2] gives true; fails if not
  };
  Kind kind = Kind::None;
  std::vector<std::shared_ptr<const FunctionBody>> bodies = {};

  bool writesVariable() const;
  bool hasEffect() const;
};

/// Finds what a node calls, by its op's name or by its attributes; builds the
/// bodies that are new. **Errors**: NOT_FOUND for an op type that is neither
/// Kiln's nor a function's, and for a function that is not there;
/// INVALID_ARGUMENT for a malformed function, one that calls itself, and one
/// whose arguments are not the node's; RESOURCE_EXHAUSTED beyond maxCallDepth.
/// All with the node. **Thread safety**: any thread. **Cost**: that of building
/// a graph for each function and set of attributes that is new.
StatusOr<Call> findCall(const FunctionLibrary *library, const Node &node);

/// An attribute of the arguments of a pipeline's function that are datasets.
inline constexpr std::string_view datasetArgAttr = "_dataset";

/// The body of a function that a node names by an attribute and does not call
/// itself: of a pipeline, which runs it for its elements. `captured` has for
/// each of the last arguments that is a handle the node that declares what it
/// stands for; null for values. Such a node stands in the body in the
/// argument's place, under its own name. **Errors**: as findCall()'s, without
/// the node; INVALID_ARGUMENT where there are fewer arguments.
StatusOr<std::shared_ptr<const FunctionBody>>
findFunction(const FunctionLibrary *library, const NameAttrList &callee,
             std::span<const Node *const> captured);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_CALLEES_H
