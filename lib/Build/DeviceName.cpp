// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device names.
#include "lib/Build/DeviceName.h"

#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

bool isNumber(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string upperCase(std::string_view text) {
  std::string upper(text);
  for (char &c : upper)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

} // namespace

StatusOr<DeviceName> DeviceName::parse(std::string_view text) {
  DeviceName name;
  const Status error = invalidArgumentError(
      strCat("Could not parse the device specification ", quote(text)));
  std::string_view rest = text;
  while (!rest.empty()) {
    if (rest.front() == '/')
      rest.remove_prefix(1);
    size_t end = std::min(rest.find('/'), rest.size());
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end);
    if (part.empty())
      continue;
    size_t colon = part.find(':');
    std::string_view key = part.substr(0, colon);
    std::string_view value = colon == std::string_view::npos
                                 ? std::string_view()
                                 : part.substr(colon + 1);
    if (value.empty() && colon != std::string_view::npos)
      return error;
    bool isAny = value == "*";
    if (key == "job" && !value.empty()) {
      name.job = value;
    } else if ((key == "replica" || key == "task") &&
               (isNumber(value) || isAny)) {
      (key == "task" ? name.task : name.replica) = value;
    } else if (key == "device" && !value.empty()) {
      size_t second = value.find(':');
      name.type = upperCase(value.substr(0, second));
      if (second != std::string_view::npos)
        name.index = value.substr(second + 1);
    } else if (key == "cpu" || key == "CPU" || key == "gpu" || key == "GPU") {
      name.type = upperCase(key);
      if (!value.empty())
        name.index = value;
    } else {
      return invalidArgumentError(strCat(
          "Unknown attribute ", quote(key),
          " is encountered while parsing the device spec: ", quote(text), "."));
    }
    if (name.index && !isNumber(*name.index) && *name.index != "*")
      return error;
  }
  return name;
}

DeviceName DeviceName::mergedInto(const DeviceName &outer) const {
  DeviceName merged = *this;
  for (auto part : {&DeviceName::job, &DeviceName::replica, &DeviceName::task,
                    &DeviceName::type, &DeviceName::index})
    if (!(merged.*part))
      merged.*part = outer.*part;
  return merged;
}

std::string DeviceName::toString() const {
  std::string text;
  auto append = [&](std::string_view key,
                    const std::optional<std::string> &value) {
    if (value)
      text += strCat("/", key, ":", *value);
  };
  append("job", job);
  append("replica", replica);
  append("task", task);
  if (type)
    text += strCat("/device:", *type, ":", index ? *index : "*");
  return text;
}

} // namespace kiln
