// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How bindings show ops: begun by what their schemas say, changed by texts.
#include "kiln/Messages.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/ApiDef.pb.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

constexpr int maxDepth = 100;

template <class Args, class Target>
void describeArgs(const Args &args, Target add) {
  for (const proto::OpDef::ArgDef &arg : args) {
    proto::ApiDef::Arg &described = *add();
    described.set_name(arg.name());
    described.set_rename_to(arg.name());
    described.set_description(arg.description());
  }
}

proto::ApiDef describeOp(const proto::OpDef &op) {
  proto::ApiDef api;
  api.set_graph_op_name(op.name());
  api.set_visibility(proto::ApiDef::VISIBLE);
  api.add_endpoint()->set_name(op.name());
  describeArgs(op.input_arg(), [&] { return api.add_in_arg(); });
  describeArgs(op.output_arg(), [&] { return api.add_out_arg(); });
  for (const proto::OpDef::ArgDef &arg : op.input_arg())
    api.add_arg_order(arg.name());
  for (const proto::OpDef::AttrDef &attr : op.attr()) {
    proto::ApiDef::Attr &described = *api.add_attr();
    described.set_name(attr.name());
    described.set_rename_to(attr.name());
    if (attr.has_default_value())
      *described.mutable_default_value() = attr.default_value();
    described.set_description(attr.description());
  }
  api.set_summary(op.summary());
  api.set_description(op.description());
  return api;
}

/// "key: <<END", lines, "END" become "key: \"lines\"", which protobuf's text
/// form takes. **Edges**: without an end, to the end of the text.
std::string joinLines(std::string_view text) {
  std::string joined;
  auto takeLine = [&] {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
  };
  while (!text.empty()) {
    const std::string_view line = takeLine();
    const size_t at = line.find(": <<");
    if (at == line.npos) {
      joined += strCat(line, "\n");
      continue;
    }
    std::string_view mark = line.substr(at + 4);
    while (!mark.empty() && mark.back() == ' ')
      mark.remove_suffix(1);
    std::string value;
    bool isFirst = true;
    while (!text.empty()) {
      const std::string_view part = takeLine();
      if (part.starts_with(mark))
        break;
      value += strCat(isFirst ? "" : "\n", part);
      isFirst = false;
    }
    joined += strCat(line.substr(0, at), ": ", io::quoteText(value), "\n");
  }
  return joined;
}

Status notDefined(std::string_view what, std::string_view name,
                  const proto::ApiDef &op) {
  return failedPreconditionError(strCat(
      what, " ", name, " not defined in base api for ", op.graph_op_name()));
}

/// Changes what is said of the arguments or attributes of the same names.
template <class Items>
Status mergeItems(const Items &changes, std::string_view what,
                  const proto::ApiDef &op, Items &items) {
  for (const auto &change : changes) {
    auto item = std::ranges::find_if(items, [&](const auto &known) {
      return known.name() == change.name();
    });
    if (item == items.end())
      return notDefined(what, change.name(), op);
    if (!change.rename_to().empty())
      item->set_rename_to(change.rename_to());
    if (!change.description().empty())
      item->set_description(change.description());
    if constexpr (requires { change.has_default_value(); })
      if (change.has_default_value())
        *item->mutable_default_value() = change.default_value();
  }
  return okStatus();
}

Status mergeOrder(const proto::ApiDef &change, proto::ApiDef &api) {
  if (change.arg_order().empty())
    return okStatus();
  if (change.arg_order_size() != api.arg_order_size())
    return failedPreconditionError(
        strCat("Invalid number of arguments ", change.arg_order_size(), " for ",
               api.graph_op_name(), ". Expected: ", api.arg_order_size()));
  if (!std::ranges::is_permutation(change.arg_order(), api.arg_order()))
    return failedPreconditionError(
        strCat("Invalid arg_order: ", strJoin(change.arg_order(), ", "),
               " for ", api.graph_op_name(),
               ". All elements in arg_order override must match base "
               "arg_order: ",
               strJoin(api.arg_order(), ", ")));
  *api.mutable_arg_order() = change.arg_order();
  return okStatus();
}

