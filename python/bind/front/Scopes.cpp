// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes of graph construction as objects that are entered and left.
#include "kiln/Containers.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Modules.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// Something that holds until it is left. Entering it again, or leaving it
/// twice, is an error.
template <class Scope> class Held {
public:
  template <class... Arguments> void enter(Arguments &&...arguments) {
    if (scope)
      throw nb::value_error("the scope is entered already");
    Call call;
    scope = std::make_unique<Scope>(std::forward<Arguments>(arguments)...);
    try {
      call.finish();
    } catch (...) {
      scope.reset();
      throw;
    }
  }
  void leave() {
    Call call;
    scope.reset();
    call.finish();
  }
  const Scope &operator*() const { return *scope; }

private:
  std::unique_ptr<Scope> scope;
};

struct GraphScopeObject : Held<GraphScope> {};
struct NameScopeObject : Held<NameScope> {};
struct ControlScopeObject : Held<ControlScope> {};
struct DeviceScopeObject : Held<DeviceScope> {};
struct DeviceFunctionScopeObject : Held<DeviceFunctionScope> {};
struct ColocationScopeObject : Held<ColocationScope> {};
struct ContainerScopeObject : Held<ContainerScope> {};
struct AttributeScopeObject : Held<AttributeScope> {};
struct GradientOverrideObject : Held<GradientOverrideScope> {};

template <class Object>
nb::class_<Object> scopeClass(nb::module_ &module, const char *name) {
  return nb::class_<Object>(module, name)
      .def(nb::init<>())
      .def("leave", [](Object &self) { self.leave(); });
}

/// All control dependencies and the branch or loop taken away.
struct ClearedControls {
  ControlScope scope = ControlScope::none();
};
struct ClearedControlsObject : Held<ClearedControls> {};

} // namespace

void bindScopes(nb::module_ &module) {
  scopeClass<GraphScopeObject>(module, "GraphScope")
      .def("enter", [](GraphScopeObject &self, const GraphObject &graph) {
        self.enter(graph.builder);
      });
  scopeClass<NameScopeObject>(module, "NameScope")
      .def("enter", [](NameScopeObject &self, const GraphObject &graph,
                       const std::string &name) {
        self.enter(graph.builder, std::string_view(name));
        return (*self).name();
      });
  scopeClass<ControlScopeObject>(module, "ControlScope")
      .def("enter", [](ControlScopeObject &self, nb::handle inputs) {
        self.enter(from<std::vector<ControlInput>>(inputs.ptr()));
      });
  scopeClass<ClearedControlsObject>(module, "ClearedControls")
      .def("enter", [](ClearedControlsObject &self) { self.enter(); });
  scopeClass<DeviceScopeObject>(module, "DeviceScope")
      .def("enter", [](DeviceScopeObject &self, const std::string &device) {
        self.enter(std::string_view(device));
      });
  scopeClass<DeviceFunctionScopeObject>(module, "DeviceFunctionScope")
      .def("enter", [](DeviceFunctionScopeObject &self, nb::handle function) {
        Callback<std::string(const Node *)> callback{function};
        self.enter(DeviceFunction(
            [callback](const Node &node) { return callback(&node); }));
      });
  scopeClass<ColocationScopeObject>(module, "ColocationScope")
      .def("enter", [](ColocationScopeObject &self, nb::handle operation,
                       bool ignoresExisting) {
        self.enter(controlInputFrom(operation.ptr()), ignoresExisting);
      });
  scopeClass<ContainerScopeObject>(module, "ContainerScope")
      .def("enter", [](ContainerScopeObject &self, const GraphObject &graph,
                       const std::string &name) {
        self.enter(std::string_view(name), graph.builder);
      });
  scopeClass<AttributeScopeObject>(module, "AttributeScope")
      .def("enter", [](AttributeScopeObject &self, const nb::dict &attrs) {
        self.enter(attributesFrom(attrs.ptr()));
      });
  scopeClass<GradientOverrideObject>(module, "GradientOverrideScope")
      .def("enter", [](GradientOverrideObject &self, const nb::dict &map) {
        std::vector<std::pair<std::string, std::string>> pairs;
        for (auto [op, gradient] : map)
          pairs.emplace_back(textFrom(op.ptr()), textFrom(gradient.ptr()));
        self.enter(std::move(pairs));
      });
}

} // namespace kiln::python::front
