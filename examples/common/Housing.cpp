// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deriving the textbooks' features from the columns of the file.
#include "examples/common/Housing.h"

namespace kiln::examples {
namespace {

/// The columns of cal_housing.data, in its order; the file does not name them.
enum Column {
  Longitude,
  Latitude,
  MedianAge,
  Rooms,
  Bedrooms,
  Population,
  Households,
  MedianIncome,
  MedianValue,
};

} // namespace

StatusOr<Table> readHousing(const std::string &path) {
  StatusOr<Table> raw = readCsv(
      path, {"longitude", "latitude", "median age", "rooms", "bedrooms",
             "population", "households", "median income", "median value"});
  if (!raw.ok())
    return raw.status();
  Table table;
  table.columns = {"MedInc",    "HouseAge",   "AveRooms",
                   "AveBedrms", "Population", "AveOccup",
                   "Latitude",  "Longitude",  "MedHouseVal"};
  table.values.reserve(raw->values.size());
  for (size_t row = 0; row < raw->numRows(); ++row) {
    const double *from = raw->values.data() + row * raw->columns.size();
    double households = from[Households];
    if (!(households > 0))
      return invalidArgumentError(
          path + ":" + std::to_string(row + 1) +
          ": expected households above 0 in column 7, got " +
          std::to_string(households));
    for (double value :
         {from[MedianIncome], from[MedianAge], from[Rooms] / households,
          from[Bedrooms] / households, from[Population],
          from[Population] / households, from[Latitude], from[Longitude],
          from[MedianValue] / 100000})
      table.values.push_back(value);
  }
  return table;
}

} // namespace kiln::examples
