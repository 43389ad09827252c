// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tf.layers: layers of C++ behind objects of Python's.
#include "python/bind/front/Call.h"
#include "python/bind/front/LayerObjects.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {
namespace nb = nanobind;

template <> struct From<LayerCore *> {
  static LayerCore *convert(PyObject *value) {
    LayerCore *core = nb::cast<LayerObject &>(nb::handle(value)).core.get();
    if (core)
      return core;
    PyErr_SetString(
        PyExc_RuntimeError,
        "You must call `super().__init__()` in the layer constructor.");
    throw nb::python_error();
  }
};

/// What Python's class of the name says.
template <> struct From<layers::InputSpec> {
  static layers::InputSpec convert(PyObject *value) {
    nb::object given = nb::borrow(value);
    layers::InputSpec spec;
    spec.dtype = dtypeFrom(nb::object(given.attr("dtype")).ptr());
    nb::object shape = given.attr("shape");
    if (!shape.is_none())
      spec.shape = shapeFrom(shape.ptr());
    auto rank = [&](const char *name) {
      return from<std::optional<int>>(nb::object(given.attr(name)).ptr());
    };
    spec.rank = rank("ndim");
    spec.maxRank = rank("max_ndim");
    spec.minRank = rank("min_ndim");
    for (auto [axis, extent] : nb::dict(given.attr("axes")))
      if (!extent.is_none())
        spec.axes.emplace_back(from<int>(axis.ptr()),
                               from<int64_t>(extent.ptr()));
    return spec;
  }
};
/// By the arguments of that class.
template <> struct To<layers::InputSpec> {
  static nb::object convert(const layers::InputSpec &spec) {
    nb::dict axes;
    for (auto [axis, extent] : spec.axes)
      axes[nb::int_(axis)] = nb::int_(extent);
    return nb::make_tuple(toPython(spec.dtype), toPython(spec.shape),
                          toPython(spec.rank), toPython(spec.maxRank),
                          toPython(spec.minRank), axes);
  }
};

