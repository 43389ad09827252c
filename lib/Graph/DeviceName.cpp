// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses part by part, in any order.
#include "lib/Graph/DeviceName.h"

#include "kiln/SessionOptions.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>

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

DeviceName DeviceName::local() {
  // It parses.
  return *parse(localDevice);
}

/// Whether a part leaves it open, or is the one of `whole`.
static bool isOpenOr(const std::optional<std::string> &part,
                     const std::optional<std::string> &whole) {
  return !part || *part == "*" || part == whole;
}

bool DeviceName::isOfProcess() const {
  const DeviceName own = local();
  return isOpenOr(job, own.job) && isOpenOr(replica, own.replica) &&
         isOpenOr(task, own.task);
}

bool DeviceName::isLocal(int count) const {
  if (!isOfProcess() || !isOpenOr(type, local().type))
    return false;
  if (!index || *index == "*")
    return true;
  int number = 0;
  auto [end, error] =
      std::from_chars(index->data(), index->data() + index->size(), number);
  return error == std::errc() && end == index->data() + index->size() &&
         number < count;
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
