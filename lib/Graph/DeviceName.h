// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device names: read, merged and written as TensorFlow does.
#ifndef KILN_LIB_GRAPH_DEVICENAME_H
#define KILN_LIB_GRAPH_DEVICENAME_H

#include "kiln/Status.h"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// "/job:worker/replica:0/task:1/device:CPU:0", every part of which may be
/// missing; "*" stands for any.
struct DeviceName {
  std::optional<std::string> job, replica, task, type, index;

  /// Reads also the short form "/cpu:0". **Errors**: INVALID_ARGUMENT.
  static StatusOr<DeviceName> parse(std::string_view text);
  /// This one, with what it leaves open from `outer`.
  DeviceName mergedInto(const DeviceName &outer) const;
  /// What Kiln runs on: localDevice (kiln/SessionOptions.h), and as many more
  /// as the session says that there are.
  static DeviceName local();
  /// Whether a device of this process is meant, of whatever type and number.
  bool isOfProcess() const;
  /// Whether one of `count` CPUs of this process is meant.
  bool isLocal(int count) const;
  std::string toString() const;
  bool empty() const { return toString().empty(); }
};

} // namespace kiln

#endif // KILN_LIB_GRAPH_DEVICENAME_H
