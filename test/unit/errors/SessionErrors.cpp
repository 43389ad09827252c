// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Default graphs and sessions, fetches, callables and partial runs.
#include "test/unit/errors/ErrorTable.h"

namespace kiln::testing {
namespace {

std::shared_ptr<Session> sessionOfAnotherGraph() {
  GraphScope other{GraphBuilder()};
  return *makeSession();
}

/// Fetches in a graph with one constant, "c".
Status fetched(const Fetch &what) {
  ops::constant(1.0, {.name = "c"});
  return (*makeSession())->run({}, {what}).status();
}

// A look-up that finds nothing stays NOT_FOUND, whatever it is for.
const Differs notFound{.code = StatusCode::NotFound};

/// A partial run of sum = a + b and a copy of a.
struct Partial {
  Partial() {
    Output a = ops::placeholder(DType::Float32, {}, {.name = "a"});
    Output b = ops::placeholder(DType::Float32, {}, {.name = "b"});
    ops::add(a, b, {.name = "sum"});
    ops::identity(a, {.name = "d"});
    session = *makeSession();
  }
  std::string begin(const std::vector<TensorId> &feeds,
                    const std::vector<Fetch> &fetches) {
    return *session->partialRunSetup(feeds, fetches);
  }
  Status go(const std::string &handle, const std::vector<std::string> &feeds,
            const std::string &fetch) {
    std::vector<Feed> fed;
    for (const std::string &feed : feeds)
      fed.push_back({feed, Tensor::scalar(1.0f)});
    return session->partialRun(handle, fed, {fetch}).status();
  }
  std::shared_ptr<Session> session;
};

Status called(const std::vector<TensorId> &feeds,
              const std::vector<Tensor> &values) {
  Output x = ops::placeholder(DType::Float32, {}, {.name = "x"});
  Output y = ops::placeholder(DType::Float32, {}, {.name = "y"});
  Output sum = feeds.size() == 2 ? x + y : x + 1.0;
  auto session = *makeSession();
  auto callable = session->makeCallable(feeds, {sum});
  if (!callable.ok())
    return callable.status();
  std::vector<Tensor> results(1);
  return (*callable)(values, results);
}

} // namespace

std::vector<ErrorCase> sessionErrors() {
  return {
      // TensorFlow's words name Python's class.
      {"graphs/scopes_out_of_order",
       [] {
         GraphBuilder one, two;
         auto first = std::make_unique<GraphScope>(one);
         auto second = std::make_unique<GraphScope>(two);
         first.reset();
         second.reset();
         return one.takeStatus();
       },
       {.words = "Nesting violated for default stack of graphs"}},
      {"graphs/reset_inside_of_one", [] { resetDefaultGraph(); }},
      {"graphs/finalized",
       [] {
         GraphBuilder::current().finalize();
         ops::constant(1);
       }},
      {"sessions/eval_without_one",
       [] { return eval(ops::constant(1)).status(); },
       {.code = StatusCode::FailedPrecondition}},
      {"sessions/run_without_one",
       [] { return run(rawOps::noOp()); },
       {.code = StatusCode::FailedPrecondition}},
      {"sessions/eval_in_another_graphs",
       [] {
         SessionScope scope(sessionOfAnotherGraph());
         return eval(ops::constant(1)).status();
       },
       {.code = StatusCode::FailedPrecondition}},
      {"sessions/run_in_another_graphs",
       [] {
         SessionScope scope(sessionOfAnotherGraph());
         return run(rawOps::noOp());
       },
       {.code = StatusCode::FailedPrecondition}},
      {"sessions/empty_graph",
       [] { return (*makeSession())->run({}, {"c:0"}).status(); }},
      {"sessions/closed",
       [] {
         Output c = ops::constant(1);
         auto session = *makeSession();
         session->close();
         session->close();
         return fetch(*session, c).status();
       }},
      {"fetches/tensor_of_no_operation", [] { return fetched("nope:0"); },
       notFound},
      {"fetches/output_that_is_not_there", [] { return fetched("c:1"); },
       notFound},
      {"fetches/operation_that_is_not_there", [] { return fetched("nope"); },
       notFound},
      {"fetches/output_that_is_no_number", [] { return fetched("c:x"); }},
      {"fetches/tensor_of_another_graph",
       [] {
         GraphBuilder graph;
         GraphScope other(graph);
         Output c = ops::constant(1.0, {.name = "c2"});
         GraphBuilder mine;
         GraphScope here(mine);
         return fetched(c);
       }},
      // TensorFlow prints the whole node.
      {"fetches/operation_of_another_graph",
       [] {
         GraphBuilder graph;
         GraphScope other(graph);
         const Node *node = rawOps::noOp({.name = "n2"});
         GraphBuilder mine;
         GraphScope here(mine);
         return fetched(node);
       },
       {.words = "Argument `fetch` = n2 cannot be interpreted as an "
                 "Operation. (Operation n2 is not an element of this graph.)"}},
      {"callables/too_few",
       [] { return called({"x:0", "y:0"}, {Tensor::scalar(1.0f)}); }},
      // With the tensor's name, as of any feed.
      {"callables/other_dtype",
       [] { return called({"x:0"}, {Tensor::scalar(1.0)}); },
       {.words = "Cannot feed value of dtype float64 for Tensor x:0, which has "
                 "dtype float32"}},
      {"partial_runs/operation",
       [] {
         Partial run;
         return run.go(run.begin({"a:0", "b:0"}, {"sum:0", "sum"}),
                       {"a:0", "b:0"}, "sum");
       },
       // TensorFlow prints Python's list.
       {.code = StatusCode::InvalidArgument,
        .words =
            "expected tensors to fetch in a partial run, got an operation"}},
      {"partial_runs/over",
       [] {
         Partial run;
         std::string handle = run.begin({"a:0", "b:0"}, {"sum:0"});
         (void)run.go(handle, {"a:0", "b:0"}, "sum:0");
         return run.go(handle, {"a:0", "b:0"}, "sum:0");
       }},
      {"partial_runs/fed_before_it_is_set_up",
       [] {
         Partial run;
         return run.go(run.begin({"a:0"}, {"sum:0"}), {"a:0", "b:0"}, "sum:0");
       }},
      {"partial_runs/fetched_before_it_is_set_up",
       [] {
         Partial run;
         return run.go(run.begin({"a:0", "b:0"}, {"sum:0"}), {"a:0"}, "b:0");
       }},
      {"partial_runs/feed_twice",
       [] {
         Partial run;
         std::string handle = run.begin({"a:0", "b:0"}, {"sum:0", "d:0"});
         (void)run.go(handle, {"a:0"}, "d:0");
         return run.go(handle, {"a:0", "b:0"}, "sum:0");
       }},
      {"partial_runs/nothing",
       [] { return Partial().session->partialRunSetup({"a:0"}, {}).status(); }},
  };
}

} // namespace kiln::testing
