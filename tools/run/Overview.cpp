// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The listing of a graph in the words of kiln-run's options.
#include "tools/run/Overview.h"

#include "kiln/Listing.h"
#include "lib/Support/Strings.h"

namespace kiln::run {

static std::string suggestion(const Listing &listing, const std::string &path) {
  if (listing.fetches.empty() && listing.targets.empty())
    return {};
  std::string text = strCat("\ntry\n  kiln-run ", path);
  if (!listing.variables.empty())
    text += " --init";
  for (const Output &output : listing.placeholders)
    text += strCat(" --feed ", output.node->name(), "=FILE.npy");
  if (!listing.fetches.empty())
    text += " --fetch " + listing.fetches.front().node->name();
  else
    text += " --target " + listing.targets.front()->name();
  return text + "\n";
}

std::string overviewText(const Graph &graph, const std::string &path) {
  static const ListingHeadings headings = {
      .placeholders = "placeholders, to be fed (--feed)",
      .variables = "variables (--init gives them their first values)",
      .fetches = "likely fetches (--fetch)",
      .targets = "likely targets (--target)"};
  Listing listing = listGraph(graph);
  return strCat(path, ": ", graph.numNodes(), " nodes\n",
                listingText(listing, headings), suggestion(listing, path));
}

} // namespace kiln::run
