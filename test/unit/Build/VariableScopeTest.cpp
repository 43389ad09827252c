// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables and their scopes: names, reuse and errors, with what TensorFlow
// 2.21 gave for the same programs.
#include "kiln/BuildOps.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using ::testing::StartsWith;

class VariableScopeTest : public ::testing::Test {
protected:
  /// Makes or finds a variable of shape [2] and gives its name.
  std::string named(const char *name) {
    return getVariable(name, {.shape = {2}}).name();
  }
  Status taken() { return graph.takeStatus(); }

  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(VariableScopeTest, VariablesMayHaveAnotherNodeName) {
  Variable(1.0, {.name = "v"});
  Variable(1.0, {.name = "v"});
  EXPECT_EQ(named("v"), "v_2:0");
}

TEST_F(VariableScopeTest, AScopeOpenedTwiceNumbersOnlyOps) {
  {
    VariableScope foo("foo");
    EXPECT_EQ(named("a"), "foo/a:0");
    EXPECT_EQ(ops::constant(1, {.name = "c"}).name(), "foo/c:0");
  }
  VariableScope foo("foo");
  EXPECT_EQ(named("b"), "foo/b:0");
  EXPECT_EQ(ops::constant(1, {.name = "c"}).name(), "foo_1/c:0");
  EXPECT_EQ(Variable(1.0, {.name = "b"}).name(), "foo_1/b:0");
}

TEST_F(VariableScopeTest, CachedReadsStandBesideWhatTheScopeMakes) {
  VariableScope a("a");
  auto placesOfRead = [](const Variable &variable) {
    return variable.value().node->attrOr<std::vector<std::string>>("_class",
                                                                   {});
  };
  EXPECT_THAT(placesOfRead(getVariable("v", {.shape = {2}})),
              ElementsAre("loc:@a/v"));
  a.handle().cacheReads();
  EXPECT_THAT(placesOfRead(getVariable("w", {.shape = {2}})), ElementsAre());
}

TEST_F(VariableScopeTest, NameScopesDoNotNameVariables) {
  NameScope names("NS");
  EXPECT_EQ(named("gg"), "gg:0");
  EXPECT_EQ(Variable(1.0, {.name = "hh"}).name(), "NS/hh:0");
  VariableScope inner("VV");
  EXPECT_EQ(named("gg"), "VV/gg:0");
  EXPECT_EQ(ops::constant(1, {.name = "c"}).name(), "NS/VV/c:0");
}

TEST_F(VariableScopeTest, AScopeEnteredAgainIsAbsolute) {
  std::optional<VariableScopeHandle> handle;
  {
    VariableScope a("a");
    VariableScope b("b");
    handle = b.handle();
  }
  VariableScope other("other");
  VariableScope again(*handle);
  EXPECT_EQ(again.name(), "a/b");
  EXPECT_EQ(named("v"), "a/b/v:0");
  EXPECT_EQ(ops::constant(1, {.name = "c"}).name(), "other/b/c:0");
  EXPECT_EQ(again.handle().originalNameScope(), "a/b/");
}

TEST_F(VariableScopeTest, DefaultNamesAreNumberedAndStartAgain) {
  auto open = [&] {
    VariableScope scope(std::nullopt, {.defaultName = "dn"});
    return scope.name();
  };
  std::vector<std::string> names;
  {
    VariableScope outer("outer");
    names = {open(), open()};
  }
  EXPECT_THAT(names, ElementsAre("outer/dn", "outer/dn_1"));
  VariableScope outer("outer");
  EXPECT_EQ(open(), "outer/dn");
}

TEST_F(VariableScopeTest, ReuseIsInherited) {
  {
    VariableScope foo("foo");
    VariableScope bar("bar");
    named("a");
  }
  VariableScope foo("foo", {.reuse = true});
  VariableScope bar("bar", {.reuse = false});
  EXPECT_EQ(named("a"), "foo/bar/a:0");
  EXPECT_EQ(globalVariables().size(), 1u);
}

TEST_F(VariableScopeTest, AutoReuseMakesWhatIsMissing) {
  VariableScope foo("foo", {.reuse = autoReuse});
  VariableScope inner("inner");
  EXPECT_EQ(named("a"), "foo/inner/a:0");
  EXPECT_EQ(named("a"), "foo/inner/a:0");
  EXPECT_EQ(globalVariables().size(), 1u);
}

TEST_F(VariableScopeTest, RefusesToMakeOneTwice) {
  VariableScope foo("foo");
  named("a");
  named("a");
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    StartsWith("Variable foo/a already exists, disallowed. Did "
                               "you mean to set reuse=True or "
                               "reuse=tf.AUTO_REUSE in VarScope?")));
}

TEST_F(VariableScopeTest, RefusesToReuseWhatIsNotThere) {
  Variable(1.0, {.name = "foo/zzz"});
  VariableScope foo("foo", {.reuse = true});
  named("zzz");
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "Variable foo/zzz does not exist, or was not created with "
                    "tf.get_variable(). Did you mean to set "
                    "reuse=tf.AUTO_REUSE in VarScope?"));
}

TEST_F(VariableScopeTest, RefusesAnotherShapeOrType) {
  VariableScope foo("foo", {.reuse = autoReuse});
  getVariable("a", {.shape = {3}});
  getVariable("a", {.shape = {4}});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Trying to share variable foo/a, but specified "
                             "shape (4,) and found shape (3,)."));
  getVariable("a", {.shape = {3}, .dtype = DType::Int32});
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "Trying to share variable foo/a, but specified dtype int32 "
                    "and found dtype float32_ref."));
}

