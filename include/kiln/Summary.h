// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TensorBoard shows: summaries in the graph, and the files that they go
// to.
#ifndef KILN_SUMMARY_H
#define KILN_SUMMARY_H

#include "kiln/GraphBuilder.h"
#include "kiln/RunStats.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

struct MetaGraph;

namespace summary {

struct SummaryOptions {
  /// Nothing: "summaries".
  std::optional<std::vector<std::string>> collections = {};
  /// Stands before the tag; tabs of TensorBoard.
  std::string family = {};
  /// How many pictures or sounds are written.
  int maxOutputs = 3;
};

/// A serialized Summary message. Characters of the name that tags do not have
/// become "_"; the tag is the node's full name. **Source**: tf.summary.scalar.
KILN_EXPORT Output scalar(std::string_view name, const Input &tensor,
                          const SummaryOptions &options = {});
/// **Source**: tf.summary.histogram.
KILN_EXPORT Output histogram(std::string_view name, const Input &values,
                             const SummaryOptions &options = {});
/// **Shapes**: `pictures: [N, height, width, 1, 3 or 4]`. **Types**: uint8, or
/// floating numbers, which are scaled. **Source**: tf.summary.image.
KILN_EXPORT Output image(std::string_view name, const Input &pictures,
                         const SummaryOptions &options = {});
/// **Shapes**: `sounds: [N, frames]` or `[N, frames, channels]`, from -1 to 1.
/// **Source**: tf.summary.audio.
KILN_EXPORT Output audio(std::string_view name, const Input &sounds,
                         const Input &sampleRate,
                         const SummaryOptions &options = {});
/// **Types**: string. **Errors** of the graph: INVALID_ARGUMENT for another.
/// **Source**: tf.summary.text.
KILN_EXPORT Output text(std::string_view name, const Input &tensor,
                        const SummaryOptions &options = {});
/// A tensor of any type, with a serialized SummaryMetadata message that says
/// how it is to be shown. **Source**: tf.summary.tensor_summary.
KILN_EXPORT Output tensorSummary(std::string_view name, const Input &tensor,
                                 const std::string &metadata = {},
                                 const SummaryOptions &options = {});
/// One message of several. **Source**: tf.summary.merge.
KILN_EXPORT Output merge(const std::vector<Output> &summaries,
                         const std::vector<std::string> &collections = {},
                         std::string_view name = {});
/// One message of all in a collection; no node where there are none.
/// **Source**: tf.summary.merge_all.
KILN_EXPORT Output mergeAll(std::string_view key = keys::summaries,
                            std::string_view scope = {},
                            std::string_view name = {});

/// What a session says of itself. **Source**: SessionLog.
struct SessionLog {
  enum class Status { Unspecified, Start, Stop, Checkpoint };
  Status status = Status::Unspecified;
  std::string checkpointPath = {};
  std::string message = {};
};

struct FileWriterOptions {
  /// Events that wait before they are written.
  int maxQueue = 10;
  /// Events wait no longer than so many seconds, if others come.
  int flushSeconds = 120;
  std::string filenameSuffix = {};
};

/// Writes an event file, LOGDIR/events.out.tfevents.TIME.HOST, that TensorBoard
/// reads while it grows.
///
/// Invariants: (1) wherever the process ends, all records but the last one are
/// whole; (2) after a write that failed the file ends with a whole record.
/// Ownership: a handle; copies are the same file; the last one closes it.
/// Thread safety: all functions. **Source**: tf.summary.FileWriter.
class KILN_EXPORT FileWriter {
public:
  /// Makes the folder, and its parents, and a new file in it. **Errors**: those
  /// of the system.
  static StatusOr<FileWriter> create(const std::string &logdir,
                                     const FileWriterOptions &options = {});

  /// A Summary message, as a run gives it; the descriptions of its tags are
  /// written once. **Errors** of this and all below: INVALID_ARGUMENT for what
  /// is no message; those of the system; FAILED_PRECONDITION once closed.
  Status addSummary(std::string_view message, int64_t step = 0);
  Status addSummary(const Tensor &message, int64_t step = 0);
  /// Numbers of the program's own, by their tags: addScalars({{"reward", 1.5}},
  /// step). **Source**: tf.Summary.Value(tag=..., simple_value=...).
  Status addScalars(const std::vector<std::pair<std::string, double>> &values,
                    int64_t step = 0);
  /// The graph, with the shapes of all outputs, and what belongs to it.
  Status addGraph(const GraphBuilder &graph, int64_t step = 0,
                  bool hasMetaGraph = true);
  Status addMetaGraph(const MetaGraph &metaGraph, int64_t step = 0);
  /// What a run did, under a tag of its own. **Errors**: also INVALID_ARGUMENT
  /// for a tag that was there.
  Status addRunMetadata(const RunStats &stats, const std::string &tag,
                        int64_t step = 0);
  Status addSessionLog(const SessionLog &log, int64_t step = 0);
  /// An Event message as it is.
  Status addEvent(std::string_view message);

  Status flush();
  /// Idempotent.
  Status close();
  /// Goes on in a new file.
  Status reopen();
  const std::string &logdir() const;
  /// The file that is written now.
  std::string path() const;

private:
  struct KILN_HIDDEN Data;
  explicit FileWriter(std::shared_ptr<Data> data) : data(std::move(data)) {}
  std::shared_ptr<Data> data;
};

} // namespace summary

/// A run as a serialized RunMetadata message: for each fused region the time
/// that it took, under the name of its last node, with all of its nodes in the
/// label. It takes statistics with regions (RunOptions::regions). **Source**:
/// RunMetadata.
KILN_EXPORT StatusOr<std::string> toRunMetadata(const RunStats &stats);

} // namespace kiln

#endif // KILN_SUMMARY_H
