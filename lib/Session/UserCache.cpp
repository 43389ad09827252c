// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a user's programs keep compiled code when nobody says otherwise.
#include "kiln/SessionOptions.h"

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {
namespace {

/// Empty where it is not set, and in a process with more rights than its user.
std::string variable(const char *name) {
  const char *value = secure_getenv(name);
  return value ? value : "";
}

/// The user's cache folder, as the XDG Base Directory Specification has it;
/// empty for none.
std::string userCacheFolder() {
  if (std::string named = variable("XDG_CACHE_HOME"); named.starts_with("/"))
    return named;
  std::string home = variable("HOME");
  return home.starts_with("/") ? home + "/.cache" : std::string();
}

/// Whether the folder, or if it is missing the one that it is to lie in, is
/// this user's: `sudo` may leave HOME as it was.
bool isOwn(const std::string &folder) {
  struct stat info;
  const std::string parent = folder.substr(0, folder.rfind('/') + 1);
  return (stat(folder.c_str(), &info) == 0 ||
          stat(parent.c_str(), &info) == 0) &&
         info.st_uid == geteuid();
}

} // namespace

DiskCacheOptions DiskCacheOptions::ofUser() {
  if (std::string named = variable("KILN_CACHE"); !named.empty())
    return {.folder = named == "off" ? std::string() : std::move(named)};
  DiskCacheOptions options{.isRequired = false};
  if (std::string folder = userCacheFolder();
      !folder.empty() && isOwn(folder)) {
    mkdir(folder.c_str(), 0700); // mostly there; if not made, open() tells
    options.folder = folder + "/kiln";
  }
  return options;
}

} // namespace kiln
