// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trains a linear regression on real data, and shows what it costs:
// tools/demo runs it.
#include "examples/common/Housing.h"
#include "examples/common/LeastSquares.h"
#include "examples/common/LineChart.h"
#include "examples/common/Regression.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Optimizers.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace kiln::examples {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t batchRows = 100;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds since the system started this process, to a hundredth: what happened
/// before main() counts, too.
double secondsSinceProcessStart() {
  // Field 22 of /proc/self/stat, in clock ticks since the system started;
  // field 2, the program's name in parentheses, may hold spaces.
  std::ifstream file("/proc/self/stat");
  std::string stat((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i)
    fields >> field;
  double started =
      std::atof(field.c_str()) / static_cast<double>(sysconf(_SC_CLK_TCK));
  timespec now = {};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9 - started;
}

/// What training gave.
struct Training {
  std::vector<double> losses; ///< before the first epoch and after each
  int64_t steps = 0;
  double stepSeconds = 0;   ///< of all steps but the first, which compiles
  double firstSeconds = 0;  ///< of the first
  int64_t compilations = 0; ///< for all batch sizes of the training step
  double secondsToFirstResult = 0;
};

/// The graph, and one session with the two things that training needs.
class Trainer {
public:
  static StatusOr<Trainer> create(int64_t features, double rate) {
    GraphBuilder graph;
    GraphScope scope(graph);
    setRandomSeed(42);
    Output x = ops::placeholder(DType::Float32, {-1, features}, {.name = "X"});
    Output y = ops::placeholder(DType::Float32, {-1, 1}, {.name = "y"});
    Variable theta(ops::randomUniform({features, 1}, -1., 1.),
                   {.name = "theta"});
    Output error = ops::matMul(x, theta, {.name = "predictions"}) - y;
    Output mse = ops::reduceMean(ops::square(error), {.name = "mse"});
    const Node *train = GradientDescentOptimizer(rate).minimize(mse);
    const Node *init = globalVariablesInitializer();

    Trainer trainer;
    // From the first step on native code, so that one compilation is counted.
    auto session = makeSession({.tiering = false});
    if (!session.ok())
      return session.status();
    trainer.session = *std::move(session);
    if (Status status = run(*trainer.session, init); !status.ok())
      return status;
    auto step = trainer.session->makeCallable({x, y}, {}, {train});
    if (!step.ok())
      return step.status();
    auto loss = trainer.session->makeCallable({x, y}, {mse});
    if (!loss.ok())
      return loss.status();
    trainer.step = *std::move(step);
    trainer.loss = *std::move(loss);
    return trainer;
  }

  /// The loss over all rows.
  StatusOr<double> evaluate(const RegressionData &data) {
    const Tensor all[] = {data.x, data.y};
    Status status = loss(all, {&lossValue, 1});
    if (!status.ok())
      return status;
    return static_cast<double>(lossValue.data<float>()[0]);
  }

  StatusOr<Training> train(const RegressionData &data, int64_t epochs) {
    std::vector<std::array<Tensor, 2>> batches;
    for (int64_t begin = 0; begin < data.rows(); begin += batchRows) {
      StatusOr<RegressionData> rows = batch(data, begin, batchRows);
      if (!rows.ok())
        return rows.status();
      batches.push_back({rows->x, rows->y});
    }

    Training training;
    for (int64_t epoch = 0; epoch <= epochs; ++epoch) {
      if (epoch > 0) {
        Status status = runEpoch(batches, training);
        if (!status.ok())
          return status;
      }
      StatusOr<double> value = evaluate(data);
      if (!value.ok())
        return value.status();
      if (epoch == 0) {
        training.secondsToFirstResult = secondsSinceProcessStart();
        training.compilations = -session->stats().compilations;
      }
      training.losses.push_back(*value);
      if (epoch <= 5 || epoch % 10 == 0)
        std::printf("%6lld %12.6g\n", static_cast<long long>(epoch), *value);
    }
    training.compilations += session->stats().compilations;
    return training;
  }

private:
  Status runEpoch(const std::vector<std::array<Tensor, 2>> &batches,
                  Training &training) {
    for (const std::array<Tensor, 2> &feeds : batches) {
      Clock::time_point start = Clock::now();
      Status status = step(feeds, {});
      if (!status.ok())
        return status;
      (training.steps++ == 0 ? training.firstSeconds : training.stepSeconds) +=
          secondsSince(start);
    }
    return okStatus();
  }

  std::shared_ptr<Session> session;
  Callable step;
  Callable loss;
  Tensor lossValue;
};

/// Writes what batches there were: "100 and of 42 rows".
std::string batchSizesText(const RegressionData &data) {
  std::string text = std::to_string(std::min(batchRows, data.rows()));
  if (data.rows() > batchRows && data.rows() % batchRows != 0)
    text += " and of " + std::to_string(data.rows() % batchRows);
  return text + " rows";
}

void report(const Training &training, const RegressionData &data,
            double exact) {
  double final = training.losses.back();
  std::printf("\nfinal loss     %.6g\n", final);
  std::printf(
      "least squares  %.6g, the exact minimum; the final loss is %.2f %% "
      "above it\n",
      exact, 100 * (final / exact - 1));
  std::printf("steps          %lld", static_cast<long long>(training.steps));
  if (training.steps > 1)
    std::printf(", %.0f a second",
                static_cast<double>(training.steps - 1) / training.stepSeconds);
  std::printf("\n");
  std::printf("compilations   %lld for batches of %s\n",
              static_cast<long long>(training.compilations),
              batchSizesText(data).c_str());
  std::printf("first step     %.0f ms, its compilation included\n",
              1e3 * training.firstSeconds);
  std::printf("first result   %.2f s after the process started\n",
              training.secondsToFirstResult);
}

struct Options {
  std::string data;    ///< a CSV file with a header, or
  std::string housing; ///< cal_housing.data
  std::string picture; ///< empty: none
  int64_t epochs = 100;
};

StatusOr<RegressionData> readData(const Options &options) {
  const bool housing = !options.housing.empty();
  StatusOr<Table> table =
      housing ? readHousing(options.housing) : readCsv(options.data);
  if (!table.ok())
    return table.status();
  StatusOr<RegressionData> data = standardize(*table);
  // With as few rows as unknowns every model fits: there is nothing to learn.
  if (data.ok() && data->rows() <= data->features())
    return invalidArgumentError((housing ? options.housing : options.data) +
                                ": expected more than " +
                                std::to_string(data->features()) +
                                " rows, got " + std::to_string(data->rows()));
  return data;
}

Status runDemo(const Options &options) {
  StatusOr<RegressionData> data = readData(options);
  if (!data.ok())
    return data.status();
  // Rates with which 100 epochs end within 1 % of the exact loss. The housing
  // data has blocks whose occupancy lies 119 standard deviations out: a step
  // beyond 0.01 overshoots on these.
  const double rate = options.housing.empty() ? 0.05 : 0.003;
  StatusOr<Trainer> trainer = Trainer::create(data->features(), rate);
  if (!trainer.ok())
    return trainer.status();

  std::printf(
      "%lld rows with %lld features; the loss is the mean squared error "
      "over all of them\n\n epoch         loss\n",
      static_cast<long long>(data->rows()),
      static_cast<long long>(data->features() - 1));
  StatusOr<Training> training = trainer->train(*data, options.epochs);
  if (!training.ok())
    return training.status();
  double exact = leastSquaresLoss(*data);
  report(*training, *data, exact);
  if (!std::isfinite(training->losses.back()))
    return outOfRangeError("the training diverged: the learning rate is too "
                           "large for this data");
  if (options.picture.empty())
    return okStatus();
  return writeSvg({.title = "Linear regression, mini-batch gradient descent",
                   .xLabel = "epoch",
                   .yLabel = "mean squared error",
                   .seriesName = "training with Kiln",
                   .series = training->losses,
                   .levelName = "exact least squares",
                   .level = exact},
                  options.picture);
}

} // namespace
} // namespace kiln::examples

int main(int argc, char **argv) {
  CLI::App app("Trains a linear regression as native code, in batches of 100 "
               "rows.");
  kiln::examples::Options options;
  CLI::App *source = app.add_option_group("data")->require_option(1);
  source->add_option("--data", options.data,
                     "A CSV file with a header; the last column is predicted");
  source->add_option("--housing", options.housing,
                     "The California housing data as StatLib published it "
                     "(cal_housing.data)");
  app.add_option("--picture", options.picture,
                 "Where to draw the loss curve (SVG)");
  app.add_option("--epochs", options.epochs, "How often to go through the data")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  kiln::Status status = kiln::examples::runDemo(options);
  if (!status.ok()) {
    std::fprintf(stderr, "kiln-demo: %s\n", status.toString().c_str());
    return 1;
  }
  // A full disk must not look like success.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fprintf(stderr, "kiln-demo: cannot write the standard output\n");
    return 1;
  }
  return 0;
}
