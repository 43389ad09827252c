// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that are added to others.
#include "test/unit/errors/ErrorTable.h"

#include "kiln/GraphDef.h"
#include "kiln/ImportGraph.h"

namespace kiln::testing {
namespace {

const std::string constant =
    "node { name: 'a' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } "
    "} attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} "
    "float_val: 1 } } } } ";
const std::string negatedMissing =
    "node { name: 'b' op: 'Neg' input: 'missing' attr { key: 'T' value { type: "
    "DT_FLOAT } } } ";
const std::string both =
    constant + "node { name: 'b' op: 'Neg' input: 'a' attr { key: 'T' value { "
               "type: DT_FLOAT } } } ";

Status import(const std::string &text, const ImportGraphOptions &options = {}) {
  auto graph = loadGraphDef(text);
  if (!graph.ok())
    return graph.status();
  importGraphDef(**graph, options);
  return GraphBuilder::current().takeStatus();
}

} // namespace

std::vector<ErrorCase> importErrors() {
  return {
      {"imports/input_that_is_not_there",
       [] {
         return import(both, {.inputMap = {{"zz:0", ops::constant(1.0)}}});
       }},
      {"imports/tensor_that_is_not_there",
       [] { return import(both, {.returnElements = {"zz:0"}}); }},
      {"imports/operation_that_is_not_there",
       [] { return import(both, {.returnElements = {"zz"}}); }},
      {"imports/output_that_is_not_there",
       [] { return import(both, {.returnElements = {"a:1"}}); }},
      {"imports/input_of_another_dtype",
       [] { return import(both, {.inputMap = {{"a:0", ops::constant(1)}}}); }},
      // These two are said where the GraphDef is loaded.
      {"imports/unknown_input",
       [] { return import(negatedMissing); },
       {.words =
            "input 'missing' of node 'b': the operation 'missing' does not "
            "exist in the graph"}},
      {"imports/later_version",
       [] {
         return import(constant +
                       "versions { producer: 99999 min_consumer: 99999 }");
       },
       {.words = "GraphDef min consumer version 99999 above current version "
                 "2474 for Kiln.  Please upgrade Kiln."}},
      // Op types that are not known are errors of runs that reach them.
      {"imports/unknown_op",
       [] {
         if (Status status = import("node { name: 'n' op: 'Nope' }");
             !status.ok())
           return status;
         return (*makeSession())->run({}, {"import/n"}).status();
       },
       {.words = "Op type not registered 'Nope'"}},
      {"imports/twice",
       [] { return import(constant + constant); },
       {.code = StatusCode::AlreadyExists,
        .words = "a node with the name 'a' is in the graph already"}},
      {"imports/no_scope", [] { return import(constant, {.name = "a b"}); }},
  };
}

} // namespace kiln::testing
