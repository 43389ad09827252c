// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run has taken of random streams, for the run that begins in its place.
#ifndef KILN_RUNTIME_RANDOM_STREAMLOG_H
#define KILN_RUNTIME_RANDOM_STREAMLOG_H

#include "runtime/random/RandomStream.h"

#include <vector>

namespace kiln {

/// Notes what a run takes, and gives it out once more, each stream in the order
/// in which it was taken.
///
/// Memory: a loop that draws equally many samples in each iteration is one
/// note, unless other runs draw from the stream beside it. **Ownership**:
/// borrows the streams. Thread safety: one thread.
class StreamLog {
public:
  /// As RandomStream::reserve(), and notes it.
  void reserve(RandomStream &stream, uint64_t samples, uint32_t *words) {
    stream.reserve(samples, words);
    uint64_t first = RandomStream::positionIn(words);
    std::vector<Stretch> &taken = of(stream).taken;
    if (!taken.empty() && taken.back().samples == samples &&
        taken.back().first + taken.back().count * samples == first)
      ++taken.back().count;
    else
      taken.push_back({first, samples, 1});
  }
  /// Gives the stream's next stretch that is noted; false where none is left.
  bool replay(const RandomStream &stream, uint64_t samples,
              uint32_t *words) noexcept {
    for (Notes &notes : all) {
      if (notes.stream != &stream || notes.next == notes.taken.size())
        continue;
      Stretch &stretch = notes.taken[notes.next];
      if (stretch.samples != samples)
        return false;
      stream.locate(stretch.first, words);
      stretch.first += samples;
      if (--stretch.count == 0)
        ++notes.next;
      return true;
    }
    return false;
  }

private:
  struct Stretch {
    uint64_t first, samples, count; ///< `count` times `samples` from `first` on
  };
  struct Notes {
    const RandomStream *stream;
    std::vector<Stretch> taken;
    size_t next = 0; ///< the first that is not given out
  };
  Notes &of(const RandomStream &stream) {
    for (Notes &notes : all)
      if (notes.stream == &stream)
        return notes;
    return all.emplace_back(Notes{&stream, {}});
  }

  std::vector<Notes> all; ///< a graph has few random nodes
};

} // namespace kiln

#endif // KILN_RUNTIME_RANDOM_STREAMLOG_H
