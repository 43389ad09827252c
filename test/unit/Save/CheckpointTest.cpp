// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints: TensorFlow's are read, what is written is TensorFlow's to the
// byte, and files that are no checkpoints are errors.
#include "kiln/GraphDef.h"
#include "lib/IO/BundleReader.h"
#include "lib/IO/BundleWriter.h"
#include "lib/Support/FileAccess.h"
#include "test/unit/RecordedCases.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

#include <fstream>

namespace kiln::testing {
namespace {

using ::testing::HasSubstr;

class CheckpointTest : public SessionTest {
protected:
  std::unique_ptr<Session> openGolden(const std::string &name) {
    auto graph = loadGraphDefFile(recordedFolder(name) + "/graph.pb");
    EXPECT_TRUE(graph.ok()) << graph.status().toString();
    return open(*graph);
  }
  /// Runs a SaveV2 or RestoreV2.
  StatusOr<std::vector<Tensor>> run(GraphWriter &writer,
                                    std::vector<Fetch> fetches,
                                    std::vector<OperationId> targets = {}) {
    auto session = open(writer.graph);
    return session->run({}, fetches, targets);
  }

  TemporaryFolder folder;
};
INSTANTIATE_TEST_SUITE_P(Modes, CheckpointTest,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

std::vector<Feed> prefixFeed(const std::string &prefix) {
  return {{TensorId("save/Const:0"), Tensor::scalar(prefix)}};
}

TEST_P(CheckpointTest, RestoresWhatTensorFlowSaved) {
  auto session = openGolden("prog_saver");
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  for (int step : {1, 2}) {
    std::string prefix = recordedFolder("prog_saver") + "/ckpt/model-";
    ASSERT_THAT(session->run(prefixFeed(prefix + std::to_string(step)), {},
                             {"save/restore_all"}),
                isOk());
    auto result = session->run({}, {"theta/read:0", "global_step/read:0"});
    ASSERT_THAT(result, isOk());
    EXPECT_EQ(valuesOf<float>((*result)[0])[8],
              7.0f + static_cast<float>(step));
    EXPECT_EQ(valuesOf<int32_t>((*result)[1]), std::vector<int32_t>{7});
  }
}

TEST_P(CheckpointTest, SavesTheBytesThatTensorFlowSaved) {
  auto session = openGolden("prog_saver_dtypes");
  std::string original = recordedFolder("prog_saver_dtypes") + "/ckpt/all";
  ASSERT_THAT(session->run(prefixFeed(original), {}, {"save/restore_all"}),
              isOk());
  std::string copy = folder / "all";
  auto saved = session->run(prefixFeed(copy), {"save/control_dependency:0"});
  ASSERT_THAT(saved, isOk());
  EXPECT_EQ((*saved)[0].data<String>()[0].view(), copy);
  for (const char *end : {".index", ".data-00000-of-00001"})
    EXPECT_EQ(readFileOf(copy + end), readFileOf(original + end)) << end;
  EXPECT_EQ(folder.numEntries(), 2);
}

/// Adds prefix, names and slices, and an op on them.
void addOp(GraphWriter &writer, const std::string &op, std::string prefix,
           std::vector<std::string> names, std::vector<std::string> slices,
           std::vector<std::string> tensors, std::vector<DType> dtypes) {
  auto strings = [&](std::vector<std::string> texts) {
    return *Tensor::fromStrings({static_cast<int64_t>(texts.size())},
                                std::span<const std::string>(texts));
  };
  writer.constant(op + "/prefix", Tensor::scalar(prefix));
  writer.constant(op + "/names", strings(names));
  writer.constant(op + "/slices", strings(slices));
  std::vector<NodeInput> inputs = {op + "/prefix", op + "/names",
                                   op + "/slices"};
  for (std::string &tensor : tensors)
    inputs.push_back(std::move(tensor));
  writer.add(op, op, std::move(inputs), {{"dtypes", std::move(dtypes)}});
}

/// Saves x, twelve floats, as one or as parts.
void addSave(GraphWriter &writer, const std::string &prefix,
             std::vector<std::string> names, std::vector<std::string> slices) {
  for (size_t i = 0; i < names.size(); ++i)
    writer.constant("x" + std::to_string(i), countingMatrix(3, 4));
  std::vector<std::string> tensors;
  for (size_t i = 0; i < names.size(); ++i)
    tensors.push_back("x" + std::to_string(i));
  std::vector<DType> dtypes(names.size(), DType::Float32);
  addOp(writer, "SaveV2", prefix, names, slices, tensors, dtypes);
}

TEST_P(CheckpointTest, PartsOfATensorAreOneTensor) {
  GraphWriter writer;
  addSave(writer, folder / "a", {"v", "v"}, {"6 4 0,3:-", "6 4 3,3:-"});
  ASSERT_THAT(run(writer, {}, {"SaveV2"}), isOk());
  addOp(writer, "RestoreV2", folder / "a", {"v", "v"}, {"", "6 4 2,2:1,2"}, {},
        {DType::Float32, DType::Float32});
  auto result = run(writer, {"RestoreV2:0", "RestoreV2:1"});
  ASSERT_THAT(result, isOk());
  EXPECT_EQ((*result)[0].shape(), Shape({6, 4}));
  EXPECT_EQ(valuesOf<float>((*result)[0])[12], 0.0f);
  EXPECT_EQ(valuesOf<float>((*result)[1]), (std::vector<float>{9, 10, 1, 2}));
}

TEST_P(CheckpointTest, RefusesToSaveWithTensorFlowsTexts) {
  struct Case {
    std::vector<std::string> names, slices;
    const char *text;
  };
  const Case cases[] = {
      {{"x", "x"}, {"", ""}, "Adding duplicate key: x"},
      {{"v", "v"}, {"6 4 0,3:-", "6 4 0,3:-"}, "Adding duplicate key: "},
      {{"v", "v"}, {"6 4 0,3:-", "7 4 3,3:-"}, "to be of one dtype and whole"},
      {{"x"},
       {"7"},
       "Need least two elements in shape_and_slice specification"},
      {{"x"},
       {"a b"},
       "Expected a pair of numbers or '-' but got 'b': string = b"},
      {{"x"}, {"7 2 0,3"}, "Mismatching ranks: shape = [7,2], slice = 0,3"},
      {{"x"},
       {"7 2 0,9:-"},
       "Extent in dimension 0 out of bounds: shape = [7,2], slice = 0,9:-"},
      {{"x"},
       {"7 2 0,3:0,1"},
       "does not match the shape of the tensor to  save: 7 2 0,3:0,1, tensor: "
       "[3,4]"},
      {{"x"},
       {"3 4 0,0:-"},
       "Expected non-negative start and positive length but got start = 0, "
       "length = 0"},
      {{"x"},
       {" 7 2 0,3:-"},
       "Non numerical dimension in shape_and_slice:  7 2 0,3:-"},
      {{"x"},
       {"99999999999 99999999999 0,1:-"},
       "has more than 2^63 - 1 elements"},
      {{"x"}, {"3 4 9223372036854775807,2:-"}, "Expected non-negative start"}};
  for (const Case &bad : cases) {
    GraphWriter writer;
    addSave(writer, folder / "a", bad.names, bad.slices);
    auto result = run(writer, {}, {"SaveV2"});
    EXPECT_THAT(result.status().toString(), HasSubstr(bad.text));
  }
  EXPECT_EQ(folder.numEntries(), 0) << "files of a save that failed";
}

TEST_P(CheckpointTest, RefusesToRestoreWithTensorFlowsTexts) {
  GraphWriter writer;
  addSave(writer, folder / "a", {"x"}, {""});
  ASSERT_THAT(run(writer, {}, {"SaveV2"}), isOk());
  GraphWriter part;
  addSave(part, folder / "part", {"v"}, {"6 4 0,3:-"});
  ASSERT_THAT(run(part, {}, {"SaveV2"}), isOk());
  auto restore = [&](std::string file, std::string name, std::string slice,
                     DType dtype = DType::Float32) {
    GraphWriter reader;
    addOp(reader, "RestoreV2", folder / file, {name}, {slice}, {}, {dtype});
    return run(reader, {"RestoreV2:0"}).status().toString();
  };
  EXPECT_THAT(restore("none", "x", ""),
              HasSubstr("NOT_FOUND: Unsuccessful TensorSliceReader "
                        "constructor: Failed to find any matching files for "));
  EXPECT_THAT(restore("a", "y", ""),
              HasSubstr("NOT_FOUND: Key y not found in checkpoint"));
  EXPECT_THAT(restore("a", "x", "", DType::Float64),
              HasSubstr("INVALID_ARGUMENT: tensor_name = x; expected dtype "
                        "double does not equal original dtype float"));
  EXPECT_THAT(restore("a", "x", "3 5 1,2:0,2"),
              HasSubstr("shape in shape_and_slice spec [3,5] does not match "
                        "the shape stored in checkpoint: [3,4]"));
  EXPECT_THAT(restore("part", "v", "6 4 2,3:-"),
              HasSubstr("Does not have sufficient slices for partitioned "
                        "tensor v to restore in slice_spec: 2,3:-"));
  EXPECT_THAT(restore("part", "v", ""), HasSubstr("slice_spec: -:-"));
}

/// Restores copies of a checkpoint, of which each bit of both files is flipped
/// once, and which end at each byte.
void expectDamageToBeFound(const std::string &from, const std::string &to,
                           const std::function<Status()> &restore) {
  const char *ends[] = {".index", ".data-00000-of-00001"};
  const std::string good[] = {readFileOf(from + ends[0]),
                              readFileOf(from + ends[1])};
  auto tryWith = [&](int file, std::string_view bytes) {
    // A new file, for a file system waits for the disk where one is replaced.
    std::filesystem::remove(to + ends[file]);
    writeFileOf(to + ends[file], bytes);
    return restore().ok();
  };
  writeFileOf(to + ends[1], good[1]);
  EXPECT_TRUE(tryWith(0, good[0]));
  for (int file : {0, 1}) {
    writeFileOf(to + ends[1 - file], good[1 - file]);
    for (size_t size = 0; size < good[file].size(); ++size)
      EXPECT_FALSE(tryWith(file, good[file].substr(0, size)))
          << ends[file] << " of " << size << " bytes";
    for (size_t bit = 0; bit < 8 * good[file].size(); ++bit) {
      std::string bytes = good[file];
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      EXPECT_FALSE(tryWith(file, bytes)) << ends[file] << " bit " << bit;
    }
  }
}

TEST_P(CheckpointTest, AllDamageIsFound) {
  GraphWriter writer;
  addSave(writer, folder / "a", {"v", "v", "w"},
          {"6 4 0,3:-", "6 4 3,3:-", ""});
  ASSERT_THAT(run(writer, {}, {"SaveV2"}), isOk());
  addOp(writer, "RestoreV2", folder / "b", {"v", "w"}, {"", ""}, {},
        {DType::Float32, DType::Float32});
  auto session = open(writer.graph);
  expectDamageToBeFound(folder / "a", folder / "b", [&] {
    return session->run({}, {"RestoreV2:0", "RestoreV2:1"}).status();
  });
}

/// Every dtype, strings, nothing, slices.
TEST_P(CheckpointTest, AllDamageToTensorFlowsFilesIsFound) {
  auto session = openGolden("prog_saver_dtypes");
  expectDamageToBeFound(
      recordedFolder("prog_saver_dtypes") + "/ckpt/all", folder / "all", [&] {
        return session
            ->run(prefixFeed(folder / "all"), {}, {"save/restore_all"})
            .status();
      });
}

/// The tensor is so large that several threads read it.
TEST_P(CheckpointTest, DamageToALargeTensorIsFound) {
  const int64_t size = (int64_t(33) << 20) + 5;
  Tensor values = *Tensor::create(DType::UInt8, {size});
  for (int64_t i = 0; uint8_t &value : values.mutableData<uint8_t>())
    value = static_cast<uint8_t>(i++ * 2654435761u >> 13);
  std::string prefix = folder / "large";
  auto writer = io::BundleWriter::create(prefix);
  ASSERT_THAT(writer, isOk());
  ASSERT_THAT(writer->add("small", Tensor::scalar(1.0f)), isOk());
  ASSERT_THAT(writer->add("large", values), isOk());
  ASSERT_THAT(writer->finish(), isOk());
  auto read = [&]() -> StatusOr<Tensor> {
    auto reader = io::BundleReader::open(prefix);
    EXPECT_THAT(reader, isOk());
    return reader->read("large", *reader->find("large"));
  };
  auto whole = read();
  ASSERT_THAT(whole, isOk());
  EXPECT_TRUE(whole->hasSameBits(values));
  std::string data = prefix + ".data-00000-of-00001";
  for (int64_t at : {int64_t(4), size / 2, size + 3}) {
    std::fstream file(data, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.put(static_cast<char>(values.data<uint8_t>()[at - 4] ^ 64));
    file.close();
    EXPECT_THAT(read(), fails(StatusCode::DataLoss, HasSubstr("Checksum")))
        << at;
    file.open(data, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.put(static_cast<char>(values.data<uint8_t>()[at - 4]));
  }
  EXPECT_THAT(read(), isOk());
}

TEST_P(CheckpointTest, EntriesThatLieAreErrors) {
  io::BundleEntries entries;
  auto add = [&](const char *name, int dtype, std::vector<int64_t> dims,
                 int64_t offset, int64_t size) -> proto::BundleEntryProto & {
    proto::BundleEntryProto &entry = entries[name];
    entry.set_dtype(static_cast<proto::DataType>(dtype));
    for (int64_t dim : dims)
      entry.mutable_shape()->add_dim()->set_size(dim);
    entry.set_offset(offset);
    entry.set_size(size);
    return entry;
  };
  constexpr int64_t most = INT64_MAX;
  add("large", 1, {int64_t(1) << 40}, 0, int64_t(1) << 42);
  add("overflow", 1, {most, most}, 0, 16);
  add("bytes", 2, {int64_t(1) << 62}, 0, 0);
  add("negative", 1, {-4}, 0, 16);
  add("before", 1, {4}, -16, 16);
  add("behind", 1, {4}, most - 8, 16);
  add("size", 1, {4}, 0, 12);
  add("dtype", 77, {4}, 0, 16);
  add("none", 0, {4}, 0, 0);
  add("resource", 20, {4}, 0, 0);
  add("strings", 7, {int64_t(1) << 40}, 0, 64);
  add("shard", 1, {4}, 0, 16).set_shard_id(-7);
  add("unknown", 1, {}, 0, 4).mutable_shape()->set_unknown_rank(true);
  auto *extent = add("slice", 1, {4}, 0, 16).add_slices()->add_extent();
  extent->set_start(2);
  extent->set_length(most);
  add("rank", 1, {4}, 0, 16).add_slices();
  auto &twice = add("twice", 1, {4}, 0, 16);
  for (int i = 0; i < 2; ++i)
    twice.add_slices()->add_extent()->set_length(4);
  ASSERT_THAT(io::writeIndex(folder / "a", 1, entries), isOk());
  writeFileOf((folder / "a") + ".data-00000-of-00001", std::string(64, '\0'));
  for (const auto &[name, entry] : entries) {
    GraphWriter writer;
    DType dtype = name == "strings" ? DType::String
                  : name == "bytes" ? DType::Float64
                                    : DType::Float32;
    addOp(writer, "RestoreV2", folder / "a", {name}, {""}, {}, {dtype});
    auto result = run(writer, {"RestoreV2:0"});
    EXPECT_FALSE(result.ok()) << name;
    EXPECT_NE(result.status().code(), StatusCode::Internal)
        << result.status().toString();
  }
}

TEST_P(CheckpointTest, OnlyFoldersOfTheOptionsAreUsed) {
  TemporaryFolder other;
  SessionOptions options;
  options.mode = GetParam();
  options.fileFolders = {folder.name()};
  std::filesystem::create_directory_symlink(other.name(), folder / "link");
  const std::string inside =
      folder / "../" +
      std::filesystem::path(folder.name()).filename().string() + "/a";
  for (std::string prefix : {other / "a", folder / "../a", folder / "link/a"}) {
    GraphWriter writer;
    addSave(writer, prefix, {"x"}, {""});
    auto session = Session::create(writer.graph, options);
    ASSERT_THAT(session, isOk());
    EXPECT_EQ((*session)->run({}, {}, {"SaveV2"}).status().code(),
              StatusCode::PermissionDenied)
        << prefix;
  }
  GraphWriter writer;
  addSave(writer, inside, {"x"}, {""});
  auto session = Session::create(writer.graph, options);
  ASSERT_THAT(session, isOk());
  EXPECT_THAT((*session)->run({}, {}, {"SaveV2"}), isOk());
  EXPECT_EQ(other.numEntries(), 0);
}

TEST_P(CheckpointTest, DataBehindALinkOutOfTheFoldersIsNotRead) {
  TemporaryFolder other;
  GraphWriter writer;
  addSave(writer, folder / "a", {"x"}, {""});
  ASSERT_THAT(run(writer, {}, {"SaveV2"}), isOk());
  const std::string data = "a.data-00000-of-00001";
  std::filesystem::rename(folder / data, other / data);
  std::filesystem::create_symlink(other / data, folder / data);
  SessionOptions options;
  options.mode = GetParam();
  GraphWriter reader;
  addOp(reader, "RestoreV2", folder / "a", {"x"}, {""}, {}, {DType::Float32});
  for (bool isAllowed : {true, false}) {
    options.fileFolders = {folder.name()};
    if (isAllowed)
      options.fileFolders->push_back(other.name());
    auto session = Session::create(reader.graph, options);
    ASSERT_THAT(session, isOk());
    EXPECT_EQ((*session)->run({}, {"RestoreV2:0"}).status().code(),
              isAllowed ? StatusCode::Ok : StatusCode::PermissionDenied);
  }
}

TEST(FileAccess, ALinkToNowhereLeadsOutOfItsFolder) {
  TemporaryFolder folder, other;
  std::filesystem::create_symlink(other / "made", folder / "link");
  auto access = FileAccess::below({folder.name()});
  ASSERT_THAT(access, isOk());
  EXPECT_EQ(access->check(folder / "link").code(),
            StatusCode::PermissionDenied);
  EXPECT_EQ(access->check(folder / "link/below").code(),
            StatusCode::PermissionDenied);
  EXPECT_THAT(access->check(folder / "new"), isOk());
}

TEST_P(CheckpointTest, MergesPartsOfSeveral) {
  std::filesystem::create_directory(folder / "parts");
  for (int i : {0, 1}) {
    GraphWriter writer;
    std::string number = std::to_string(i);
    addSave(writer, folder / ("parts/p" + number), {"x" + number, "v"},
            {"", i == 0 ? "6 4 0,3:-" : "6 4 3,3:-"});
    ASSERT_THAT(run(writer, {}, {"SaveV2"}), isOk());
  }
  GraphWriter writer;
  writer.constant("parts", *Tensor::fromStrings({2}, {folder / "parts/p0",
                                                      folder / "parts/p1"}));
  writer.constant("to", Tensor::scalar(folder / "all"));
  writer.add("merge", "MergeV2Checkpoints", {"parts", "to"});
  ASSERT_THAT(run(writer, {}, {"merge"}), isOk());
  EXPECT_EQ(folder.numEntries(), 3) << "the folder of the parts is gone";
  addOp(writer, "RestoreV2", folder / "all", {"x1", "v"}, {"", ""}, {},
        {DType::Float32, DType::Float32});
  auto result = run(writer, {"RestoreV2:0", "RestoreV2:1"});
  ASSERT_THAT(result, isOk());
  EXPECT_EQ((*result)[1].shape(), Shape({6, 4}));
  EXPECT_THAT(run(writer, {}, {"merge"}).status().toString(),
              HasSubstr("allow_missing_files was set to false and "));
}

TEST_P(CheckpointTest, NamesOfFilesAreTensorFlows) {
  GraphWriter writer;
  writer.constant("base", Tensor::scalar("a/b"));
  writer.constant("shard", Tensor::scalar<int32_t>(-3));
  writer.constant("count", Tensor::scalar<int32_t>(1234567));
  writer.add("name", "ShardedFilename", {"base", "shard", "count"});
  writer.add("spec", "ShardedFilespec", {"base", "count"});
  auto result = run(writer, {"name:0", "spec:0"});
  ASSERT_THAT(result, isOk());
  EXPECT_EQ((*result)[0].data<String>()[0], "a/b--0003-of-1234567");
  EXPECT_EQ((*result)[1].data<String>()[0].view(),
            std::string("a/b-????") + "?-of-1234567");
}

} // namespace
} // namespace kiln::testing
