// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What layers of C++ compute with, as attributes of Python's objects.
//
// C++ reads "units", "activation", "kernel" and the like before it builds and
// before each call, and the variables that it makes become attributes. So
// programs may change them, and put tensors in the place of variables.
#ifndef KILN_PYTHON_BIND_FRONT_LAYERATTRIBUTES_H
#define KILN_PYTHON_BIND_FRONT_LAYERATTRIBUTES_H

#include "kiln/LayerClasses.h"
#include "python/bind/front/VariableValues.h"

namespace kiln::python::front {

template <> struct From<layers::Axes> {
  static layers::Axes convert(PyObject *value) {
    return from<std::vector<int64_t>>(value);
  }
};
template <class A, class B> struct From<std::pair<A, B>> {
  static std::pair<A, B> convert(PyObject *value) {
    std::vector<nanobind::object> both = elementsOf(value);
    if (both.size() != 2)
      throw nanobind::value_error("expected a pair");
    return {from<A>(both[0].ptr()), from<B>(both[1].ptr())};
  }
};

/// Reads members from attributes.
struct FromAttributes {
  nanobind::handle self;
  template <class T> void operator()(const char *name, T &member) const {
    nanobind::object value = self.attr(name);
    if constexpr (requires { member.has_value(); }) {
      member = from<T>(value.ptr());
    } else {
      if (!value.is_none())
        member = from<T>(value.ptr());
      else if constexpr (std::is_default_constructible_v<T>)
        member = T();
    }
  }
};
/// Makes the graph hold the attributes that it will call.
struct KeepConstraint {
  nanobind::handle self;
  template <class T> void operator()(const char *name, T &) const {
    if constexpr (std::is_same_v<T, Constraint>) {
      nanobind::object value = self.attr(name);
      keepCallables({value.ptr()});
    }
  }
};
struct ToAttributes {
  nanobind::handle self;
  void operator()(const char *name, const Weight &weight) const {
    self.attr(name) = weight.isValid() ? toPython(weight) : nanobind::none();
  }
};

// For each class: what it needs in a call, what it needs to build beside that,
// and its weights.

template <class F> void visitCall(layers::Layer &, const F &) {}
template <class F> void visitBuild(layers::Layer &, const F &) {}
template <class F> void visitWeights(layers::Layer &, const F &) {}

template <class Options, class F>
void visitKernelAndBias(Options &options, const F &visit) {
  visit("kernel_initializer", options.kernelInitializer);
  visit("bias_initializer", options.biasInitializer);
  visit("kernel_regularizer", options.kernelRegularizer);
  visit("bias_regularizer", options.biasRegularizer);
  visit("kernel_constraint", options.kernelConstraint);
  visit("bias_constraint", options.biasConstraint);
}
template <class AnyLayer, class F>
void visitConvolution(AnyLayer &layer, const F &visit) {
  visit("filters", layer.filters);
  visit("kernel_size", layer.kernelSize);
  visit("strides", layer.options.strides);
  visit("padding", layer.options.padding);
  visit("data_format", layer.options.dataFormat);
  visit("dilation_rate", layer.options.dilationRate);
  visit("activation", layer.options.activation);
  visit("use_bias", layer.options.useBias);
}

template <class F> void visitCall(layers::Dense &layer, const F &visit) {
  visit("units", layer.units);
  visit("activation", layer.options.activation);
  visit("use_bias", layer.options.useBias);
}
template <class F> void visitBuild(layers::Dense &layer, const F &visit) {
  visitKernelAndBias(layer.options, visit);
}
template <class F> void visitWeights(layers::Dense &layer, const F &visit) {
  visit("kernel", layer.kernel);
  visit("bias", layer.bias);
}

template <class F> void visitCall(layers::Convolution &layer, const F &visit) {
  visitConvolution(layer, visit);
}
template <class F> void visitBuild(layers::Convolution &layer, const F &visit) {
  visitKernelAndBias(layer.options, visit);
}
template <class F>
void visitWeights(layers::Convolution &layer, const F &visit) {
  visit("kernel", layer.kernel);
  visit("bias", layer.bias);
}

template <class F>
void visitCall(layers::TransposedConvolution &layer, const F &visit) {
  visitConvolution(layer, visit);
}
template <class F>
void visitBuild(layers::TransposedConvolution &layer, const F &visit) {
  visitKernelAndBias(layer.options, visit);
}
template <class F>
void visitWeights(layers::TransposedConvolution &layer, const F &visit) {
  visit("kernel", layer.kernel);
  visit("bias", layer.bias);
}

template <class F>
void visitCall(layers::SeparableConvolution &layer, const F &visit) {
  visitConvolution(layer, visit);
  visit("depth_multiplier", layer.options.depthMultiplier);
}
template <class F>
void visitBuild(layers::SeparableConvolution &layer, const F &visit) {
  layers::SeparableConvolutionOptions &options = layer.options;
  visit("depthwise_initializer", options.depthwiseInitializer);
  visit("pointwise_initializer", options.pointwiseInitializer);
  visit("bias_initializer", options.biasInitializer);
  visit("depthwise_regularizer", options.depthwiseRegularizer);
  visit("pointwise_regularizer", options.pointwiseRegularizer);
  visit("bias_regularizer", options.biasRegularizer);
  visit("depthwise_constraint", options.depthwiseConstraint);
  visit("pointwise_constraint", options.pointwiseConstraint);
  visit("bias_constraint", options.biasConstraint);
}
template <class F>
void visitWeights(layers::SeparableConvolution &layer, const F &visit) {
  visit("depthwise_kernel", layer.depthwiseKernel);
  visit("pointwise_kernel", layer.pointwiseKernel);
  visit("bias", layer.bias);
}

template <class F> void visitCall(layers::Pooling &layer, const F &visit) {
  visit("pool_size", layer.poolSize);
  visit("strides", layer.strides);
  visit("padding", layer.options.padding);
  visit("data_format", layer.options.dataFormat);
}
template <class F> void visitCall(layers::Flatten &layer, const F &visit) {
  visit("data_format", layer.options.dataFormat);
}
template <class F> void visitCall(layers::Dropout &layer, const F &visit) {
  visit("rate", layer.options.rate);
  visit("_noise", layer.options.noiseShape);
  visit("seed", layer.options.seed);
}

template <class F>
void visitCall(layers::BatchNormalization &layer, const F &visit) {
  layers::BatchNormalizationOptions &options = layer.options;
  visit("axis", options.axis);
  visit("momentum", options.momentum);
  visit("epsilon", options.epsilon);
  visit("center", options.center);
  visit("scale", options.scale);
  visit("renorm", options.renorm);
  visit("_renorm_min", options.renormMin);
  visit("_renorm_max", options.renormMax);
  visit("_renorm_shift", options.renormShift);
  visit("renorm_momentum", options.renormMomentum);
  visit("fused", options.fused);
  visit("virtual_batch_size", options.virtualBatchSize);
  visit("adjustment", options.adjustment);
}
template <class F>
void visitBuild(layers::BatchNormalization &layer, const F &visit) {
  layers::BatchNormalizationOptions &options = layer.options;
  visit("beta_initializer", options.betaInitializer);
  visit("gamma_initializer", options.gammaInitializer);
  visit("moving_mean_initializer", options.movingMeanInitializer);
  visit("moving_variance_initializer", options.movingVarianceInitializer);
  visit("beta_regularizer", options.betaRegularizer);
  visit("gamma_regularizer", options.gammaRegularizer);
  visit("beta_constraint", options.betaConstraint);
  visit("gamma_constraint", options.gammaConstraint);
}
template <class F>
void visitWeights(layers::BatchNormalization &layer, const F &visit) {
  visit("gamma", layer.gamma);
  visit("beta", layer.beta);
  visit("moving_mean", layer.movingMean);
  visit("moving_variance", layer.movingVariance);
  if (!layer.options.renorm)
    return;
  visit("moving_stddev", layer.movingDeviation);
  visit("renorm_mean", layer.renormMean);
  visit("renorm_stddev", layer.renormDeviation);
}

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_LAYERATTRIBUTES_H