TEST_F(VariableScopeTest, NeedsAShapeOrAnInitializer) {
  getVariable("ns");
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Variable ns did not get an initializer, so its "
                             "`shape` argument must be specified."));
  getVariable("v", {.shape = {2}, .initializer = Initializer(1.0)});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "If initializer is a constant, do not specify "
                             "shape."));
  getVariable("v", {.dtype = DType::Int32,
                    .initializer = Initializer(ops::constant(1.0))});
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "Initializer type '<dtype: 'float32'>' and explicit dtype "
                    "'<dtype: 'int32'>' don't match."));
  getVariable("v", {.shape = {2, -1}});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             StartsWith("The initializer passed is not "
                                        "valid.")));
  getVariable("cv", {.shape = {2}, .dtype = DType::Complex64});
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "An initializer for variable cv of <dtype: 'complex64'> is "
                    "required"));
}

TEST_F(VariableScopeTest, NeedsAName) {
  {
    VariableScope scope(std::nullopt);
  }
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "If default_name is None then name_or_scope is required"));
  {
    VariableScope scope(std::nullopt, {.defaultName = "d", .reuse = true});
  }
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "reuse=True cannot be used without a name_or_scope"));
}

TEST_F(VariableScopeTest, ScopesEndInTheReverseOrder) {
  auto first = std::make_unique<VariableScope>("first");
  auto second = std::make_unique<VariableScope>("second");
  first.reset();
  EXPECT_THAT(taken(), fails(StatusCode::FailedPrecondition,
                             "Improper nesting of variable_scope."));
  second.reset();
}

TEST_F(VariableScopeTest, AnotherThreadIsOutsideOfAThreadsScopes) {
  Output first = ops::constant(1, {.name = "first"});
  VariableScope a("a");
  NameScope n("n");
  ControlScope waits({first});
  std::thread([&] {
    GraphScope inGraph(graph);
    Output other = ops::constant(2, {.name = "other"});
    EXPECT_EQ(other.name(), "other:0");
    EXPECT_TRUE(other.node->controlInputs().empty());
    EXPECT_EQ(named("v"), "v:0");
    VariableScope b("a"); // the number of its name scope is the graph's
    EXPECT_EQ(named("v"), "a/v:0");
    EXPECT_EQ(ops::constant(3, {.name = "c"}).name(), "a_1/c:0");
  }).join();
  Output inside = ops::constant(2, {.name = "inside"});
  EXPECT_EQ(inside.name(), "a/n/inside:0");
  EXPECT_THAT(inside.node->controlInputs(), ElementsAre(first.node));
  EXPECT_THAT(taken(), isOk());
}

TEST_F(VariableScopeTest, AnotherThreadMayLeaveAScope) {
  Output first = ops::constant(1, {.name = "first"});
  auto waits = std::make_unique<ControlScope>(
      std::initializer_list<ControlInput>{first.node});
  std::thread([&] { waits.reset(); }).join();
  EXPECT_EQ(ops::constant(2, {.name = "c"}).name(), "c:0");
}

TEST_F(VariableScopeTest, InitializersComeFromTheScope) {
  VariableScope foo("foo", {.initializer = onesInitializer()});
  Variable v = getVariable("v", {.shape = {2}});
  EXPECT_EQ(v.initialValue().name(), "foo/v/Initializer/ones:0");
  EXPECT_EQ(getVariable("n", {.shape = {2},
                              .dtype = DType::Int32,
                              .initializer = zerosInitializer()})
                .initialValue()
                .name(),
            "foo/n/Initializer/zeros:0");
}

TEST_F(VariableScopeTest, DefaultInitializersGoByType) {
  EXPECT_EQ(getVariable("f", {.shape = {2, 3}}).initialValue().name(),
            "f/Initializer/random_uniform:0");
  EXPECT_EQ(getVariable("i", {.shape = {2, 3}, .dtype = DType::Int64})
                .initialValue()
                .name(),
            "i/Initializer/zeros:0");
}

TEST_F(VariableScopeTest, VariablesAreInCollections) {
  Variable a(1.0, {.name = "a"});
  Variable b(1.0, {.trainable = false, .name = "b"});
  Variable c(1.0, {.name = "c",
                   .collections = std::vector<std::string>{"local_variables"}});
  EXPECT_THAT(globalVariables(), ElementsAre(a, b));
  EXPECT_THAT(trainableVariables(), ElementsAre(a, c));
  EXPECT_THAT(localVariables(), ElementsAre(c));
}

TEST_F(VariableScopeTest, InitializersAreNumbered) {
  EXPECT_EQ(globalVariablesInitializer()->name(), "init");
  EXPECT_EQ(globalVariablesInitializer()->name(), "init_1");
}

TEST_F(VariableScopeTest, AssignmentsOfHandlesCheckShapes) {
  Variable v({1.0, 2.0}, {.name = "vr", .useResource = true});
  v.assign({1.0, 2.0, 3.0});
  EXPECT_THAT(
      taken(),
      fails(StatusCode::InvalidArgument,
            "Cannot assign value to variable ' vr:0': Shape mismatch.The "
            "variable shape (2,), and the assigned value shape (3,) are "
            "incompatible."));
}

TEST_F(VariableScopeTest, ValuesOfUnknownShapeAreRefused) {
  Variable v(ops::placeholder(DType::Float32), {.name = "v"});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             StartsWith("initial_value must have a shape "
                                        "specified: ")));
}

TEST_F(VariableScopeTest, DependentInitialValuesAskTheOtherVariable) {
  Variable a(3.0, {.name = "a"});
  Variable b(a * 2.0, {.name = "b"});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(b.initializer()->input(1).name(), "mul_b:0");
  EXPECT_EQ(b.initializer()->input(1).node->input(0).node->input(0).name(),
            "b/cond/Merge:0");
}

} // namespace
} // namespace kiln
