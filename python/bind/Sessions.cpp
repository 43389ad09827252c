// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln.Session: runs, callables, and what else a session is asked.
#include "python/bind/Sessions.h"

#include "kiln/Listing.h"
#include "python/bind/Arrays.h"
#include "python/bind/CallableType.h"
#include "python/bind/Errors.h"
#include "python/bind/Gil.h"
#include "python/bind/Handles.h"
#include "python/bind/Interrupt.h"
#include "python/bind/Objects.h"
#include "python/bind/RunCache.h"
#include "python/bind/SessionOptions.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {
namespace {

namespace nb = nanobind;

/// Waits for runs, which may wait for the GIL. While Python ends they may not
/// get it any more, and the session goes with the process.
struct DestroySession {
  void operator()(Session *session) const {
    if (!Py_IsInitialized())
      return;
    ReleasedGil released;
    delete session;
  }
};

struct SessionHandle {
  GraphHandle graph;
  std::shared_ptr<Session> session;
  RunCache runs;
};

void initSession(SessionHandle *self, const GraphHandle &graph,
                 const nb::kwargs &arguments) {
  SessionOptions options = optionsFromPython(arguments);
  StatusOr<std::unique_ptr<Session>> made;
  {
    ReleasedGil released;
    made = Session::create(graph.graph, std::move(options));
  }
  std::shared_ptr<Session> session(check(std::move(made)).release(),
                                   DestroySession());
  new (self) SessionHandle{graph, std::move(session), {}};
}

/// The values of a feed_dict in its order, kept alive while they become
/// tensors, which may call anything.
struct FeedValues {
  explicit FeedValues(PyObject *dict) {
    PyObject *key, *value;
    for (Py_ssize_t at = 0; dict && PyDict_Next(dict, &at, &key, &value);) {
      Py_INCREF(value);
      values.push_back(value);
    }
  }
  ~FeedValues() {
    for (PyObject *value : values)
      Py_DECREF(value);
  }
  FeedValues(const FeedValues &) = delete;
  std::vector<PyObject *> values;
};

/// A dict, or nothing for None and an empty one.
nb::object feedDict(nb::handle feeds) {
  if (feeds.is_none())
    return {};
  if (PyDict_CheckExact(feeds.ptr()))
    return nb::borrow(feeds);
  return owned(PyObject_CallOneArg(reinterpret_cast<PyObject *>(&PyDict_Type),
                                   feeds.ptr()));
}

nb::object run(SessionHandle &self, nb::handle fetches, nb::handle feeds,
               nb::handle timeout, RunStats *stats, bool regions) {
  nb::object dict = feedDict(feeds);
  std::shared_ptr<BoundRun> bound =
      self.runs.find(*self.graph.graph, fetches.ptr(), dict.ptr());
  FeedValues values(dict.ptr());
  std::shared_ptr<Session> session = self.session;
  return owned(bound->run(*session, values.values,
                          secondsFromPython(timeout, {}), stats, regions));
}

/// As run(), for requests that remember() was told; NotImplemented for others.
nb::object runRemembered(SessionHandle &self, nb::handle fetches,
                         nb::handle feeds) {
  // What dict() would take beside dicts is an error of TensorFlow's.
  if (!feeds.is_none() && !PyDict_Check(feeds.ptr()))
    return nb::borrow(Py_NotImplemented);
  nb::object dict = feedDict(feeds);
  std::shared_ptr<BoundRun> bound = self.runs.lookUp(fetches.ptr(), dict.ptr());
  if (!bound)
    return nb::borrow(Py_NotImplemented);
  FeedValues values(dict.ptr());
  std::shared_ptr<Session> session = self.session;
  return owned(bound->run(*session, values.values));
}

void remember(SessionHandle &self, nb::handle fetches, nb::handle feeds) {
  nb::object dict = feedDict(feeds);
  self.runs.find(*self.graph.graph, fetches.ptr(), dict.ptr());
}

nb::object makeCallableWith(SessionHandle &self, nb::handle fetches,
                            nb::handle feeds, nb::object instead) {
  std::vector<TensorId> ids;
  if (!feeds.is_none())
    for (nb::handle feed : feeds)
      ids.push_back(tensorIdFromPython(feed, self.runs.names));
  auto bound = std::make_unique<BoundRun>(*self.graph.graph, fetches,
                                          std::move(ids), self.runs.names);
  bound->bind(*self.session);
  return makeCallable(self.session, std::move(bound), std::move(instead));
}

nb::object makeCallableOf(SessionHandle &self, nb::handle fetches,
                          nb::handle feeds) {
  return makeCallableWith(self, fetches, feeds, nb::none());
}

/// A shape (None: not known), or a value.
FeedInfo feedInfo(nb::handle key, nb::handle value) {
  FeedInfo info{tensorIdFromPython(key)};
  if (PyTuple_Check(value.ptr()) || PyList_Check(value.ptr())) {
    std::vector<int64_t> dims;
    for (nb::handle dim : value)
      dims.push_back(dim.is_none() ? Shape::unknownDim
                                   : nb::cast<int64_t>(dim));
    info.shape = check(Shape::fromDims(dims));
  } else if (!value.is_none()) {
    info.value = tensorFromPython(value.ptr(), DType::Invalid);
    info.shape = info.value.shape();
  }
  return info;
}

struct Signature {
  Signature(const Graph &graph, nb::handle structure, nb::handle dict) {
    FetchTree tree(structure, fetches);
    if (dict.is_none())
      for (const Output &placeholder : listGraph(graph).placeholders)
        feeds.push_back({placeholder});
    else if (nb::object items = feedDict(dict); items.is_valid())
      for (auto [key, value] : nb::borrow<nb::dict>(items))
        feeds.push_back(feedInfo(key, value));
  }
  std::vector<Fetch> fetches;
  std::vector<FeedInfo> feeds;
};

/// For what takes long enough that a thread does not matter.
int64_t longNs = std::numeric_limits<int64_t>::max();

void prepare(SessionHandle &self, nb::handle fetches, nb::handle feeds,
             nb::handle timeout, RunStats *stats) {
  Signature signature(*self.graph.graph, fetches, feeds);
  auto limit = secondsFromPython(timeout, {});
  auto work = [&](Cancellation *cancel) {
    return self.session->prepare(signature.feeds, signature.fetches, {}, stats,
                                 {.timeout = limit, .cancel = cancel});
  };
  int64_t last = longNs;
  check(runInterruptibly(work, last));
}

std::string explain(SessionHandle &self, nb::handle fetches, nb::handle feeds,
                    const std::string &stage, nb::handle folder) {
  Signature signature(*self.graph.graph, fetches, feeds);
  ExplainOptions options{.stopAfter = stage};
  if (!folder.is_none())
    options.dumpDirectory = nb::cast<std::filesystem::path>(folder).string();
  StatusOr<std::string> text;
  {
    ReleasedGil released;
    text =
        self.session->explain(signature.feeds, signature.fetches, {}, options);
  }
  return check(std::move(text));
}

std::string partialRunSetup(SessionHandle &self, nb::handle fetches,
                            nb::handle feeds) {
  std::vector<Fetch> flat;
  FetchTree tree(fetches, flat);
  std::vector<TensorId> ids;
  if (!feeds.is_none())
    for (nb::handle feed : feeds)
      ids.push_back(tensorIdFromPython(feed));
  StatusOr<std::string> handle;
  {
    ReleasedGil released;
    handle = self.session->partialRunSetup(ids, flat);
  }
  return check(std::move(handle));
}

TensorId fetchedTensor(const Fetch &fetch) {
  if (const auto *name = std::get_if<std::string>(&fetch))
    return *name;
  if (const auto *output = std::get_if<Output>(&fetch))
    return *output;
  throw nb::type_error("expected tensors to fetch from a partial run, got an "
                       "operation");
}

nb::object partialRun(SessionHandle &self, const std::string &handle,
                      nb::handle fetches, nb::handle feeds) {
  std::vector<Fetch> flat;
  FetchTree tree(fetches, flat);
  std::vector<TensorId> tensors;
  for (const Fetch &fetch : flat)
    tensors.push_back(fetchedTensor(fetch));
  std::vector<Feed> given;
  nb::object dict = feedDict(feeds);
  if (dict.is_valid())
    for (auto [key, value] : nb::borrow<nb::dict>(dict)) {
      TensorId id = tensorIdFromPython(key);
      Tensor tensor =
          tensorFromPython(value.ptr(), feedDType(*self.graph.graph, id));
      given.push_back({std::move(id), std::move(tensor)});
    }
  std::vector<Tensor> results;
  auto work = [&](Cancellation *cancel) {
    StatusOr<std::vector<Tensor>> made =
        self.session->partialRun(handle, given, tensors, {.cancel = cancel});
    if (made.ok())
      results = *std::move(made);
    return std::move(made).status();
  };
  int64_t last = longNs;
  check(runInterruptibly(work, last));
  return owned(buildResults(tree, results));
}

void close(SessionHandle &self) {
  if (!Py_IsInitialized())
    return; // as DestroySession
  {
    ReleasedGil released;
    self.session->close();
  }
  self.runs.clear();
}

constexpr char sessionDoc[] =
    R"(Runs parts of a graph and keeps the variables that they read and write.

