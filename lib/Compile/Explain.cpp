// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles for the reader: the text of a stage instead of a program.
#include "lib/Compile/ProgramCompiler.h"
#include "lib/Compile/SessionShapes.h"
#include "lib/Exec/CutPlan.h"
#include "lib/Import/Import.h"
#include "lib/JIT/Compiler.h"
#include "lib/Plan/Placement.h"
#include "lib/Plan/Plan.h"
#include "lib/Plan/cut/PrintCut.h"
#include "lib/Plan/ir/Print.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace kiln {
namespace {

/// A directory of its own that goes with all that is in it.
class TemporaryDirectory {
public:
  std::error_code create() {
    return llvm::sys::fs::createUniqueDirectory("kiln-explain", path);
  }
  ~TemporaryDirectory() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }
  std::string name() const { return path.str().str(); }

private:
  llvm::SmallString<128> path;
};

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  stream << "\n";
  return text;
}

/// Reads NN-stage.* of a dump.
StatusOr<std::string> readDump(const std::string &directory,
                               std::string_view stage) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(directory, error), end;
       file != end && !error; file.increment(error)) {
    llvm::StringRef name = llvm::sys::path::stem(file->path());
    if (name.substr(name.find('-') + 1) !=
        llvm::StringRef(stage.data(), stage.size()))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(file->path());
    if (!buffer)
      return unknownError(
          strCat("reading ", file->path(), ": ", buffer.getError().message()));
    return (*buffer)->getBuffer().str();
  }
  return unknownError(strCat("expected a dump of ", stage, " in ", directory));
}

/// The text of the stage to stop after, of a run that is not cut, or of a part.
StatusOr<std::string> explainBlock(const Block &root,
                                   std::span<const FeedView> feeds,
                                   const CompileOptions &wanted,
                                   SessionShapes &shapes) {
  ContextLease lease = ContextLease::lease();
  std::vector<FeedSpec> specs;
  for (const FeedView &feed : feeds)
    specs.push_back(
        {feed.dtype, Shape(feed.dims), feed.value ? *feed.value : Tensor()});
  KILN_ASSIGN_OR_RETURN(
      ImportedFunction imported,
      importGraph(lease->mlirContext(), root, specs, nullptr, &shapes));

  CompileOptions compileOptions = wanted;
  compileOptions.constants = &imported.constants;
  const std::string &last = wanted.stopAfter;
  // Stages beyond MLIR have no other way to their text.
  bool isMlir = last != "llvm-ir" && last != "assembly";
  TemporaryDirectory temporary;
  if (!isMlir && compileOptions.dumpDirectory.empty()) {
    if (std::error_code error = temporary.create())
      return unknownError(
          strCat("creating a temporary directory: ", error.message()));
    compileOptions.dumpDirectory = temporary.name();
  }
  CompileTimes times;
  auto code = compile(*lease, *imported.module, compileOptions, times);
  if (!code.ok())
    return code.status();
  if (isMlir)
    return printed(*imported.module);
  return readDump(compileOptions.dumpDirectory, last);
}

std::string_view regionName(Item::Kind kind) {
  return kind == Item::Kind::While ? "while"
         : kind == Item::Kind::If  ? "if"
                                   : "call";
}

/// Part for part, under headings; dumps go into a folder a part. `number` is
/// that of the region that the block is of, followed by a point.
StatusOr<std::string> explainCut(const CutGraph &cut, const std::string &number,
                                 std::span<const FeedView> feeds,
                                 const CompileOptions &wanted,
                                 SessionShapes &shapes) {
  std::string text;
  for (size_t i = 0; i < cut.units.size(); ++i) {
    const CutUnit &unit = cut.units[i];
    std::string own = strCat(number, i);
    if (unit.region) {
      const CutRegion &region = *unit.region;
      text += strCat("// ", own, ": ", regionName(region.kind), " ",
                     quote(unit.name), "\n");
      for (auto [name, block] : {std::pair(".a.", &region.first),
                                 std::pair(".b.", &region.second)}) {
        KILN_ASSIGN_OR_RETURN(
            std::string inner,
            explainCut(*block, strCat(own, name), {}, wanted, shapes));
        text += inner;
      }
      continue;
    }
    if (unit.node) {
      text += strCat("// ", own, ": ", unit.node->op(), " ", quote(unit.name),
                     "\n");
      continue;
    }
    auto known = knownFeeds(cut, unit, feeds);
    text +=
        strCat("// ", own,
               known ? ": part\n" : ": part for shapes that the run finds\n");
    if (!known)
      continue;
    CompileOptions options = wanted;
    std::string &directory = options.dumpDirectory;
    if (!directory.empty()) {
      directory += strCat("/part-", own);
      if (std::error_code error = llvm::sys::fs::create_directories(directory))
        return unknownError(
            strCat("creating ", directory, ": ", error.message()));
    }
    KILN_ASSIGN_OR_RETURN(
        std::string part,
        explainBlock(*unit.part, known->views, options, shapes));
    text += part;
  }
  return text;
}

} // namespace

std::vector<std::string_view> explainStages() {
  auto names = compileStageNames();
  std::vector<std::string_view> stages = {"plan"};
  stages.insert(stages.end(), names.begin(), names.end());
  return stages;
}

StatusOr<std::string> explainProgram(const Graph &graph,
                                     const RunRequest &request,
                                     std::span<const FeedView> feeds,
                                     SessionServices &services,
                                     const ExplainOptions &options) {
  auto stages = explainStages();
  std::string last = options.stopAfter.empty() ? std::string(stages.back())
                                               : options.stopAfter;
  if (std::find(stages.begin(), stages.end(), last) == stages.end())
    return invalidArgumentError(strCat("expected a stage to stop after (",
                                       strJoin(stages, ", "), "), got ", last));
  KILN_ASSIGN_OR_RETURN(PrunedGraph pruned, prune(graph, request));
  CompileOptions wanted;
  wanted.code = services.options.code;
  wanted.stopAfter = last;
  wanted.dumpDirectory = options.dumpDirectory;
  KILN_RETURN_IF_ERROR(checkPlacement(pruned, services.options.softPlacement,
                                      services.options.cpuDevices));
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<Block> root,
                        makeBlocks(pruned, services.options.limits.maxNodes));
  KILN_ASSIGN_OR_RETURN(std::optional<CutGraph> cut, cutGraph(*root));
  if (last == "plan")
    return cut ? print(*cut) : PlanPrinter().print(*root);
  SessionShapes shapes(services.resources);
  return cut ? explainCut(*cut, "", feeds, wanted, shapes)
             : explainBlock(*root, feeds, wanted, shapes);
}

} // namespace kiln
