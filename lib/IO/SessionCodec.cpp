// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of sessions and runs from their messages.
#include "kiln/Messages.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Session.pb.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>

namespace kiln {
namespace {

constexpr int maxDepth = 100;

/// **Edges**: 0 for no limit; the longest there is for what does not fit.
std::chrono::nanoseconds limitOf(int64_t milliseconds) {
  using std::chrono::nanoseconds;
  constexpr int64_t longest =
      std::chrono::floor<std::chrono::milliseconds>(nanoseconds::max()).count();
  return std::chrono::milliseconds(
      std::clamp<int64_t>(milliseconds, 0, longest));
}

SessionConfig configOf(const proto::ConfigProto &message) {
  SessionConfig config;
  config.options.threads = std::max(0, message.intra_op_parallelism_threads());
  config.options.softPlacement = message.allow_soft_placement();
  if (auto cpus = message.device_count().find("CPU");
      cpus != message.device_count().end())
    config.options.cpuDevices = std::max(1, cpus->second);
  config.operationTimeout = limitOf(message.operation_timeout_in_ms());
  return config;
}

} // namespace

StatusOr<SessionConfig> decodeConfigProto(std::string_view bytes) {
  return io::withoutExceptions<StatusOr<SessionConfig>>(
      "a ConfigProto", bytes.size(), [&]() -> StatusOr<SessionConfig> {
        proto::ConfigProto message;
        KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, message));
        return configOf(message);
      });
}

StatusOr<RunConfig> decodeRunOptions(std::string_view bytes) {
  return io::withoutExceptions<StatusOr<RunConfig>>(
      "RunOptions", bytes.size(), [&]() -> StatusOr<RunConfig> {
        proto::RunOptions message;
        KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, message));
        return RunConfig{.timeout = limitOf(message.timeout_in_ms()),
                         .isTraced = message.trace_level() != 0};
      });
}

} // namespace kiln
