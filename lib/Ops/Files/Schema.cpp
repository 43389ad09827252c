// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Files: files as a whole, and readers of their records, which
// keep their place in the session. Host kernels compute them, and runs are cut
// at them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Files/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"ReadFile", "filename: string", "contents: string", "",
     "What a file holds.", inferFileScalar, stateful | cutsRun},
    {"WriteFile", "filename: string, contents: string", "", "",
     "Makes a file, and its folder where there is none.", inferFileNothing,
     stateful | cutsRun},
    {"MatchingFiles", "pattern: string", "filenames: string", "",
     "The files whose paths match a pattern, or one of several, in order.",
     inferMatchingFiles, stateful | cutsRun},
    {"RecordInput", "", "records: string",
     "file_pattern: string; file_random_seed: int = 301; "
     "file_shuffle_shift_ratio: float = 0; file_buffer_size: int = 10000; "
     "file_parallelism: int = 16; batch_size: int = 32; compression_type: "
     "string =",
     "Shuffled records of TFRecord files, epoch after epoch.", inferRecordInput,
     stateful | cutsRun},
    {"WholeFileReaderV2", "", "reader_handle: resource",
     "container: string =; shared_name: string =",
     "A reader whose records are whole files.", inferReader, stateful},
    {"WholeFileReader", "", "reader_handle: Ref(string)",
     "container: string =; shared_name: string =",
     "WholeFileReaderV2 by reference.", inferReader, stateful | stopsGradient},
    {"TextLineReaderV2", "", "reader_handle: resource",
     "skip_header_lines: int = 0; container: string =; shared_name: string =",
     "A reader whose records are lines.", inferReader, stateful},
    {"TextLineReader", "", "reader_handle: Ref(string)",
     "skip_header_lines: int = 0; container: string =; shared_name: string =",
     "TextLineReaderV2 by reference.", inferReader, stateful | stopsGradient},
    {"FixedLengthRecordReaderV2", "", "reader_handle: resource",
     "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; "
     "hop_bytes: int = 0; container: string =; shared_name: string =; "
     "encoding: string =",
     "A reader whose records have one length.", inferReader, stateful},
    {"FixedLengthRecordReader", "", "reader_handle: Ref(string)",
     "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; "
     "hop_bytes: int = 0; container: string =; shared_name: string =",
     "FixedLengthRecordReaderV2 by reference, of plain files.", inferReader,
     stateful | stopsGradient},
    {"TFRecordReaderV2", "", "reader_handle: resource",
     "container: string =; shared_name: string =; compression_type: string =",
     "A reader whose records are those of TFRecord files, with checksums.",
     inferReader, stateful},
    {"TFRecordReader", "", "reader_handle: Ref(string)",
     "container: string =; shared_name: string =; compression_type: string =",
     "TFRecordReaderV2 by reference.", inferReader, stateful | stopsGradient},
    {"IdentityReaderV2", "", "reader_handle: resource",
     "container: string =; shared_name: string =",
     "A reader whose records are what the queue gives.", inferReader, stateful},
    {"IdentityReader", "", "reader_handle: Ref(string)",
     "container: string =; shared_name: string =",
     "IdentityReaderV2 by reference.", inferReader, stateful | stopsGradient},
    {"ReaderReadV2", "reader_handle: resource, queue_handle: resource",
     "key: string, value: string", "",
     "The next record; takes the next file from the queue where one has ended, "
     "and waits for it.",
     inferFileScalar, stateful | cutsRun},
    {"ReaderReadUpToV2",
     "reader_handle: resource, queue_handle: resource, num_records: int64",
     "keys: string, values: string", "",
     "The next records of one file, as many as are asked for or are left.",
     inferReadUpTo, stateful | cutsRun},
    {"ReaderNumRecordsProducedV2", "reader_handle: resource",
     "records_produced: int64", "", "The number of records that were read.",
     inferFileScalar, stateful | cutsRun},
    {"ReaderNumWorkUnitsCompletedV2", "reader_handle: resource",
     "units_completed: int64", "", "The number of files that have ended.",
     inferFileScalar, stateful | cutsRun},
    {"ReaderSerializeStateV2", "reader_handle: resource", "state: string", "",
     "Where the reader is, as a message.", inferFileScalar, stateful | cutsRun},
    {"ReaderRestoreStateV2", "reader_handle: resource, state: string", "", "",
     "Puts a reader where it was.", inferFileNothing, stateful | cutsRun},
    {"ReaderResetV2", "reader_handle: resource", "", "",
     "Puts a reader where it began.", inferFileNothing, stateful | cutsRun},
    {"ReaderRead", "reader_handle: Ref(string), queue_handle: Ref(string)",
     "key: string, value: string", "",
     "The next record; takes the next file from the queue where one has ended, "
     "and waits for it, by reference.",
     inferFileScalar, stateful | cutsRun | stopsGradient},
    {"ReaderReadUpTo",
     "reader_handle: Ref(string), queue_handle: Ref(string), num_records: "
     "int64",
     "keys: string, values: string", "",
     "The next records of one file, as many as are asked for or are left, by "
     "reference.",
     inferReadUpTo, stateful | cutsRun | stopsGradient},
    {"ReaderNumRecordsProduced", "reader_handle: Ref(string)",
     "records_produced: int64", "",
     "The number of records that were read, by reference.", inferFileScalar,
     stateful | cutsRun | stopsGradient},
    {"ReaderNumWorkUnitsCompleted", "reader_handle: Ref(string)",
     "units_completed: int64", "",
     "The number of files that have ended, by reference.", inferFileScalar,
     stateful | cutsRun | stopsGradient},
    {"ReaderSerializeState", "reader_handle: Ref(string)", "state: string", "",
     "Where the reader is, as a message, by reference.", inferFileScalar,
     stateful | cutsRun | stopsGradient},
    {"ReaderRestoreState", "reader_handle: Ref(string), state: string", "", "",
     "Puts a reader where it was, by reference.", inferFileNothing,
     stateful | cutsRun | stopsGradient},
    {"ReaderReset", "reader_handle: Ref(string)", "", "",
     "Puts a reader where it began, by reference.", inferFileNothing,
     stateful | cutsRun | stopsGradient},
};

} // namespace

OpFamily filesFamily() {
  return {"Files", "files, and readers of their records", records};
}

} // namespace kiln
