// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Savers: what to save, where to, and what does not fit what was saved.
#include "test/unit/errors/ErrorTable.h"

#include "kiln/SavedModel.h"
#include "kiln/Saver.h"
#include "test/unit/TemporaryFolder.h"

namespace kiln::testing {
namespace {

/// Saves a variable "a" of two floats.
Status save(const std::string &path, const SaveOptions &options = {}) {
  Variable a({1.0, 2.0}, {.name = "a"});
  auto session = *makeSession();
  if (Status status = run(*session, globalVariablesInitializer()); !status.ok())
    return status;
  return Saver().save(*session, path, options).status();
}

/// Restores another variable from what save() wrote.
Status restore(const std::string &name, const Input &value) {
  TemporaryFolder folder;
  {
    GraphScope scope{GraphBuilder()};
    if (Status status = save(folder / "m"); !status.ok())
      return status;
  }
  Variable other(value, {.name = name});
  return Saver().restore(**makeSession(), folder / "m");
}

} // namespace

std::vector<ErrorCase> saverErrors() {
  return {
      {"savers/no_variables", [] { Saver saver; }},
      {"savers/two_of_one_name",
       [] {
         Variable a(1.0, {.name = "a"});
         Saver saver(std::vector<Variable>{a, a});
       }},
      {"savers/one_under_two_names",
       [] {
         Variable a(1.0, {.name = "a"});
         Saver saver(std::map<std::string, Saveable>{{"x", a}, {"y", a}});
       }},
      {"savers/no_checkpoint",
       [] {
         Variable a(1.0, {.name = "a"});
         return Saver().restore(**makeSession(), "/nowhere/m");
       }},
      {"savers/path_as_latest_filename",
       [] {
         TemporaryFolder folder;
         return save(folder / "m", {.latestFilename = "a/b"});
       }},
      {"savers/latest_filename_collides",
       [] { return save("checkpoint", {.latestFilename = "checkpoint"}); }},
      {"savers/uninitialized",
       [] {
         TemporaryFolder folder;
         Variable a({1.0, 2.0}, {.name = "a"});
         return Saver().save(**makeSession(), folder / "m").status();
       }},
      {"savers/missing_key", [] { return restore("cc", {1.0, 2.0}); }},
      {"savers/other_shape", [] { return restore("a", {1.0, 2.0, 3.0}); }},
      {"savers/other_dtype", [] { return restore("a", {1, 2}); }},
      {"savers/saved_model_that_is_not_there",
       [] { return loadSavedModel("/nowhere", {"serve"}).status(); }},
  };
}

} // namespace kiln::testing
