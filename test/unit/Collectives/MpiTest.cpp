// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Horovod's ops over MPI. Each rank that mpirun starts runs these tests, all in
// the same order; those that leave the ranks apart are programs of their own
// (CMakeLists.txt).
#include "kiln/BuildOps.h"
#include "kiln/Communicator.h"
#include "kiln/Gradients.h"
#include "kiln/GraphBuilder.h"
#include "kiln/ops/Collective.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class Mpi : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    auto loaded = Communicator::load(KILN_MPI_MODULE,
                                     {.timeout = std::chrono::seconds(3)});
    ASSERT_THAT(loaded, isOk());
    ranks = *loaded;
    ASSERT_GT(ranks->size(), 1) << "to be started by mpirun";
  }
  static void TearDownTestSuite() { ranks.reset(); }

  StatusOr<Tensor> run(const std::string &op, Tensor x, AttrMap attrs,
                       const std::string &name = "op") {
    GraphWriter writer;
    attrs.set("T", x.dtype());
    writer.constant("x", x);
    writer.add(name, op, {"x"}, attrs);
    SessionOptions options;
    options.communicator = ranks;
    auto session = Session::create(writer.graph, options);
    EXPECT_THAT(session, isOk());
    auto results = (*session)->run({}, {name + ":0"});
    return results.ok() ? StatusOr<Tensor>(results->at(0))
                        : StatusOr<Tensor>(results.status());
  }
  static AttrMap reduction(int64_t op) {
    return {{"reduce_op", op},
            {"prescale_factor", 1.0f},
            {"postscale_factor", 1.0f}};
  }

  static std::shared_ptr<Communicator> ranks;
};
std::shared_ptr<Communicator> Mpi::ranks;

