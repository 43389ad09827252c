// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line an option: its Python name and where it goes.
#include "python/bind/SessionOptions.h"

#include "kiln/Messages.h"
#include "kiln/ResourceManager.h"
#include "python/bind/Errors.h"
#include "python/bind/Objects.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <map>

namespace kiln::python {
namespace {

namespace nb = nanobind;

using Setter = void (*)(SessionOptions &, nb::handle);

void setMode(SessionOptions &options, nb::handle value) {
  auto mode = nb::cast<std::string>(value);
  if (mode == "auto")
    options.mode = ExecutionMode::Auto;
  else if (mode == "native")
    options.mode = ExecutionMode::NativeOnly;
  else if (mode == "evaluator")
    options.mode = ExecutionMode::EvaluatorOnly;
  else
    throw nb::value_error(("expected mode \"auto\", \"native\" or "
                           "\"evaluator\", got \"" +
                           mode + "\"")
                              .c_str());
}

void setDiskCache(SessionOptions &options, nb::handle value) {
  options.diskCache.isRequired = true;
  options.diskCache.folder =
      value.is_none() ? std::string()
                      : nb::cast<std::filesystem::path>(value).string();
}

void setResources(SessionOptions &options, nb::handle value) {
  if (!value.is_none())
    options.resources = nb::cast<std::shared_ptr<ResourceManager>>(value);
}

void setCompileTime(SessionOptions &options, nb::handle value) {
  options.limits.maxCompileTime = secondsFromPython(value, {});
}

template <auto member> void set(SessionOptions &options, nb::handle value) {
  auto &field = options.*member;
  field = nb::cast<std::remove_reference_t<decltype(field)>>(value);
}

/// As set(), of a struct in the options.
template <auto part, auto member>
void setIn(SessionOptions &options, nb::handle value) {
  auto &field = options.*part.*member;
  field = nb::cast<std::remove_reference_t<decltype(field)>>(value);
}

using Options = SessionOptions;

const std::map<std::string_view, Setter> setters = {
#define KILN_CODE_OPTION(type, name, value, python)                            \
  {#python, setIn<&Options::code, &CodeOptions::name>},
#include "kiln/CodeOptions.def"
    {"cache_bytes", set<&Options::cacheBytes>},
    {"cpu_devices", set<&Options::cpuDevices>},
    {"disk_cache", setDiskCache},
    {"disk_cache_bytes",
     setIn<&Options::diskCache, &DiskCacheOptions::maxBytes>},
    {"gdb", setIn<&Options::inspect, &InspectOptions::gdb>},
    {"max_code_bytes", setIn<&Options::limits, &SessionLimits::maxCodeBytes>},
    {"max_compile_seconds", setCompileTime},
    {"max_nodes", setIn<&Options::limits, &SessionLimits::maxNodes>},
    {"max_ops", setIn<&Options::limits, &SessionLimits::maxOps>},
    {"max_run_bytes", setIn<&Options::limits, &SessionLimits::maxRunBytes>},
    {"mode", setMode},
    {"perf_map", setIn<&Options::inspect, &InspectOptions::perfMap>},
    {"regions", setIn<&Options::inspect, &InspectOptions::regions>},
    {"resources", setResources},
    {"soft_placement", set<&Options::softPlacement>},
    {"threads", set<&Options::threads>},
    {"tiering", set<&Options::tiering>},
    {"tiering_share", set<&Options::tieringShare>},
};

} // namespace

std::chrono::nanoseconds secondsFromPython(nb::handle seconds,
                                           std::chrono::nanoseconds none) {
  if (seconds.is_none())
    return none;
  double value = PyFloat_AsDouble(seconds.ptr());
  if (value == -1 && PyErr_Occurred())
    throw nb::python_error();
  // A century: far from what 64 bits of nanoseconds hold.
  if (!(std::abs(value) < 3.2e9))
    throw nb::value_error("expected seconds below a century");
  return std::chrono::nanoseconds(static_cast<int64_t>(value * 1e9));
}

SessionOptions optionsFromPython(const nb::kwargs &arguments) {
  SessionOptions options;
  options.diskCache = DiskCacheOptions::ofUser();
  for (auto [key, value] : arguments) {
    std::string name(utf8(key.ptr()));
    auto found = setters.find(name);
    if (found == setters.end())
      throw nb::type_error(
          ("expected an option of kiln.Session, got '" + name + "'").c_str());
    try {
      found->second(options, value);
    } catch (const nb::cast_error &) {
      throw nb::type_error(
          ("option '" + name + "' does not take a " + typeName(value.ptr()))
              .c_str());
    }
  }
  return options;
}

nb::dict optionsFromConfig(const nb::bytes &config) {
  const SessionConfig decoded =
      check(decodeConfigProto({config.c_str(), config.size()}));
  nb::dict options;
  options["soft_placement"] = decoded.options.softPlacement;
  options["cpu_devices"] = decoded.options.cpuDevices;
  if (decoded.options.threads != 0)
    options["threads"] = decoded.options.threads;
  return options;
}

} // namespace kiln::python
