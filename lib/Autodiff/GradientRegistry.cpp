// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of gradient functions.
#include "lib/Autodiff/GradientRegistry.h"

#include "lib/Autodiff/GradientCall.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

namespace kiln {

GradientRegistry &GradientRegistry::global() {
  static GradientRegistry *theRegistry = [] {
    auto *registry = new GradientRegistry();
    registerGradients(*registry);
    for (const OpFamily &family : opFamilies())
      for (const OpRecord &record : family.records)
        if (record.flags & stopsGradient)
          (void)registry->insert(record.name, {});
    return registry;
  }();
  return *theRegistry;
}

void GradientRegistry::add(std::initializer_list<std::string_view> types,
                           Function function) {
  for (std::string_view type : types)
    (void)insert(type, function);
}

Status GradientRegistry::insert(std::string_view type, Function function) {
  std::lock_guard lock(mutex);
  if (functions.contains(type))
    return alreadyExistsError(
        strCat("Registering two gradient with name '", type, "'!"));
  functions.emplace(type, std::move(function));
  return okStatus();
}

std::optional<GradientRegistry::Function>
GradientRegistry::find(std::string_view type) const {
  std::lock_guard lock(mutex);
  auto found = functions.find(type);
  if (found == functions.end())
    return std::nullopt;
  return found->second;
}

Status registerGradient(std::string_view type, GradientFunction function) {
  return GradientRegistry::global().insert(
      type, [function = std::move(function)](GradientCall &call) {
        call.setAll(function(call.node, call.outputGradients()));
      });
}

Status notDifferentiable(std::string_view type) {
  return GradientRegistry::global().insert(type, {});
}

GradientSupport gradientSupport(std::string_view type) {
  auto found = GradientRegistry::global().find(type);
  if (!found)
    return GradientSupport::Unknown;
  return *found ? GradientSupport::Differentiable
                : GradientSupport::NotDifferentiable;
}

} // namespace kiln