TEST_F(Mpi, ReducesShortAndLongTensorsOfEachType) {
  const int size = ranks->size(), rank = ranks->rank();
  for (int64_t length : {1, 100'000}) {
    const auto count = static_cast<size_t>(length);
    const auto mine = static_cast<float>(rank + 1);
    const auto total = static_cast<float>(size * (size + 1) / 2);
    auto floats =
        run("HorovodAllreduce",
            tensorOf<float>({length}, std::vector<float>(count, mine)),
            reduction(1));
    ASSERT_THAT(floats, isOk());
    EXPECT_THAT(valuesOf<float>(*floats), Each(total));
    std::vector<Half> halves(count, Half(mine));
    auto sums =
        run("HorovodAllreduce", tensorOf<Half>({length}, halves), reduction(1));
    ASSERT_THAT(sums, isOk());
    for (Half half : sums->data<Half>())
      ASSERT_EQ(static_cast<float>(half), total);
    auto most =
        run("HorovodAllreduce",
            tensorOf<int64_t>({length}, std::vector<int64_t>(count, rank - 7)),
            reduction(4));
    ASSERT_THAT(most, isOk());
    EXPECT_THAT(valuesOf<int64_t>(*most), Each(size - 8));
  }
}

TEST_F(Mpi, GathersScattersAndBroadcasts) {
  const int size = ranks->size(), rank = ranks->rank();
  std::vector<float> mine(size_t(rank) + 1, static_cast<float>(rank));
  std::vector<float> expected;
  for (int r = 0; r < size; ++r)
    expected.insert(expected.end(), size_t(r) + 1, static_cast<float>(r));
  auto all = run("HorovodAllgather", tensorOf<float>({rank + 1}, mine), {});
  ASSERT_THAT(all, isOk());
  EXPECT_EQ(valuesOf<float>(*all), expected);
  auto one = run("HorovodBroadcast", Tensor::scalar(mine[0]),
                 {{"root_rank", int64_t(1)}});
  ASSERT_THAT(one, isOk());
  EXPECT_THAT(valuesOf<float>(*one), ElementsAre(1));
  auto part = run("HorovodReducescatter",
                  tensorOf<float>({size}, std::vector<float>(size_t(size), 1)),
                  reduction(1));
  ASSERT_THAT(part, isOk());
  EXPECT_THAT(valuesOf<float>(*part), ElementsAre(float(size)));
}

/// The gradient of sum(y * (rank + 1)) with respect to x = [1, 2, ...], two
/// rows for each rank.
template <class Make>
std::vector<float> gradientOf(std::shared_ptr<Communicator> ranks, Make make) {
  Communicator::setOfProcess(ranks);
  const int64_t rows = 2 * ranks->size();
  std::vector<float> values(static_cast<size_t>(rows));
  std::iota(values.begin(), values.end(), 1.0f);
  GraphBuilder graph;
  GraphScope scope(graph);
  Output x = ops::constant(tensorOf<float>({rows}, values));
  Output loss = ops::reduceSum(make(x) * static_cast<float>(ranks->rank() + 1));
  Gradient gradient = gradients({loss}, {x})[0];
  EXPECT_THAT(graph.status(), isOk());
  SessionOptions options;
  options.communicator = ranks;
  auto session = Session::create(graph.graph(), options);
  EXPECT_THAT(session, isOk());
  auto results = (*session)->run({}, {gradient.toTensor()});
  EXPECT_THAT(results, isOk());
  Communicator::setOfProcess(nullptr);
  return results.ok() ? valuesOf<float>(results->at(0)) : std::vector<float>();
}

// As Horovod's Python defines them; they are not derivatives of a sum over all
// ranks.
TEST_F(Mpi, GradientsFlowBackAsHorovodLetsThem) {
  const int size = ranks->size(), rank = ranks->rank();
  const auto count = static_cast<float>(size);
  const float total = count * (count + 1) / 2, mean = total / count;
  EXPECT_THAT(gradientOf(ranks,
                         [](const Output &x) {
                           return ops::horovodAllreduce(x, 1, 1, 1);
                         }),
              Each(total));
  EXPECT_THAT(gradientOf(ranks,
                         [](const Output &x) {
                           return ops::horovodGroupedAllreduce({x, x}, 0, 1,
                                                               1)[1];
                         }),
              Each(mean));
  EXPECT_THAT(
      gradientOf(ranks,
                 [](const Output &x) { return ops::horovodAllgather(x); }),
      AllOf(SizeIs(size_t(2 * size)), Each(mean)));
  EXPECT_THAT(
      gradientOf(ranks,
                 [](const Output &x) { return ops::horovodBroadcast(x, 1); }),
      Each(rank == 1 ? mean : 0));
  // Two rows of each rank's gradient.
  std::vector<float> ofAll;
  for (int r = 0; r < size; ++r)
    ofAll.insert(ofAll.end(), 2, static_cast<float>(r + 1));
  EXPECT_EQ(gradientOf(ranks,
                       [](const Output &x) {
                         return ops::horovodAlltoall(
                                    x,
                                    ops::constant(tensorOf<int32_t>({0}, {})))
                             .output;
                       }),
            ofAll);
  for (float &each : ofAll)
    each *= count * 3;
  EXPECT_EQ(gradientOf(ranks,
                       [](const Output &x) {
                         return ops::horovodReducescatter(x, 1, 3, 1);
                       }),
            ofAll);
}

TEST_F(Mpi, MakesGroups) {
  auto group = ranks->addGroup(std::vector<int>{1});
  ASSERT_THAT(group, isOk());
  AttrMap attrs = reduction(1);
  attrs.set("process_set_id", int64_t(*group));
  auto sum = run("HorovodAllreduce", Tensor::scalar(2.0f), attrs);
  if (ranks->rank() == 1)
    EXPECT_THAT(valuesOf<float>(*sum), ElementsAre(2));
  else
    EXPECT_THAT(
        sum, fails(StatusCode::InvalidArgument, HasSubstr("is not a member")));
  EXPECT_THAT(ranks->removeGroup(*group), isOk());
}

TEST_F(Mpi, WhatDiffersIsAnErrorOfAllRanksWhichGoOn) {
  const std::string name = ranks->rank() == 0 ? "a" : "b";
  EXPECT_THAT(run("HorovodAllreduce", Tensor::scalar(1.0f), reduction(1), name),
              fails(StatusCode::FailedPrecondition,
                    AllOf(HasSubstr("rank 0 at HorovodAllreduce 'a'"),
                          HasSubstr("rank 1 at HorovodAllreduce 'b'"))));
  EXPECT_THAT(run("HorovodAllreduce", Tensor::scalar(1.0f), reduction(1)),
              isOk());
}

/// Rank 1 does not come before rank 0 has said so: in a file that is named
/// after the launcher.
class MpiLate : public Mpi {};
TEST_F(MpiLate, ARankThatDoesNotComeIsNamed) {
  const std::string place = "/tmp/kiln-mpi-late-" + std::to_string(getppid());
  if (ranks->rank() == 1) {
    while (!std::filesystem::exists(place))
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::filesystem::remove(place);
    std::_Exit(0); // the others' MPI waits for nobody
  }
  EXPECT_THAT(
      run("HorovodAllreduce", Tensor::scalar(1.0f), reduction(1), "late"),
      fails(StatusCode::DeadlineExceeded,
            HasSubstr("HorovodAllreduce 'late' on rank 0 waited for rank 1 for "
                      "3 seconds")));
  std::cout << "rank 0 was told" << std::endl;
  std::ofstream(place) << "\n";
}

class MpiDeath : public Mpi {};
TEST_F(MpiDeath, ARankThatDiesEndsTheJob) {
  if (ranks->rank() == 1)
    std::raise(SIGKILL);
  EXPECT_THAT(run("HorovodAllreduce", Tensor::scalar(1.0f), reduction(1)),
              isOk());
}

} // namespace
} // namespace kiln