Status merge(const proto::ApiDef &change, proto::ApiDef &api) {
  if (change.visibility() != proto::ApiDef::DEFAULT_VISIBILITY)
    api.set_visibility(change.visibility());
  if (!change.endpoint().empty())
    *api.mutable_endpoint() = change.endpoint();
  KILN_RETURN_IF_ERROR(
      mergeItems(change.in_arg(), "Argument", api, *api.mutable_in_arg()));
  KILN_RETURN_IF_ERROR(
      mergeItems(change.out_arg(), "Argument", api, *api.mutable_out_arg()));
  KILN_RETURN_IF_ERROR(mergeOrder(change, api));
  KILN_RETURN_IF_ERROR(
      mergeItems(change.attr(), "Attribute", api, *api.mutable_attr()));
  if (!change.summary().empty())
    api.set_summary(change.summary());
  if (!change.description().empty())
    api.set_description(change.description());
  if (!change.description_prefix().empty())
    api.set_description(
        strCat(change.description_prefix(), "\n", api.description()));
  if (!change.description_suffix().empty())
    api.set_description(
        strCat(api.description(), "\n", change.description_suffix()));
  return okStatus();
}

/// Writes the new name of an argument or attribute wherever texts have the old
/// one in backticks.
template <class Items> void renameIn(std::string &text, const Items &items) {
  for (const auto &item : items) {
    if (item.name() == item.rename_to())
      continue;
    const std::string from = strCat("`", item.name(), "`"),
                      to = strCat("`", item.rename_to(), "`");
    for (size_t at = text.find(from); at != text.npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
}

void renameInTexts(proto::ApiDef &api) {
  auto rename = [&](std::string &text) {
    renameIn(text, api.in_arg());
    renameIn(text, api.out_arg());
    renameIn(text, api.attr());
  };
  rename(*api.mutable_summary());
  rename(*api.mutable_description());
  for (auto &arg : *api.mutable_in_arg())
    rename(*arg.mutable_description());
  for (auto &arg : *api.mutable_out_arg())
    rename(*arg.mutable_description());
  for (auto &attr : *api.mutable_attr())
    rename(*attr.mutable_description());
}

class ApiDefs final : public ApiDefMap {
public:
  explicit ApiDefs(const proto::OpList &ops) {
    for (const proto::OpDef &op : ops.op())
      defs[op.name()] = describeOp(op);
  }

  Status put(std::string_view text) override {
    return io::withoutExceptions<Status>(
        "ApiDefs", text.size(), [&]() -> Status {
          proto::ApiDefs changes;
          KILN_RETURN_IF_ERROR(
              io::parseText(joinLines(text), maxDepth, changes));
          for (const proto::ApiDef &change : changes.op())
            if (auto known = defs.find(change.graph_op_name());
                known != defs.end())
              KILN_RETURN_IF_ERROR(merge(change, known->second));
          return okStatus();
        });
  }

  StatusOr<std::string> get(std::string_view op) const override {
    auto known = defs.find(op);
    if (known == defs.end())
      return notFoundError(strCat("expected an op of the list, got ", op));
    return io::withoutExceptions<StatusOr<std::string>>("an ApiDef", 0, [&] {
      proto::ApiDef api = known->second;
      renameInTexts(api);
      return io::serialize(api, GraphDefFormat::Binary);
    });
  }

private:
  std::map<std::string, proto::ApiDef, std::less<>> defs;
};

} // namespace

StatusOr<std::unique_ptr<ApiDefMap>> makeApiDefMap(std::string_view opList) {
  using Made = StatusOr<std::unique_ptr<ApiDefMap>>;
  return io::withoutExceptions<Made>("an OpList", opList.size(), [&]() -> Made {
    proto::OpList ops;
    KILN_RETURN_IF_ERROR(io::parseBinary(opList, maxDepth, ops));
    return std::unique_ptr<ApiDefMap>(std::make_unique<ApiDefs>(ops));
  });
}

} // namespace kiln