    with kiln.Session(graph) as session:
        session.run(graph.initializers)
        loss = session.run("mse:0", {"X:0": rows, "y:0": labels})

What is asked for the first time is compiled, or answered by Kiln's evaluator
while native code is made. Any number of threads may run at once. A run is atomic:
others see all of its assignments or none.

Options: mode ("auto", "native", "evaluator"), tiering, tiering_share (native code
is made once runs have lost so much of what compiling takes; 0: behind the second
run), threads, cache_bytes,
disk_cache (a folder of your own, mode 0700, where compiled code is kept for later
processes; None: none; by default KILN_CACHE from the environment, which may be
"off", or ~/.cache/kiln), disk_cache_bytes, resources (a
ResourceManager that sessions share), soft_placement (a node whose device is not
there runs all the same), cpu_devices; to look into runs: regions, perf_map, gdb;
limits: max_nodes, max_ops, max_run_bytes, max_compile_seconds, max_code_bytes;
what code is made for: )"
#define KILN_CODE_OPTION(type, name, value, python) #python ", "
#include "kiln/CodeOptions.def"
    "as CodeOptions of the C++ library.";

constexpr char runDoc[] =
    R"(Runs what the fetches need and returns their values in the same structure.

fetches: a tensor's name ("mse:0"), an operation's name ("train_op", whose value
is None), a kiln.Tensor, a kiln.Operation, or lists, tuples, named tuples and
dicts of them, nested as you like.
feed_dict: values by tensor. A NumPy array of the tensor's type, in row-major
order, is not copied; other values become arrays as numpy.asarray() makes them.
timeout: seconds; DeadlineExceededError after so long.
stats: a RunStats to be filled in. regions: with its fused regions, though the
session was not made with regions=True; the first such run compiles the request
once more.

