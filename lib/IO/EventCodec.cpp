// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of event files, and runs, as messages.
#include "kiln/SessionOptions.h"
#include "lib/IO/Formats.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Event.pb.h"
#include "lib/IO/proto/RunMetadata.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <chrono>

namespace kiln {
namespace {

constexpr int maxDepth = 100;
constexpr int64_t nsPerUs = 1000;

Status setSummary(std::string_view bytes, std::set<std::string> &described,
                  proto::Summary &summary) {
  KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, summary));
  for (proto::Summary::Value &value : *summary.mutable_value())
    if (!described.insert(value.tag()).second)
      value.clear_metadata();
  return okStatus();
}

/// "name = nodes", as TensorFlow's timelines label what ran.
std::string labelOf(const RegionStats &region) {
  std::string label = strCat(region.name, " = Fused(");
  for (size_t i = 0; i < region.nodes.size(); ++i)
    label += strCat(i == 0 ? "" : ", ", region.nodes[i]);
  return label + ")";
}

void setTimes(int64_t startNs, int64_t ns, proto::NodeExecStats &stats) {
  stats.set_all_start_micros(startNs / nsPerUs);
  stats.set_op_end_rel_micros(ns / nsPerUs);
  stats.set_all_end_rel_micros(ns / nsPerUs);
  stats.set_scheduled_micros(startNs / nsPerUs);
  stats.set_all_start_nanos(startNs);
  stats.set_op_end_rel_nanos(ns);
  stats.set_all_end_rel_nanos(ns);
  stats.set_scheduled_nanos(startNs);
}

} // namespace

StatusOr<std::string> encodeEvent(const EventData &event,
                                  std::set<std::string> &described) {
  proto::Event message;
  message.set_wall_time(event.wallTime);
  message.set_step(event.step);
  switch (event.kind) {
  case EventData::FileVersion:
    message.set_file_version(event.bytes);
    message.mutable_source_metadata()->set_writer(
        "tensorflow.core.util.events_writer");
    break;
  case EventData::Graph:
    message.set_graph_def(event.bytes);
    break;
  case EventData::Summary:
    KILN_RETURN_IF_ERROR(
        setSummary(event.bytes, described, *message.mutable_summary()));
    break;
  case EventData::MetaGraph:
    message.set_meta_graph_def(event.bytes);
    break;
  case EventData::RunMetadata:
    message.mutable_tagged_run_metadata()->set_tag(event.tag);
    message.mutable_tagged_run_metadata()->set_run_metadata(event.bytes);
    break;
  case EventData::SessionLog: {
    proto::SessionLog &log = *message.mutable_session_log();
    log.set_status(
        static_cast<proto::SessionLog::SessionStatus>(event.log.status));
    log.set_checkpoint_path(event.log.checkpointPath);
    log.set_msg(event.log.message);
    break;
  }
  }
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<std::string>
encodeScalars(std::span<const std::pair<std::string, double>> values) {
  proto::Summary message;
  for (const auto &[tag, number] : values) {
    proto::Summary::Value &value = *message.add_value();
    value.set_tag(tag);
    value.set_simple_value(static_cast<float>(number));
  }
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<std::string> encodeSummaryMetadata(const std::string &plugin) {
  proto::SummaryMetadata message;
  message.mutable_plugin_data()->set_plugin_name(plugin);
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<std::string> toRunMetadata(const RunStats &stats) {
  using Clock = std::chrono::system_clock;
  auto nsOf = [](auto time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               time.time_since_epoch())
        .count();
  };
  // From the clock that stands in statistics to the time of day.
  const int64_t shift =
      nsOf(Clock::now()) - nsOf(std::chrono::steady_clock::now());
  proto::RunMetadata message;
  proto::DeviceStepStats &device =
      *message.mutable_step_stats()->add_dev_stats();
  device.set_device(std::string(localDevice));
  const auto thread = static_cast<uint32_t>(stats.thread);
  (*device.mutable_thread_names())[thread] = "caller";
  for (const RegionStats &region : stats.regions) {
    proto::NodeExecStats &node = *device.add_node_stats();
    node.set_node_name(region.nodes.empty() ? region.name
                                            : region.nodes.back());
    node.set_timeline_label(labelOf(region));
    node.set_thread_id(thread);
    setTimes(shift + region.startNs, region.ns, node);
  }
  return io::serialize(message, GraphDefFormat::Binary);
}

} // namespace kiln
