// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bindings ask of eager ops beside running them: shapes, attributes,
// cancelling; answers and texts are TensorFlow 2.21's.
#include "test/capi/CFixture.h"

#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api_experimental.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CEagerPlumbing : public CFixture {
protected:
  using Dims = std::optional<std::vector<int64_t>>;

  CEagerPlumbing() {
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TFE_ContextOptionsSetTfrt(options, true);
    context = TFE_NewContext(options, status);
    TFE_DeleteContextOptions(options);
  }
  ~CEagerPlumbing() override { TFE_DeleteContext(context); }

  TFE_Op *opOf(const char *name, const char *attr = nullptr) {
    TFE_Op *op = TFE_NewOp(context, name, status);
    if (op && attr)
      TFE_OpSetAttrType(op, attr, TF_FLOAT);
    return op;
  }
  /// The shapes of the outputs; "?" for those that are not known.
  std::vector<std::string> infer(const char *name,
                                 const std::vector<Dims> &inputs,
                                 std::vector<TF_Tensor *> values = {}) {
    TFE_Op *op = opOf(name, "T");
    const int count = static_cast<int>(inputs.size());
    TF_ShapeAndTypeList *shapes = TF_NewShapeAndTypeList(count);
    for (int i = 0; i < count; ++i)
      if (const Dims &dims = inputs[static_cast<size_t>(i)])
        TF_ShapeAndTypeListSetShape(shapes, i, dims->data(),
                                    static_cast<int>(dims->size()));
      else
        TF_ShapeAndTypeListSetUnknownShape(shapes, i);
    TF_ShapeAndTypeList *outputs = nullptr;
    TFE_InferShapes(op, shapes, values.empty() ? nullptr : values.data(),
                    nullptr, nullptr, &outputs, nullptr, status);
    std::vector<std::string> texts;
    for (int i = 0; outputs && i < outputs->num_items; ++i) {
      const TF_ShapeAndType &item = outputs->items[i];
      std::string text = item.num_dims < 0 ? "?" : "";
      for (int k = 0; k < item.num_dims; ++k)
        text += std::to_string(item.dims[k]) + " ";
      texts.push_back(text);
    }
    TF_DeleteShapeAndTypeList(shapes);
    TF_DeleteShapeAndTypeList(outputs);
    TFE_DeleteOp(op);
    return texts;
  }
  std::string attrsOf(const TFE_Op *op) {
    TF_Buffer *buffer = TF_NewBuffer();
    TFE_OpAttrsSerialize(TFE_OpGetAttrs(op), buffer, status);
    return taken(buffer);
  }
  static std::string taken(TF_Buffer *buffer) {
    const std::string bytes(static_cast<const char *>(buffer->data),
                            buffer->length);
    TF_DeleteBuffer(buffer);
    return bytes;
  }

  TFE_Context *context = nullptr;
};

TEST_F(CEagerPlumbing, ShapesAreInferred) {
  EXPECT_THAT(infer("MatMul", {Dims({3, 2}), Dims({2, 4})}),
              ElementsAre("3 4 "));
  EXPECT_THAT(infer("MatMul", {Dims({-1, 2}), Dims({2, 4})}),
              ElementsAre("-1 4 "));
  EXPECT_THAT(infer("MatMul", {std::nullopt, Dims({2, 4})}),
              ElementsAre("-1 4 "));
  EXPECT_EQ(failure(), "");
  EXPECT_THAT(infer("Neg", {std::nullopt}), ElementsAre("?"));
  EXPECT_THAT(infer("MatMul", {Dims({3, 2}), Dims({5, 4})}), ElementsAre());
  EXPECT_THAT(failure(), HasSubstr("3: Dimensions must be equal, but are 2 "
                                   "and 5"));
  infer("MatMul", {Dims({3, 2})});
  EXPECT_EQ(failure(), "3: Wrong number of inputs passed: 1 while 2 expected "
                       "based on NodeDef");
}