Results are NumPy arrays on Kiln's memory, scalars as NumPy's scalars, strings as
bytes. Nothing else writes them. Errors are those of kiln.errors; Ctrl-C ends a
run.)";

constexpr char prepareDoc[] =
    R"(Compiles to native code without running.

feeds: for each tensor that will be fed a shape (None for what is not known), or
a value where the code depends on it. None: the placeholders, as the graph has
them.)";

constexpr char explainDoc[] =
    R"(Compiles apart and returns the text after a stage of the compiler.

stage: one of Session.compile_stages(): "plan", "import" ... "llvm-ir", "assembly".
feeds: as of prepare(). dump_directory: where all stages are written as files.)";

} // namespace

using SessionClass = nb::class_<SessionHandle>;

static void addRuns(SessionClass &type) {
  type.def("__init__", &initSession, nb::arg("graph"), nb::arg("options"),
           nb::sig("def __init__(self, graph: Graph, **options) -> None"))
      .def("run", &run, nb::arg("fetches"),
           nb::arg("feed_dict").none() = nb::none(), nb::kw_only(),
           nb::arg("timeout").none() = nb::none(),
           nb::arg("stats").none() = nb::none(), nb::arg("regions") = false,
           nb::sig("def run(self, fetches: Fetches, feed_dict: FeedDict | None "
                   "= None, *, timeout: float | None = None, stats: RunStats | "
                   "None = None, regions: bool = False) -> typing.Any"),
           runDoc)
      .def(
          "make_callable", &makeCallableOf, nb::arg("fetches"),
          nb::arg("feed_list").none() = nb::none(),
          nb::sig("def make_callable(self, fetches: Fetches, feed_list: "
                  "Sequence[str | Tensor] | None = None) -> Callable"),
          "Binds a request, for calls that cost next to nothing: the result is "
          "called with\nthe values of feed_list in order.")
      .def(
          "prepare", &prepare, nb::arg("fetches"),
          nb::arg("feeds").none() = nb::none(), nb::kw_only(),
          nb::arg("timeout").none() = nb::none(),
          nb::arg("stats").none() = nb::none(),
          nb::sig("def prepare(self, fetches: Fetches, feeds: FeedInfos | None "
                  "= None, *, timeout: float | None = None, stats: RunStats | "
                  "None = None) -> None"),
          prepareDoc)
      .def(
          "explain", &explain, nb::arg("fetches"),
          nb::arg("feeds").none() = nb::none(), nb::kw_only(),
          nb::arg("stage") = "", nb::arg("dump_directory").none() = nb::none(),
          nb::sig("def explain(self, fetches: Fetches, feeds: FeedInfos | None "
                  "= None, *, stage: str = '', dump_directory: "
                  "str | os.PathLike | None = None) -> str"),
          explainDoc);
}

