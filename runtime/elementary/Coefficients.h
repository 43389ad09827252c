// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomial coefficients of the elementary functions, lowest power first,
// written by fit_coefficients.py; a comment gives what is approximated, where,
// and log2 of the error relative to the function.
#ifndef KILN_RUNTIME_ELEMENTARY_COEFFICIENTS_H
#define KILN_RUNTIME_ELEMENTARY_COEFFICIENTS_H

#include <array>
#include <cstdint>

namespace kiln::elementary {

template <int Bits> struct Coefficients;

template <> struct Coefficients<32> {
  // (exp(r) - 1 - r) / r^2, |r| <= log(2)/2: -28.0
  static constexpr std::array<double, 5> kExp = {0x1.fffff8p-2, 0x1.55548ep-3,
                                                 0x1.555b98p-5, 0x1.123be4p-7,
                                                 0x1.6851b6p-10};
  // (exp(r) - 1 - r) / r^2, |r| <= 0.56: -26.9
  static constexpr std::array<double, 6> kExpm1 = {
      0x1.000002p-1, 0x1.55554cp-3,  0x1.55516p-5,
      0x1.1115cep-7, 0x1.6f83d8p-10, 0x1.9f73e2p-13};
  // (log(1 + f) - f + f^2/2) / f^3, sqrt(1/2) <= 1 + f < sqrt(2): -30.1
  static constexpr std::array<double, 9> kLog = {
      0x1.555546p-2,  -0x1.00000ap-2, 0x1.99a546p-3,
      -0x1.555ae4p-3, 0x1.232cfap-3,  -0x1.fc4dap-4,
      0x1.e7a54ep-4,  -0x1.dd651p-4,  0x1.11c874p-4};
  // (sin(r) - r) / r^3 by r^2, |r| <= pi/4: -27.8
  static constexpr std::array<double, 3> kSin = {-0x1.555544p-3, 0x1.1106e6p-7,
                                                 -0x1.992ce4p-13};
  // (cos(r) - 1 + r^2/2) / r^4 by r^2, |r| <= pi/4: -33.1
  static constexpr std::array<double, 3> kCos = {0x1.55554ap-5, -0x1.6c0c2ep-10,
                                                 0x1.99eac8p-16};
  // (atan(t) - t) / t^3 by t^2, 0 <= t <= 1: -28.2
  static constexpr std::array<double, 9> kAtan = {
      -0x1.55553ap-2, 0x1.9991p-3,    -0x1.24177ap-3,
      0x1.c0317ep-4,  -0x1.5709bap-4, 0x1.d6de14p-5,
      -0x1.f722e6p-6, 0x1.5d871ap-7,  -0x1.c7dc84p-10};
  // (tanh(x) - x) / x^3 by x^2, |x| <= 0.625: -27.8
  static constexpr std::array<double, 5> kTanh = {-0x1.555532p-2, 0x1.1106fep-3,
                                                  -0x1.b8378p-5, 0x1.52095ep-6,
                                                  -0x1.7567ecp-8};
  // (sinh(x) - x) / x^3 by x^2, |x| <= 1: -31.4
  static constexpr std::array<double, 4> kSinh = {
      0x1.555556p-3, 0x1.1110eap-7, 0x1.a01c22p-13, 0x1.76771ep-19};
  // erf(x) / x - 1 by x^2, |x| <= 0.9: -30.2
  static constexpr std::array<double, 7> kErf = {
      0x1.06eba8p-3, -0x1.812742p-2,  0x1.ce2dfap-4, -0x1.b80ee8p-6,
      0x1.54d5a2p-8, -0x1.aafd0ap-11, 0x1.5fff4cp-14};
  // log(erfc(1 + u)), -0.1 <= u, up to where erf rounds to 1: -26.7
  static constexpr std::array<double, 10> kLogErfc = {
      -0x1.d97fcp0,    -0x1.51c9b2p1,   -0x1.afab06p-1, -0x1.547524p-5,
      0x1.43ffdp-7,    -0x1.830cb2p-10, -0x1.04355p-11, 0x1.2601f6p-11,
      -0x1.bdb924p-13, 0x1.faed7cp-16};
  // (asin(t) - t) / t^3 by t^2, 0 <= t <= 1/2: -27.6
  static constexpr std::array<double, 5> kAsin = {
      0x1.5555c8p-3, 0x1.330246p-4, 0x1.747212p-5, 0x1.8caecep-6, 0x1.58f46p-5};
  // (asinh(x) - x) / x^3 by x^2, |x| <= 1/2: -29.5
  static constexpr std::array<double, 5> kAsinh = {
      -0x1.555534p-3, 0x1.33246ep-4, -0x1.6b8ab4p-5, 0x1.cd0324p-6,
      -0x1.b0254ep-7};
  // (atanh(x) - x) / x^3 by x^2, |x| <= 1/2: -29.4
  static constexpr std::array<double, 6> kAtanh = {
      0x1.55554p-2,  0x1.99a65cp-3, 0x1.23507ep-3,
      0x1.e3c6f8p-4, 0x1.a890fp-5,  0x1.688dccp-3};
  // erfc(x) exp(x^2) (2 x + 1) - 5/4 by t = (x - 4) / (x + 4), 1/2 <= x, up to
  // where erfc vanishes: -28.4
  static constexpr std::array<double, 10> kErfcTail = {
      -0x1.169ba6p-6, -0x1.1df1aap-3, 0x1.f7f75p-7,   0x1.16eb5p-4,
      -0x1.9ddfb6p-4, 0x1.8008f4p-4,  -0x1.0f79a2p-4, 0x1.2f369p-5,
      -0x1.0e8e6p-6,  0x1.5bd7aep-8};
  // (log((1+t)/(1-t)) - 2t - 2/3 t^3) / t^5 by t^2, |t| <= 0.1716: -35.7
  static constexpr std::array<double, 3> kPowLog = {
      0x1.999a02p-2, 0x1.2451d4p-2, 0x1.dfbd18p-3};
};

template <> struct Coefficients<64> {
  // (exp(r) - 1 - r) / r^2, |r| <= log(2)/2: -57.6
  static constexpr std::array<double, 10> kExp = {
      0x1.000000000000cp-1,  0x1.5555555555516p-3,  0x1.555555554fe4fp-5,
      0x1.1111111120de9p-7,  0x1.6c16c185f22a1p-10, 0x1.a01a014ee4471p-13,
      0x1.a01995f62aca1p-16, 0x1.71ded4c04fe69p-19, 0x1.28b0c153e12d4p-22,
      0x1.adfdba672304cp-26};
  // (exp(r) - 1 - r) / r^2, |r| <= 0.56: -58.3
  static constexpr std::array<double, 12> kExpm1 = {
      0x1.fffffffffffffp-2,  0x1.5555555555556p-3,  0x1.5555555555798p-5,
      0x1.1111111110f31p-7,  0x1.6c16c16baed69p-10, 0x1.a01a01a07b331p-13,
      0x1.a01a02ab09d78p-16, 0x1.71de39e812896p-19, 0x1.27e3a7211acbep-22,
      0x1.ae6460e2cefd7p-26, 0x1.2092f09396b7dp-29, 0x1.6218e08faf5b1p-33};
  // (log(1 + f) - f + f^2/2) / f^3, sqrt(1/2) <= 1 + f < sqrt(2): -59.0
  static constexpr std::array<double, 20> kLog = {
      0x1.555555555556fp-2,  -0x1.ffffffffffe54p-3, 0x1.99999999946f2p-3,
      -0x1.555555556dc05p-3, 0x1.249249277ee5cp-3,  -0x1.fffffff19379fp-4,
      0x1.c71c70228f753p-4,  -0x1.99999b0aa7984p-4, 0x1.745d5a357fdp-4,
      -0x1.55556aa73ef09p-4, 0x1.3b0d57a39416ep-4,  -0x1.248a1b1898744p-4,
      0x1.116c40df92bbfp-4,  -0x1.00c7ce122402ep-4, 0x1.dc64f46e38294p-5,
      -0x1.b4a53621f7de2p-5, 0x1.bcee3ad28b594p-5,  -0x1.010304385109dp-4,
      0x1.cf57d3b74cc84p-5,  -0x1.8804c5c4713f2p-6};
  // (sin(r) - r) / r^3 by r^2, |r| <= pi/4: -62.9
  static constexpr std::array<double, 7> kSin = {
      -0x1.5555555555555p-3, 0x1.111111111108ap-7,   -0x1.a01a01a0069ebp-13,
      0x1.71de3a3fcb56p-19,  -0x1.ae643ce04a407p-26, 0x1.61146946963c8p-33,
      -0x1.a54035557cc3ap-41};
  // (cos(r) - 1 + r^2/2) / r^4 by r^2, |r| <= pi/4: -64.1
  static constexpr std::array<double, 6> kCos = {
      0x1.555555555554bp-5,   -0x1.6c16c16c15048p-10, 0x1.a01a019c96f2p-16,
      -0x1.27e4f7f867ce9p-22, 0x1.1ee9e0f20dd4cp-29,  -0x1.8fa9538717ea1p-37};
  // (atan(t) - t) / t^3 by t^2, 0 <= t <= 1: -59.9
  static constexpr std::array<double, 21> kAtan = {
      -0x1.555555555554bp-2,  0x1.99999999989ecp-3,  -0x1.249249244e624p-3,
      0x1.c71c71b42921ep-4,   -0x1.745d15aa95715p-4, 0x1.3b1399f76a62dp-4,
      -0x1.111022223aed6p-4,  0x1.e1d3b3d6b079ap-5,  -0x1.aed647841f2b5p-5,
      0x1.84a5179bb6cccp-5,   -0x1.5ef774f9b165dp-5, 0x1.389d4833585fep-5,
      -0x1.0bd8afd699f58p-5,  0x1.aa5f6b2ef2068p-6,  -0x1.2e9fe27007627p-6,
      0x1.6ec7a75abe657p-7,   -0x1.6a7518c22cdp-8,   0x1.14dd17213b6e2p-9,
      -0x1.3003f47f860dcp-11, 0x1.a87f7709c94cap-14, -0x1.19e6ea6748fdap-17};
  // (tanh(x) - x) / x^3 by x^2, |x| <= 0.625: -56.3
  static constexpr std::array<double, 11> kTanh = {
      -0x1.55555555554f9p-2,  0x1.111111110a79dp-3,  -0x1.ba1ba1b4d37dep-5,
      0x1.664f4772eeaap-6,    -0x1.226e157319413p-7, 0x1.d6cf12fb7eabfp-9,
      -0x1.7d67dd1e84383p-10, 0x1.3361643c7a234p-11, -0x1.df32372eccf59p-13,
      0x1.4345fb3785c34p-14,  -0x1.0d1ca4041bdf4p-16};
  // (sinh(x) - x) / x^3 by x^2, |x| <= 1: -62.6
  static constexpr std::array<double, 8> kSinh = {
      0x1.5555555555555p-3,  0x1.111111111117dp-7,  0x1.a01a01a00d838p-13,
      0x1.71de3a60e19c6p-19, 0x1.ae644af273db6p-26, 0x1.612ae640f85abp-33,
      0x1.aaa0650fda944p-41, 0x1.43c91495282fdp-48};
  // erf(x) / x - 1 by x^2, |x| <= 0.9: -56.4
  static constexpr std::array<double, 13> kErf = {
      0x1.06eba8214db69p-3,   -0x1.812746b037a03p-2,  0x1.ce2f21a043c64p-4,
      -0x1.b82ce312d0688p-6,  0x1.565bcd1952edfp-8,   -0x1.c02db60dc15fdp-11,
      0x1.f9a36790b4c96p-14,  -0x1.f4d7b0cfe70b5p-17, 0x1.ba32df9cdf331p-20,
      -0x1.62460b70c3f35p-23, 0x1.0f4dd835cf4d7p-26,  -0x1.c376957e5c594p-30,
      0x1.5d1a3e4c7c6b1p-33};
  // log(erfc(1 + u)), -0.1 <= u, up to where erf rounds to 1: -58.7
  static constexpr std::array<double, 28> kLogErfc = {
      -0x1.d97fbf27aa2a1p0,   -0x1.51c9b0006c23dp1,   -0x1.afabc11a28f6ap-1,
      -0x1.5477f09ca87dbp-5,  0x1.48c9d40c67f99p-7,   -0x1.033f69a270581p-9,
      0x1.f1b4bb73006d6p-13,  0x1.b8bfa17be326fp-16,  -0x1.c7634e15fc265p-16,
      0x1.41a6647754882p-17,  -0x1.120befc3c24p-19,   0x1.3cd340f878d04p-23,
      0x1.0d6cb2cdce614p-24,  0x1.ecdbf41d98d68p-31,  -0x1.20f13ce9eac5cp-25,
      0x1.c1a3f8e1687fbp-26,  -0x1.3aad4a6589543p-27, -0x1.4023b9094b4f5p-30,
      0x1.f367bf499a082p-29,  -0x1.5d2917556dc6p-29,  0x1.35ce17cd32e99p-30,
      -0x1.8b1b830e9ddeep-32, 0x1.75590dbc36a9fp-34,  -0x1.04c3dbe3775d9p-36,
      0x1.068bd83c64232p-39,  -0x1.690e4b64bb23bp-43, 0x1.2fcc3f067b4p-47,
      -0x1.d81783a9bd602p-53};
  // (asin(t) - t) / t^3 by t^2, 0 <= t <= 1/2: -55.8
  static constexpr std::array<double, 12> kAsin = {
      0x1.5555555555399p-3, 0x1.333333336d0c6p-4,  0x1.6db6db438bf1dp-5,
      0x1.f1c72bdb3836fp-6, 0x1.6e89fd4d337c6p-6,  0x1.1c6b575742861p-6,
      0x1.c70876a6feda2p-7, 0x1.8e7ce740fc94ep-7,  0x1.ae2946e15bc09p-8,
      0x1.3e5cdb40af60fp-6, -0x1.075a90079030dp-6, 0x1.04975b2137fa3p-5};
  // (asinh(x) - x) / x^3 by x^2, |x| <= 1/2: -64.5
  static constexpr std::array<double, 13> kAsinh = {
      -0x1.5555555555554p-3, 0x1.3333333332ffbp-4,  -0x1.6db6db6d8ab84p-5,
      0x1.f1c71c5e9275ap-6,  -0x1.6e8ba06ded762p-6, 0x1.1c4e8ff53f92fp-6,
      -0x1.c99397846088ep-7, 0x1.7a4a6d7626e69p-7,  -0x1.3e245826dc12p-7,
      0x1.0a056c7e49918p-7,  -0x1.9e0854e257ccp-8,  0x1.0093265d316cp-8,
      -0x1.64276c036495p-10};
  // (atanh(x) - x) / x^3 by x^2, |x| <= 1/2: -60.9
  static constexpr std::array<double, 14> kAtanh = {
      0x1.555555555554cp-2,  0x1.999999999b337p-3,  0x1.24924923cb325p-3,
      0x1.c71c7229383bbp-4,  0x1.745d08eee8249p-4,  0x1.3b150c0919216p-4,
      0x1.10fac7badc258p-4,  0x1.e3e3d316b5b2ep-5,  0x1.9eb1dd9f1ac4cp-5,
      0x1.e634f005606aep-5,  -0x1.2ccc1bfb1333dp-8, 0x1.62cfaa07ced25p-3,
      -0x1.8d0931e72a771p-3, 0x1.eb189842c853bp-3};
  // erfc(x) exp(x^2) (2 x + 1) - 5/4 by t = (x - 4) / (x + 4), 1/2 <= x, up to
  // where erfc vanishes: -59.8
  static constexpr std::array<double, 24> kErfcTail = {
      -0x1.169ba4580a04dp-6,  -0x1.1df1ad154a28ep-3,  0x1.f7f5df66fd74bp-7,
      0x1.16ecefcfa535dp-4,   -0x1.9ddb23c3e8e28p-4,  0x1.7fee004e12d05p-4,
      -0x1.0fb06dfe4cf49p-4,  0x1.3079edf671773p-5,   -0x1.09623884642bp-6,
      0x1.49c6728bc2fb8p-8,   -0x1.8d4a9a7f088dp-11,  -0x1.a1df29fec63edp-13,
      0x1.3be0473f6cfb7p-13,  -0x1.9958a9a3e4185p-16, -0x1.78863f88e9749p-17,
      0x1.7f220c646c66ep-18,  0x1.39d74cc6d0228p-22,  -0x1.bab4d5418e1f8p-21,
      0x1.48f65ce707c8dp-24,  0x1.d6198d1f603b1p-24,  -0x1.4c43ac868cedp-26,
      -0x1.df49971ea4b66p-27, 0x1.3a32190558ffcp-29,  0x1.644b8c74258b9p-30};
  // (log((1+t)/(1-t)) - 2t - 2/3 t^3) / t^5 by t^2, |t| <= 0.1716: -72.2
  static constexpr std::array<double, 8> kPowLog = {
      0x1.9999999999995p-2, 0x1.249249249315p-2,  0x1.c71c71c5643f4p-3,
      0x1.745d183df299ap-3, 0x1.3b135ffcec51ep-3, 0x1.1121132e69badp-3,
      0x1.de2606d2d7fa5p-4, 0x1.eb77276c70aefp-4};
};

// The bits of 2/pi behind 33 zeros: bit p (from the left, from 0) weighs 2^(32
// - p).
inline constexpr std::array<uint32_t, 7> kTwoOverPi32 = {
    0x00000000, 0x517cc1b7, 0x27220a94, 0xfe13abe8,
    0xfa9a6ee0, 0x6db14acc, 0x9e21c820};

// The bits of 2/pi behind 65 zeros: bit p (from the left, from 0) weighs 2^(64
// - p).
inline constexpr std::array<uint64_t, 19> kTwoOverPi64 = {
    0x0000000000000000, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0,
    0x6db14acc9e21c820, 0xff28b1d5ef5de2b0, 0xdb92371d2126e970,
    0x0324977504e8c90e, 0x7f0ef58e5894d39f, 0x74411afa975da242,
    0x74ce38135a2fbf20, 0x9cc8eb1cc1a99cfa, 0x4e422fc5defc941d,
    0x8ffc4bffef02cc07, 0xf79788c5ad05368f, 0xb69b3f6793e584db,
    0xa7a31fb34f2ff516, 0xba93dd63f5f2f8bd, 0x9e839cfbc5294975,
    0x35fdafd88fc6ae84};

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_COEFFICIENTS_H