TEST_F(CEagerPlumbing, ShapesFollowFromValues) {
  const int64_t dims[] = {2};
  TF_Tensor *size = TF_AllocateTensor(TF_INT32, dims, 1, 8);
  auto *values = static_cast<int *>(TF_TensorData(size));
  values[0] = 2;
  values[1] = -1;
  EXPECT_THAT(infer("Reshape", {Dims({6}), Dims({2})}, {nullptr, size}),
              ElementsAre("2 3 "));
  EXPECT_EQ(failure(), "");
  EXPECT_THAT(infer("Reshape", {Dims({6}), Dims({2})}), ElementsAre("-1 -1 "));
  TF_DeleteTensor(size);
  EXPECT_EQ(failure(), "");
}

TEST_F(CEagerPlumbing, ShapeListsTakeWhatIsWrong) {
  TF_DeleteShapeAndTypeList(TF_NewShapeAndTypeList(-3));
  TF_DeleteShapeAndTypeList(nullptr);
  TF_DeleteShapeAndTypeListArray(nullptr, 2);
  TF_ShapeAndTypeList *list = TF_NewShapeAndTypeList(1);
  const int64_t dims[] = {1};
  TF_ShapeAndTypeListSetShape(list, 1, dims, 1);
  TF_ShapeAndTypeListSetShape(list, -1, dims, 1);
  TF_ShapeAndTypeListSetDtype(list, 7, TF_FLOAT);
  TF_ShapeAndTypeListSetShape(list, 0, dims, 1);
  TF_ShapeAndTypeListSetShape(list, 0, nullptr, -4);
  EXPECT_EQ(list->items[0].num_dims, -1);
  TF_DeleteShapeAndTypeListArray(new TF_ShapeAndTypeList *[1]{list}, 1);
}

TEST_F(CEagerPlumbing, AttributesGoFromOpToOp) {
  TFE_Op *from = opOf("Mul", "T"), *to = opOf("Add");
  EXPECT_EQ(attrsOf(from), std::string("\x0a\x03Mul\x12\x07\x0a\x01T\x12\x02"
                                       "0\x01",
                                       14));
  EXPECT_EQ(attrsOf(to), "\x0a\x03"
                         "Add");
  TFE_OpAddAttrs(to, TFE_OpGetAttrs(from));
  EXPECT_EQ(attrsOf(to), std::string("\x0a\x03"
                                     "Add\x12\x07\x0a\x01T\x12\x02"
                                     "0\x01",
                                     14));
  // A length of more than one byte.
  TFE_Op *named = opOf("VarHandleOp");
  const std::string name(300, 'n');
  TFE_OpSetAttrString(named, "shared_name", name.data(), name.size());
  EXPECT_EQ(attrsOf(named).substr(0, 13), "\x0a\x0bVarHandleOp");
  EXPECT_EQ(failure(), "");
  for (TFE_Op *op : {from, to, named})
    TFE_DeleteOp(op);
}

TEST_F(CEagerPlumbing, CancellingCallsBackOnce) {
  TFE_CancellationManager *manager = TFE_NewCancellationManager();
  EXPECT_EQ(TFE_CancellationManagerGetToken(manager), 0);
  EXPECT_EQ(TFE_CancellationManagerGetToken(manager), 1);
  int calls = 0;
  const TFE_CancelCallback callback{
      [](void *context) { ++*static_cast<int *>(context); }, &calls};
  for (int64_t token : {0, 1})
    EXPECT_TRUE(TFE_CancellationManagerRegisterCallback(manager, token,
                                                        &callback, "test"));
  EXPECT_TRUE(TFE_CancellationManagerDeregisterCallback(manager, 1));
  EXPECT_TRUE(TFE_CancellationManagerTryDeregisterCallback(manager, 78));
  EXPECT_FALSE(TFE_CancellationManagerIsCancelled(manager));
  TFE_CancellationManagerStartCancel(manager);
  TFE_CancellationManagerStartCancel(manager);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(TFE_CancellationManagerIsCancelled(manager));
  EXPECT_FALSE(TFE_CancellationManagerIsCancelling(manager));
  EXPECT_FALSE(
      TFE_CancellationManagerRegisterCallback(manager, 5, &callback, "late"));
  EXPECT_FALSE(TFE_CancellationManagerDeregisterCallback(manager, 0));

  TFE_Op *op = opOf("Neg", "T");
  float value = 3;
  TFE_TensorHandle *input =
      TFE_NewTensorHandleFromScalar(TF_FLOAT, &value, sizeof value, status);
  TFE_OpAddInput(op, input, status);
  TFE_OpSetCancellationManager(op, manager, status);
  TFE_DeleteCancellationManager(manager);
  TFE_TensorHandle *result = nullptr;
  int room = 1;
  TFE_Execute(op, &result, &room, status);
  EXPECT_EQ(TF_GetCode(status), TF_CANCELLED);
  TFE_DeleteTensorHandle(input);
  TFE_DeleteOp(op);
}

