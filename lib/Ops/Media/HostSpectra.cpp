// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spectrograms of sounds, and what of them a listener tells apart.
#include "lib/Ops/Media/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace kiln::host {
namespace {

using Complex = std::complex<double>;

/// The discrete Fourier transform of vectors of one length, a power of two, by
/// halves: first those of two elements, then of four, and so on.
class Fourier {
public:
  explicit Fourier(size_t length) : length(length), roots(length / 2) {
    for (size_t i = 0; i < roots.size(); ++i)
      roots[i] =
          std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) /
                              static_cast<double>(length));
  }

  void transform(std::vector<Complex> &numbers) const {
    for (size_t i = 1, reversed = 0; i < length; ++i) {
      size_t bit = length / 2;
      for (; reversed & bit; bit /= 2)
        reversed ^= bit;
      reversed |= bit;
      if (i < reversed)
        std::swap(numbers[i], numbers[reversed]);
    }
    for (size_t half = 1; half < length; half *= 2)
      for (size_t begin = 0; begin < length; begin += 2 * half)
        for (size_t i = 0; i < half; ++i) {
          Complex &low = numbers[begin + i], &high = numbers[begin + half + i];
          const Complex &root = roots[i * (length / 2 / half)];
          // Written out: the operator looks for infinities.
          const Complex turned(
              root.real() * high.real() - root.imag() * high.imag(),
              root.real() * high.imag() + root.imag() * high.real());
          high = low - turned;
          low += turned;
        }
  }

private:
  const size_t length;
  std::vector<Complex> roots;
};

/// What a window of samples is multiplied by: Hann's, which repeats.
std::vector<double> hann(size_t size) {
  std::vector<double> factors(size);
  for (size_t i = 0; i < size; ++i)
    factors[i] =
        0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                             static_cast<double>(size));
  return factors;
}

/// Pitch as a listener hears it.
double toMel(double frequency) { return 1127 * std::log1p(frequency / 700); }

/// What Mfcc is told.
struct Mel {
  int64_t bins, bands, coefficients;
  double rate, lower, upper;

  bool isValid() const {
    return bands >= 1 && rate > 0 && bins >= 2 && lower >= 0 && upper > lower &&
           coefficients >= 1 && coefficients <= bands;
  }
};

/// Bands that overlap, each a triangle over frequencies. **Source**: HTK's, as
/// in TensorFlow.
class MelBands {
public:
  explicit MelBands(const Mel &mel) : count(mel.bands) {
    const double binWidth = 0.5 * mel.rate / static_cast<double>(mel.bins - 1);
    const double low = toMel(mel.lower);
    const double spacing =
        (toMel(mel.upper) - low) / static_cast<double>(mel.bands + 1);
    auto center = [&](int64_t band) {
      return low + spacing * static_cast<double>(band + 1);
    };
    // The constant part is left out.
    const double begin = std::trunc(1.5 + mel.lower / binWidth),
                 end = std::trunc(mel.upper / binWidth);
    isShort = end >= static_cast<double>(mel.bins);
    if (isShort || begin > end)
      return;
    first = static_cast<int64_t>(begin);
    int64_t band = 0;
    for (int64_t bin = first; bin <= static_cast<int64_t>(end); ++bin) {
      const double pitch = toMel(static_cast<double>(bin) * binWidth);
      while (band < count && center(band) < pitch)
        ++band;
      const double right = center(band),
                   left = band > 0 ? center(band - 1) : low;
      bins.push_back({band - 1, (right - pitch) / (right - left)});
    }
  }

  /// Adds the bins' magnitudes up to bands.
  template <class Frame>
  void sum(const Frame &frame, std::vector<double> &bands) const {
    std::fill(bands.begin(), bands.end(), 0.0);
    for (size_t i = 0; i < bins.size(); ++i) {
      const auto &[band, weight] = bins[i];
      const double value =
          std::sqrt(static_cast<double>(frame[static_cast<size_t>(first) + i]));
      const double falling = value * weight;
      if (band >= 0)
        bands[static_cast<size_t>(band)] += falling;
      if (band + 1 < count)
        bands[static_cast<size_t>(band + 1)] += value - falling;
    }
  }

  bool isShort = false; ///< the upper limit is beyond the bins

private:
  struct Bin {
    int64_t band;  ///< whose falling side this is on; -1: of none
    double weight; ///< for this band; the rest is for the next one
  };
  const int64_t count;
  int64_t first = 0;
  std::vector<Bin> bins;
};

