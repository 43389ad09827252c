// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds: what is fed, and what is not.
#include "test/unit/errors/ErrorTable.h"

namespace kiln::testing {
namespace {

struct Places {
  Output c = ops::constant(1.0, {.name = "c"});
  Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "x"});
  Output i = ops::placeholder(DType::Int32, {}, {.name = "i"});
  Output u = ops::placeholder(DType::UInt8, {}, {.name = "u"});
  Output b = ops::placeholder(DType::Bool, {}, {.name = "b"});
  Output s = ops::placeholder(DType::String, {}, {.name = "s"});
};

/// Feeds by name.
Status fedTo(const std::string &name, const std::string &fetch = "c:0") {
  Places places;
  return (*makeSession())
      ->run({{name, Tensor::scalar(1.0f)}}, {fetch})
      .status();
}

Status fed(Output Places::*place, const Input &value) {
  Places places;
  return fetch(**makeSession(), places.c, {{places.*place, value}}).status();
}

Status missing(DType dtype, const Shape &shape) {
  Output x = ops::placeholder(dtype, shape, {.name = "x"});
  return runOf(ops::identity(x));
}

Tensor zeros(const Shape &shape) {
  return *Tensor::zeros(DType::Float32, shape);
}

// A look-up that finds nothing stays NOT_FOUND, whatever it is for.
const Differs notFound{.code = StatusCode::NotFound};

} // namespace

std::vector<ErrorCase> feedErrors() {
  return {
      {"feeds/tensor_of_no_operation", [] { return fedTo("nope:0"); },
       notFound},
      {"feeds/output_that_is_not_there", [] { return fedTo("c:1"); }, notFound},
      {"feeds/operation", [] { return fedTo("c"); }},
      {"feeds/output_that_is_no_number", [] { return fedTo("c:x"); }},
      {"feeds/before_fetches", [] { return fedTo("nope:0", "nope:1"); },
       notFound},
      {"feeds/other_shape", [] { return fed(&Places::x, zeros({2, 4})); }},
      {"feeds/other_rank", [] { return fed(&Places::x, zeros({3})); }},
      {"feeds/constant_of_another_shape",
       [] { return fed(&Places::c, zeros({2})); }},
      {"feeds/integer_that_does_not_fit",
       [] { return fed(&Places::i, int64_t{1} << 40); }},
      {"feeds/negative_without_a_sign", [] { return fed(&Places::u, -1); }},
      {"feeds/integer_for_a_bool", [] { return fed(&Places::b, 3); }},
      {"feeds/integer_for_a_text", [] { return fed(&Places::s, 3); }},
      {"feeds/ragged", [] { return fed(&Places::x, {{1, 2}, {3}}); }},
      {"feeds/tensor_as_a_value",
       [] {
         Places places;
         return fetch(**makeSession(), places.c, {{places.c, places.c}})
             .status();
       }},
      {"feeds/tensor_of_another_graph",
       [] {
         GraphBuilder graph;
         GraphScope other(graph);
         Output foreign = ops::constant(1.0, {.name = "c2"});
         GraphBuilder mine;
         GraphScope here(mine);
         Places places;
         return fetch(**makeSession(), places.c, {{foreign, 1.0}}).status();
       }},
      {"feeds/missing", [] { return missing(DType::Float32, {-1, 3}); }},
      {"feeds/missing_of_unknown_rank",
       [] { return missing(DType::Float32, Shape::unknownRank()); }},
      {"feeds/missing_scalar", [] { return missing(DType::Int32, {}); }},
  };
}

} // namespace kiln::testing