TEST_F(CEagerPlumbing, SchemasAndConfigsAreTold) {
  EXPECT_STREQ(TF_GetNumberAttrForOpListInput("AddN", 0, status), "N");
  EXPECT_EQ(TF_GetNumberAttrForOpListInput("AddN", -1, status), nullptr);
  EXPECT_EQ(failure(), "3: -1 out of range for AddN");
  EXPECT_EQ(TF_GetNumberAttrForOpListInput("IdentityN", 0, status), nullptr);
  EXPECT_EQ(failure(), "5: IdentityN does not have number_attr() defined.");
  EXPECT_EQ(TFE_ContextGetFunction(context, "nope", status), nullptr);
  EXPECT_EQ(failure(), "5: Unable to find Function with name: nope");
  EXPECT_EQ(taken(TF_CreateConfig(1, 1, 4)),
            std::string("\n\x07\n\x03"
                        "CPU\x10\x04(\x01"
                        "2\x02 \x01R\x04\x1a\x02(\x01",
                        21));
  EXPECT_EQ(taken(TF_CreateConfig(0, 0, 1)),
            std::string("\n\x07\n\x03"
                        "CPU\x10\x01(\x01"
                        "2\x00R\r\x1a\x0b(\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                        "\x01",
                        28));
}

TEST_F(CEagerPlumbing, AttributesSayWhetherAnOpCanRun) {
  TF_AttrBuilder *builder = TF_NewAttrBuilder("Mul");
  TF_AttrBuilderCheckCanRunOnDevice(builder, "CPU", status);
  EXPECT_THAT(failure(), HasSubstr("3: OpKernel 'Mul' has constraint on attr "
                                   "'T' not in NodeDef '[]'"));
  TF_AttrBuilderSetType(builder, "T", TF_FLOAT);
  TF_AttrBuilderCheckCanRunOnDevice(builder, "CPU", status);
  EXPECT_EQ(failure(), "");
  TF_AttrBuilderCheckCanRunOnDevice(builder, "GPU", status);
  EXPECT_THAT(failure(),
              HasSubstr("5: No registered 'Mul' OpKernel for GPU devices "
                        "compatible with node {{node Mul}}"));
  TF_AttrBuilderSetType(builder, "T", TF_BOOL);
  TF_AttrBuilderCheckCanRunOnDevice(builder, "CPU", status);
  EXPECT_EQ(TF_GetCode(status), TF_NOT_FOUND);
  TF_DeleteAttrBuilder(builder);

  builder = TF_NewAttrBuilder("Nope");
  const TF_DataType types[] = {TF_FLOAT};
  TF_AttrBuilderSetTypeList(builder, "T", types, 1);
  TF_AttrBuilderSetTypeList(builder, "T", nullptr, -1);
  TF_AttrBuilderCheckCanRunOnDevice(builder, "CPU", status);
  EXPECT_EQ(TF_GetCode(status), TF_NOT_FOUND);
  TF_DeleteAttrBuilder(builder);
}

} // namespace
} // namespace kiln
