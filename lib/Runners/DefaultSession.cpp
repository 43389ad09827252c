// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default session, and runs with plain values for feeds.
#include "kiln/DefaultSession.h"

#include "kiln/FeedConversion.h"
#include "lib/Support/ThreadObject.h"

#include <algorithm>

namespace kiln {
namespace {

std::vector<std::shared_ptr<Session>> &sessionStack() {
  return threadObject<std::vector<std::shared_ptr<Session>>>();
}

/// TensorFlow's texts for what is evaluated without a session that fits.
Status noSession(std::string_view what, bool isOther) {
  std::string text(what);
  bool isTensor = what == "tensor";
  if (isOther)
    return failedPreconditionError(
        isTensor
            ? "Cannot use the default session to evaluate tensor: the tensor's "
              "graph is different from the session's graph. Pass an explicit "
              "session to `eval(session=sess)`."
            : "Cannot use the default session to execute operation: the "
              "operation's graph is different from the session's graph. Pass "
              "an explicit session to run(session=sess).");
  return failedPreconditionError(
      isTensor
          ? "Cannot evaluate tensor using `eval()`: No default session is "
            "registered. Use `with sess.as_default()` or pass an explicit "
            "session to `eval(session=sess)`"
          : "Cannot execute operation using `run()`: No default session is "
            "registered. Use `with sess.as_default():` or pass an explicit "
            "session to `run(session=sess)`");
}

const Node *nodeOf(const Fetch &fetch) {
  if (const auto *output = std::get_if<Output>(&fetch))
    return output->node;
  const auto *node = std::get_if<const Node *>(&fetch);
  return node ? *node : nullptr;
}

StatusOr<Session *> sessionFor(const std::vector<Fetch> &fetches) {
  bool isTensor = fetches.empty() || std::get_if<Output>(&fetches[0]);
  std::string_view what = isTensor ? "tensor" : "operation";
  if (sessionStack().empty())
    return noSession(what, false);
  Session *session = sessionStack().back().get();
  for (const Fetch &fetch : fetches)
    if (const Node *node = nodeOf(fetch);
        node && !session->graph()->contains(node))
      return noSession(what, true);
  return session;
}

} // namespace

SessionScope::SessionScope(std::shared_ptr<Session> session)
    : session(std::move(session)) {
  sessionStack().push_back(this->session);
}
SessionScope::~SessionScope() {
  auto &stack = sessionStack();
  auto found = std::find(stack.rbegin(), stack.rend(), session);
  if (found != stack.rend())
    stack.erase(std::next(found).base());
}

std::shared_ptr<Session> defaultSession() {
  return sessionStack().empty() ? nullptr : sessionStack().back();
}

StatusOr<std::shared_ptr<Session>> makeSession(SessionOptions options) {
  auto made =
      Session::create(GraphBuilder::current().graph(), std::move(options));
  if (!made.ok())
    return made.status();
  return std::shared_ptr<Session>(*std::move(made));
}

StatusOr<std::vector<Tensor>>
detail::runFetches(Session *session, const std::vector<Fetch> &fetches,
                   const FeedValues &feeds, const RunOptions &options) {
  // A failed addition explains why there is no node.
  if (!session) {
    if (Status status = GraphBuilder::current().status(); !status.ok())
      return status;
    auto found = sessionFor(fetches);
    if (!found.ok())
      return found.status();
    session = *found;
  }
  if (Status status = session->graph()->constructionError(); !status.ok())
    return status;
  std::vector<Feed> converted;
  for (const FeedValue &feed : feeds) {
    auto value = feedTensor(feed.tensor, feed.value);
    if (!value.ok())
      return value.status();
    converted.push_back({feed.tensor, *std::move(value)});
  }
  if (fetches.empty())
    return std::vector<Tensor>();
  return session->run(converted, fetches, {}, options);
}

Status run(Session &session, const Node *operation, const FeedValues &feeds) {
  return fetch(session, operation, feeds).status();
}
Status run(const Node *operation, const FeedValues &feeds) {
  return eval(operation, feeds).status();
}

} // namespace kiln