/// The first coefficients of the discrete cosine transform, row by row.
std::vector<double> cosines(const Mel &mel) {
  std::vector<double> table;
  const auto bands = static_cast<double>(mel.bands);
  const double norm = std::sqrt(2 / bands), step = std::numbers::pi / bands;
  for (int64_t i = 0; i < mel.coefficients; ++i)
    for (int64_t j = 0; j < mel.bands; ++j)
      table.push_back(norm * std::cos(static_cast<double>(i) * step *
                                      (static_cast<double>(j) + 0.5)));
  return table;
}

} // namespace

Status audioSpectrogram(const HostCall &call) {
  const Tensor &input = call.inputs[0];
  if (input.rank() != 2)
    return invalidArgumentError(
        strCat("input must be 2-dimensional", input.shape().toString()));
  const auto window = call.node.attrOr<int64_t>("window_size", 0),
             stride = call.node.attrOr<int64_t>("stride", 0);
  const bool isSquared = call.node.attrOr("magnitude_squared", false);
  const int64_t samples = input.dim(0), channels = input.dim(1);
  const int64_t frames = samples < window ? 0 : 1 + (samples - window) / stride;
  const auto length =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)));
  const int64_t bins = 1 + length / 2;
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::Float32, Shape({channels, frames, bins})));
  if (frames == 0)
    return okStatus();
  const std::vector<double> factors = hann(static_cast<size_t>(window));
  const Fourier fourier(static_cast<size_t>(length));
  std::vector<Complex> numbers(static_cast<size_t>(length));
  const float *from = input.data<float>().data();
  float *to = call.outputs[0].mutableData<float>().data();
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t frame = 0; frame < frames; ++frame) {
      std::fill(numbers.begin(), numbers.end(), Complex());
      const float *part = from + frame * stride * channels + channel;
      for (size_t i = 0; i < factors.size(); ++i, part += channels)
        numbers[i] = static_cast<double>(*part) * factors[i];
      fourier.transform(numbers);
      for (size_t i = 0; i < static_cast<size_t>(bins); ++i) {
        const auto square =
            static_cast<float>(numbers[i].real() * numbers[i].real() +
                               numbers[i].imag() * numbers[i].imag());
        *to++ = isSquared ? square : std::sqrt(square);
      }
    }
  return okStatus();
}

Status mfcc(const HostCall &call) {
  const Tensor &spectrogram = call.inputs[0], &rates = call.inputs[1];
  if (spectrogram.rank() != 3)
    return invalidArgumentError(strCat("spectrogram must be 3-dimensional",
                                       spectrogram.shape().toString()));
  if (rates.rank() != 0)
    return invalidArgumentError(
        strCat("Input sample_rate should be a scalar tensor, got ",
               rates.shape().toString(), " instead."));
  const int32_t rate = rates.data<int32_t>()[0];
  const Mel mel{
      .bins = spectrogram.dim(2),
      .bands = call.node.attrOr<int64_t>("filterbank_channel_count", 40),
      .coefficients = call.node.attrOr<int64_t>("dct_coefficient_count", 13),
      .rate = static_cast<double>(rate),
      .lower = call.node.attrOr("lower_frequency_limit", 20.0f),
      .upper = call.node.attrOr("upper_frequency_limit", 4000.0f)};
  // More cosines than any table should have.
  constexpr int64_t mostCosines = int64_t{1} << 27;
  if (!mel.isValid() || mel.bands > mostCosines / mel.coefficients)
    return invalidArgumentError(strCat(
        "Mfcc initialization failed for channel count ", mel.bins,
        ", sample rate ", rate, " and filterbank_channel_count ", mel.bands));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::zeros(
          DType::Float32,
          Shape({spectrogram.dim(0), spectrogram.dim(1), mel.coefficients})));
  const MelBands melBands(mel);
  if (melBands.isShort)
    return okStatus(); // zeros, as in TensorFlow
  const std::vector<double> table = cosines(mel);
  std::vector<double> bands(static_cast<size_t>(mel.bands));
  const auto bins = static_cast<size_t>(mel.bins);
  const auto frames =
      static_cast<size_t>(spectrogram.dim(0) * spectrogram.dim(1));
  auto from = spectrogram.data<float>();
  float *to = call.outputs[0].mutableData<float>().data();
  for (size_t frame = 0; frame < frames; ++frame) {
    melBands.sum(from.subspan(frame * bins, bins), bands);
    for (double &band : bands)
      band = std::log(band < 1e-12 ? 1e-12 : band);
    for (size_t i = 0; i < table.size(); i += bands.size()) {
      double sum = 0;
      for (size_t j = 0; j < bands.size(); ++j)
        sum += table[i + j] * bands[j];
      *to++ = static_cast<float>(sum);
    }
  }
  return okStatus();
}

} // namespace kiln::host