namespace {

/// What layers of all kinds are made with.
struct Common {
  std::string kind = {};
  bool trainable = true;
  std::string name = {};
  DType dtype = DType::Invalid;
  Reuse reuse = false;
  layers::Activation activityRegularizer = {};
};

/// Makes the object's layer. Its options are the object's attributes.
template <class Base, class... Arguments>
void make(const nb::object &self, const Common &common,
          Arguments &&...arguments) {
  auto core = std::make_unique<PythonLayer<Base>>(
      std::forward<Arguments>(arguments)..., common.kind);
  layers::Layer &layer = *core;
  layer.setTrainable(common.trainable);
  layer.setDType(common.dtype);
  layer.setReuse(common.reuse);
  layer.setActivityRegularizer(common.activityRegularizer);
  nb::cast<LayerObject &>(self).core = std::move(core);
}

std::vector<int64_t> sizes(int64_t axes) {
  return std::vector<int64_t>(static_cast<size_t>(axes), 1);
}

/// A layer whose parts are all Python's.
class BareLayer : public layers::Layer {
public:
  BareLayer(const layers::LayerOptions &options, std::string kind)
      : Layer(std::move(kind), options) {}
};

PyMethodDef kinds[] = {
    function_<[](const nb::object &self, const Common &common) {
      make<BareLayer>(self, common, layers::LayerOptions{.name = common.name});
    }>("bare_layer"),
    function_<[](const nb::object &self, const Common &common) {
      make<layers::Dense>(self, common, 1,
                          layers::DenseOptions{.name = common.name});
    }>("dense_layer"),
    function_<[](const nb::object &self, int64_t axes, const Common &common) {
      make<layers::Convolution>(
          self, common, 1, sizes(axes),
          layers::ConvolutionOptions{.name = common.name});
    }>("convolution_layer"),
    function_<[](const nb::object &self, int64_t axes, const Common &common) {
      make<layers::TransposedConvolution>(
          self, common, 1, sizes(axes),
          layers::ConvolutionOptions{.name = common.name});
    }>("transposed_convolution_layer"),
    function_<[](const nb::object &self, int64_t axes, const Common &common) {
      make<layers::SeparableConvolution>(
          self, common, 1, sizes(axes),
          layers::SeparableConvolutionOptions{.name = common.name});
    }>("separable_convolution_layer"),
    function_<[](const nb::object &self, int64_t axes, bool ofMaxima,
                 const Common &common) {
      using Of = layers::Pooling::Of;
      make<layers::Pooling>(self, common, ofMaxima ? Of::Maxima : Of::Averages,
                            sizes(axes), sizes(axes),
                            layers::PoolingOptions{.name = common.name});
    }>("pooling_layer"),
    function_<[](const nb::object &self, const Common &common) {
      make<layers::Flatten>(self, common,
                            layers::FlattenOptions{.name = common.name});
    }>("flatten_layer"),
    function_<[](const nb::object &self, const Common &common) {
      make<layers::Dropout>(self, common,
                            layers::DropoutOptions{.name = common.name});
    }>("dropout_layer"),
    function_<[](const nb::object &self, const Common &common) {
      make<layers::BatchNormalization>(
          self, common, layers::BatchNormalizationOptions{.name = common.name});
    }>("batch_normalization_layer"),
    function_<[](const nb::object &self, LayerCore *other) {
      nb::cast<LayerObject &>(self).core = other->copy();
    }>("copied_layer"),
    {nullptr, nullptr, 0, nullptr}};

using Core = LayerCore *;
using Specs = std::vector<std::optional<layers::InputSpec>>;

std::vector<Output> enter(Core self, const std::vector<Output> &inputs,
                          const nb::object &builder,
                          const std::function<std::vector<Output>()> &results) {
  struct Building {
    Building(Core self, nb::handle builder)
        : self(self), outer(std::exchange(self->builder, builder)) {}
    ~Building() { self->builder = outer; }
    Core self;
    nb::handle outer;
  } building(self, builder);
  return self->layer().enter(inputs, results);
}

PyMethodDef calls[] = {
    function_<&enter>("layer_enter"),
    function_<[](Core self, const nb::object &scope) {
      const VariableScopeHandle *handle;
      if (nb::try_cast(scope, handle) && handle)
        self->layer().openScope(*handle);
      else
        self->layer().openScope(from<std::string_view>(scope.ptr()));
    }>("layer_open_scope"),
    function_<[](const nb::object &self, const Shape &input) {
      Core core = from<Core>(self.ptr());
      core->ownBuild(self.ptr(), input);
    }>("layer_own_build"),
    function_<[](const nb::object &self, const Output &inputs,
                 const std::optional<Input> &training) {
      Core core = from<Core>(self.ptr());
      return core->ownCall(self.ptr(), inputs, training.value_or(false));
    }>("layer_own_call"),
    function_<[](const nb::object &self, const Shape &input) {
      return from<Core>(self.ptr())->ownOutputShape(self.ptr(), input);
    }>("layer_own_output_shape"),
    function_<[](Core self, const std::string &name, const Shape &shape,
                 const layers::WeightOptions &options) {
      using Given = Callback<Output(const Variable &)>;
      if (auto *given = options.constraint.target<Given>())
        keep(GraphBuilder::current(), given->function);
      return self->layer().addWeight(name, shape, options);
    }>("layer_add_weight"),
    function_<[](Core self, const Variable &variable) {
      self->layer().track(variable);
    }>("layer_track"),
    function_<[](Core self, const Output &loss) {
      self->layer().addLoss(loss);
    }>("layer_add_loss"),
    function_<[](Core self, const Node *const &update) {
      self->layer().addUpdate(update);
    }>("layer_add_update"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef state[] = {
    function_<[](Core self) { return self->layer().name(); }>("layer_name"),
    function_<[](Core self) { return self->layer().scopeName(); }>(
        "layer_scope_name"),
    function_<[](Core self) {
      const auto &scope = self->layer().scope();
      return scope ? nb::cast(*scope) : nb::object(nb::none());
    }>("layer_scope"),
    function_<[](Core self) { return self->layer().isBuilt(); }>(
        "layer_is_built"),
    function_<[](Core self, bool value) { self->layer().setBuilt(value); }>(
        "layer_set_built"),
    function_<[](Core self) { return self->layer().isTrainable(); }>(
        "layer_is_trainable"),
    function_<[](Core self, bool value) { self->layer().setTrainable(value); }>(
        "layer_set_trainable"),
    function_<[](Core self) { return self->layer().dtype(); }>("layer_dtype"),
    function_<[](Core self, DType dtype) { self->layer().setDType(dtype); }>(
        "layer_set_dtype"),
    function_<[](Core self, Reuse reuse) { self->layer().setReuse(reuse); }>(
        "layer_set_reuse"),
    function_<[](Core self, const layers::Activation &regularizer) {
      self->layer().setActivityRegularizer(regularizer);
    }>("layer_set_activity_regularizer"),
    function_<[](Core self) { return self->layer().trainableWeights(); }>(
        "layer_trainable_weights"),
    function_<[](Core self) { return self->layer().nonTrainableWeights(); }>(
        "layer_non_trainable_weights"),
    function_<[](Core self) { return self->layer().losses(); }>("layer_losses"),
    function_<[](Core self) { return self->layer().updates(); }>(
        "layer_updates"),
    function_<[](Core self) { return self->layer().inputSpec(); }>(
        "layer_input_spec"),
    function_<[](Core self, const Specs &specs) {
      self->layer().setInputSpec(specs);
    }>("layer_set_input_spec"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindLayers(nb::module_ &module) {
  for (PyMethodDef *table : {kinds, calls, state})
    addFunctions(module, table);
  nb::class_<LayerObject>(module, "Layer", nb::dynamic_attr(),
                          nb::is_weak_referenceable())
      .def(nb::init<>());
}

} // namespace kiln::python::front