/// Runs in steps, and those of kiln.tensorflow.
static void addOtherRuns(SessionClass &type) {
  type.def("partial_run_setup", &partialRunSetup, nb::arg("fetches"),
           nb::arg("feeds").none() = nb::none(),
           nb::sig("def partial_run_setup(self, fetches: Fetches, feeds: "
                   "Sequence[str | Tensor] | None = None) -> str"),
           "Begins a run whose feeds come later, and returns its handle.")
      .def("partial_run", &partialRun, nb::arg("handle"), nb::arg("fetches"),
           nb::arg("feed_dict").none() = nb::none(),
           nb::sig("def partial_run(self, handle: str, fetches: Fetches, "
                   "feed_dict: FeedDict | None = None) -> typing.Any"),
           "Feeds a part of a run and returns what it then gives.")
      // For kiln.tensorflow and kiln.compat, whose objects stand for names.
      .def("_set_names",
           [](SessionHandle &self, nb::object names) {
             self.runs.names = std::move(names);
           })
      .def("_remember", &remember, nb::arg("fetches"), nb::arg("feeds").none())
      .def("_run_remembered", &runRemembered, nb::arg("fetches").none(),
           nb::arg("feeds").none())
      .def("_make_callable", &makeCallableWith, nb::arg("fetches"),
           nb::arg("feed_list"), nb::arg("instead"));
}

static void addState(SessionClass &type) {
  type.def(
          "close", &close,
          "Ends the session: its runs are cancelled and waited for; later ones "
          "fail with\nFailedPreconditionError.")
      .def("__enter__", [](nb::object self) { return self; })
      .def("__exit__", [](SessionHandle &self, nb::args) { close(self); })
      .def_prop_ro("graph",
                   [](const SessionHandle &self) { return self.graph; })
      .def_prop_ro(
          "closed",
          [](const SessionHandle &self) { return self.session->isClosed(); })
      .def_prop_ro(
          "stats",
          [](const SessionHandle &self) { return self.session->stats(); })
      .def_static("compile_stages", &Session::compileStages,
                  "The stages of explain(), in order.")
      .def_static(
          "reset",
          [](ResourceManager &resources,
             const std::vector<std::string> &containers) {
            Status status;
            {
              ReleasedGil released;
              status = Session::reset(resources, containers);
            }
            check(status);
          },
          nb::arg("resources"),
          nb::arg("containers") = std::vector<std::string>(),
          "Clears containers of shared resources and ends the sessions that "
          "use "
          "them.");
}

void bindSession(nb::module_ &module) {
  module.attr("_local_device") = std::string(localDevice);
  module.def("_session_options", optionsFromConfig, nb::arg("config"),
             "What the bytes of a ConfigProto say, by the names of Session's "
             "arguments.");
  nb::class_<ResourceManager>(
      module, "ResourceManager",
      "Variables and queues that sessions share: Session(graph, "
      "resources=manager).\n\nThey are known by container and name, and "
      "outlive the sessions.")
      .def(nb::init<>());

  SessionClass type(module, "Session", sessionDoc);
  addRuns(type);
  addOtherRuns(type);
  addState(type);
}

} // namespace kiln::python
