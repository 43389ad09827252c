// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of pictures that promise more than they hold, or never end.
#include "lib/IO/Gif.h"
#include "lib/IO/Jpeg.h"
#include "test/unit/StatusMatchers.h"

#include <vector>

namespace kiln::io {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

constexpr auto invalid = StatusCode::InvalidArgument;

std::string jpeg(bool isProgressive) {
  std::vector<uint8_t> pixels(24 * 24 * 3);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<uint8_t>(i * 13);
  return *encodeJpeg(24, 24, 3, pixels, {.isProgressive = isProgressive});
}

TEST(Jpeg, AtMost500ScansAreRead) {
  const std::string file = jpeg(/*isProgressive=*/true);
  const std::string scan = "\xff\xda";
  size_t scans = 0;
  for (size_t at = file.find(scan); at != file.npos;
       at = file.find(scan, at + 1))
    ++scans;
  const size_t last = file.rfind(scan), end = file.size() - 2;
  auto withScans = [&](size_t count) {
    std::string more = file.substr(0, end);
    for (; count > scans; --count)
      more += file.substr(last, end - last);
    return more + file.substr(end);
  };
  EXPECT_THAT(decodeJpeg(withScans(500), {}), isOk());
  EXPECT_THAT(decodeJpeg(withScans(502), {}), fails(invalid, HasSubstr("")));
}

TEST(Jpeg, AHeaderOfHugeSidesIsRefused) {
  for (bool isProgressive : {false, true}) {
    std::string file = jpeg(isProgressive);
    const size_t frame = file.find(isProgressive ? "\xff\xc2" : "\xff\xc0");
    for (size_t i : {5, 6, 7, 8})
      file[frame + i] = '\xf0';
    EXPECT_THAT(decodeJpeg(file, {}), fails(invalid, HasSubstr("")));
    // An eighth of it along each side would be small enough, but a progressive
    // file is read as a whole first.
    if (isProgressive)
      EXPECT_THAT(decodeJpeg(file, {.ratio = 8}),
                  fails(invalid, HasSubstr("")));
  }
}

TEST(Jpeg, RecoveryOfACutFileEnds) {
  for (bool isProgressive : {false, true}) {
    const std::string file = jpeg(isProgressive);
    for (size_t size = 0; size < file.size(); ++size)
      std::ignore =
          decodeJpeg(file.substr(0, size), {.recoversTruncated = true});
  }
}

std::string word(int64_t number) {
  return {static_cast<char>(number), static_cast<char>(number >> 8)};
}

/// A frame whose codes are not compressed: a pixel of two behind each clear
/// code.
std::string frame(int64_t height, int64_t width) {
  using namespace std::string_literals;
  std::string codes;
  uint32_t bits = 0;
  int count = 0;
  auto append = [&](uint32_t code) {
    bits |= code << count;
    for (count += 3; count >= 8; count -= 8, bits >>= 8)
      codes += static_cast<char>(bits);
  };
  for (int64_t i = 0; i < height * width; ++i) {
    if (i % 2 == 0)
      append(4);
    append(1);
  }
  append(5);
  append(0);
  append(0);
  std::string bytes =
      "," + word(0) + word(0) + word(width) + word(height) + "\0\2"s;
  for (size_t at = 0; at < codes.size(); at += 255) {
    std::string block = codes.substr(at, 255);
    bytes += static_cast<char>(block.size()) + block;
  }
  return bytes + '\0';
}

std::string gif(const std::string &frames) {
  using namespace std::string_literals;
  return "GIF89a" + word(1) + word(1) + "\x80\0\0"s + "\0\0\0\xff\xff\xff"s +
         frames + ";";
}

TEST(Gif, AllFramesTogetherAreBounded) {
  std::string frames = frame(1000, 1000);
  for (int i = 1; i < 300; ++i)
    frames += frame(1, 1);
  int64_t found = 0;
  auto count = [&](int64_t frames) {
    found = frames;
    return frames == 300 ? internalError("enough") : okStatus();
  };
  EXPECT_THAT(decodeGif(gif(frames), true, count),
              fails(StatusCode::Internal, HasSubstr("enough")));
  for (int i = 300; i < 400; ++i)
    frames += frame(1, 1);
  EXPECT_THAT(decodeGif(gif(frames), true, count),
              fails(invalid, HasSubstr("got 400 frames of 1000 by 1000")));
  EXPECT_EQ(found, 400);
  EXPECT_THAT(decodeGif(gif(frames), false, count), isOk());
}

TEST(Gif, AFrameLargerThanItsFileIsRefused) {
  std::string whole = gif(frame(2, 3));
  auto any = [](int64_t) { return okStatus(); };
  EXPECT_THAT(decodeGif(whole, true, any), isOk());
  const size_t sides = whole.find(',') + 5;
  whole.replace(sides, 4, "\xff\xff\xff\x7f");
  EXPECT_THAT(decodeGif(whole, true, any), fails(invalid, HasSubstr("slurp")));
}

} // namespace
} // namespace kiln::io
