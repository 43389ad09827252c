// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learns what words mean from the words around them, with noise-contrastive
// estimation, checkpoints and a log for TensorBoard: word2vec FILE FOLDER
// (examples/data/alice.txt).
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/GlobalStep.h"
#include "kiln/Optimizers.h"
#include "kiln/SampledLosses.h"
#include "kiln/Saver.h"
#include "kiln/Summary.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>

using namespace kiln;
using examples::check;

namespace {

constexpr int64_t vocabularySize = 1000, embeddingSize = 32, batchSize = 128,
                  numSampled = 32, window = 4, steps = 10000;

/// A text as numbers of words, the most frequent ones first; 0 stands for all
/// that are rare.
struct Text {
  std::vector<std::string> vocabulary = {"?"};
  std::vector<int32_t> words;
  std::vector<double> shares; ///< of the text, by word

  explicit Text(const std::string &path) {
    std::ifstream file(path);
    if (!file)
      check(notFoundError("cannot open " + path));
    std::vector<std::string> all(1);
    for (char c; file.get(c);)
      if (std::isalpha(static_cast<unsigned char>(c)))
        all.back() += static_cast<char>(std::tolower(c));
      else if (!all.back().empty())
        all.emplace_back();
    std::map<std::string, int> counts;
    for (const std::string &word : all)
      ++counts[word];
    std::vector<std::pair<int, std::string>> order;
    for (const auto &[word, count] : counts)
      order.emplace_back(-count, word);
    std::ranges::sort(order);
    std::map<std::string, int32_t> numbers;
    for (const auto &[count, word] : order)
      if (vocabulary.size() < vocabularySize) {
        numbers[word] = static_cast<int32_t>(vocabulary.size());
        vocabulary.push_back(word);
      }
    shares.resize(vocabulary.size());
    for (const std::string &word : all) {
      words.push_back(numbers.contains(word) ? numbers[word] : 0);
      shares[words.back()] += 1. / static_cast<double>(all.size());
    }
  }
};

/// Words, and for each one that stands at most `window` words away. Words that
/// are everywhere say little: most of them are left out.
struct Batch {
  std::vector<int32_t> words, contexts;
  Batch(const Text &text, std::mt19937 &random) {
    std::uniform_real_distribution<double> chance;
    auto isTaken = [&](int32_t word) {
      return word != 0 && chance(random) < std::sqrt(1e-3 / text.shares[word]);
    };
    while (words.size() < batchSize) {
      size_t at = random() % text.words.size(),
             distance = 1 + random() % window;
      size_t other = random() % 2 ? at + distance : at - distance;
      if (other >= text.words.size() || !isTaken(text.words[at]) ||
          !isTaken(text.words[other]))
        continue;
      words.push_back(text.words[at]);
      contexts.push_back(text.words[other]);
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  Text text(argc > 1 ? argv[1] : "alice.txt");
  const std::string folder = argc > 2 ? argv[2] : "word2vec.out";
  if (text.vocabulary.size() < vocabularySize)
    check(invalidArgumentError("expected a text with more words"));

  setRandomSeed(1);
  Output words = ops::placeholder(DType::Int32, {batchSize}, {.name = "words"});
  Output contexts =
      ops::placeholder(DType::Int32, {batchSize}, {.name = "contexts"});
  Variable embeddings(
      ops::randomUniform({vocabularySize, embeddingSize}, -1., 1.),
      {.name = "embeddings"});
  Variable weights(
      ops::truncatedNormal({vocabularySize, embeddingSize}, {.stddev = 0.2}),
      {.name = "nce_weights"});
  Variable biases(ops::zeros({vocabularySize}), {.name = "nce_biases"});
  Output loss = ops::reduceMean(ops::nceLoss(
      weights, biases, ops::expandDims(contexts, 1),
      ops::embeddingLookup(embeddings, words), numSampled, vocabularySize));
  Variable step = createGlobalStep();
  const Node *train = AdamOptimizer(0.003).minimize(loss, {.globalStep = step});
  summary::scalar("loss", loss);
  summary::histogram("embeddings", embeddings);
  Output summaries = summary::mergeAll();

  // How alike two words are: the cosine of their embeddings.
  Output length =
      ops::sqrt(ops::reduceSum(ops::square(embeddings), 1, {.keepDims = true}));
  Output normalized = embeddings / length;
  Output which = ops::placeholder(DType::Int32, {-1}, {.name = "which"});
  Output alike = ops::matMul(ops::gather(normalized, which), normalized,
                             {.transposeB = true});
  Output nearest = ops::topK(alike, 6).indices;
  Saver saver;

  SessionScope session(check(makeSession()));
  check(run(globalVariablesInitializer()));
  auto log = check(summary::FileWriter::create(folder + "/log"));
  check(log.addGraph(GraphBuilder::current()));
  std::mt19937 random(1);
  float sum = 0, first = 0, last = 0;
  for (int64_t i = 1; i <= steps; ++i) {
    Batch batch(text, random);
    FeedValues feeds = {{words, batch.words}, {contexts, batch.contexts}};
    auto [value, done] = check(eval(std::pair(loss, train), feeds));
    sum += value.data<float>()[0];
    if (i % 100 == 0)
      check(log.addSummary(check(eval(summaries, feeds)), i));
    if (i % 1000 == 0) {
      last = sum / 1000;
      first = i == 1000 ? last : first;
      sum = 0;
      std::printf("step %5lld, mean loss %.3f\n", static_cast<long long>(i),
                  last);
      check(saver.save(*defaultSession(), folder + "/model",
                       {.globalStep = step}));
    }
  }
  check(log.close());

  // Another session goes on where the last checkpoint is.
  SessionScope later(check(makeSession()));
  check(saver.restore(*defaultSession(), check(latestCheckpoint(folder))));
  std::vector<int32_t> asked;
  for (const char *word : {"mock", "queen", "king", "alice", "rabbit", "tea"})
    asked.push_back(static_cast<int32_t>(
        std::ranges::find(text.vocabulary, word) - text.vocabulary.begin()));
  Tensor found = check(eval(nearest, {{which, asked}}));
  for (size_t i = 0; i < asked.size(); ++i) {
    for (size_t k = 0; k < 6; ++k)
      std::printf(k ? " %s" : "%-8s",
                  text.vocabulary[found.data<int32_t>()[6 * i + k]].c_str());
    std::printf("\n");
  }
  std::printf("step %lld restored; the loss fell to %.0f %%\n",
              static_cast<long long>(check(eval(step)).data<int64_t>()[0]),
              100 * last / first);
}
