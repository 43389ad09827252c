// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chart of 720 x 400 units: axes with round numbers, a curve, a dashed level.
#include "examples/common/LineChart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace kiln::examples {
namespace {

constexpr double width = 720, height = 400;
constexpr double left = 84, right = 24, top = 48, bottom = 56;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// Where values stand on the page.
class Scale {
public:
  explicit Scale(const LineChart &chart) {
    last = std::max<double>(1, static_cast<double>(chart.series.size()) - 1);
    low = high = chart.level;
    for (double value : chart.series) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
    // Room above and below the curve.
    double room = std::max(std::pow(high / low, 0.06), 1.001);
    low /= room;
    high *= room;
  }
  double x(double index) const {
    return left + index / last * (width - left - right);
  }
  double y(double value) const {
    double part = std::log(value / low) / std::log(high / low);
    return height - bottom - part * (height - top - bottom);
  }

  double last = 1, low = 1, high = 1;
};

std::string line(double x1, double y1, double x2, double y2,
                 const std::string &style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
         number(x2) + "\" y2=\"" + number(y2) + "\" class=\"" + style +
         "\"/>\n";
}

std::string escape(const std::string &content) {
  std::string escaped;
  for (char c : content)
    escaped += c == '<'   ? std::string("&lt;")
               : c == '&' ? std::string("&amp;")
                          : std::string(1, c);
  return escaped;
}

std::string text(double x, double y, const std::string &style,
                 const std::string &content, const std::string &more = "") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" +
         style + "\"" + more + ">" + escape(content) + "</text>\n";
}

/// 1, 2, 3, 5 and their multiples by powers of ten within the scale.
std::vector<double> logTicks(double low, double high) {
  std::vector<double> ticks;
  for (double decade = std::pow(10, std::floor(std::log10(low)));
       decade <= high; decade *= 10)
    for (double factor : {1.0, 2.0, 3.0, 5.0})
      if (decade * factor >= low && decade * factor <= high)
        ticks.push_back(decade * factor);
  return ticks;
}

/// A round step that gives five to ten ticks up to `last`.
double linearStep(double last) {
  double decade = std::pow(10, std::floor(std::log10(last)));
  for (double part : {0.1, 0.2, 0.5})
    if (last / (decade * part) <= 10)
      return decade * part;
  return decade;
}

std::string axes(const LineChart &chart, const Scale &scale) {
  std::string svg;
  double floor = height - bottom;
  for (double tick : logTicks(scale.low, scale.high)) {
    svg += line(left, scale.y(tick), width - right, scale.y(tick), "grid");
    svg += text(left - 8, scale.y(tick) + 4, "tick end", number(tick));
  }
  for (double tick = 0; tick <= scale.last; tick += linearStep(scale.last)) {
    svg += line(scale.x(tick), floor, scale.x(tick), floor + 5, "axis");
    svg += text(scale.x(tick), floor + 20, "tick middle", number(tick));
  }
  svg += line(left, floor, width - right, floor, "axis");
  svg += line(left, top, left, floor, "axis");
  svg += text((left + width - right) / 2, height - 12, "label middle",
              chart.xLabel);
  double middle = (top + floor) / 2;
  svg += text(20, middle, "label middle", chart.yLabel,
              " transform=\"rotate(-90 20 " + number(middle) + ")\"");
  return svg;
}

std::string curve(const LineChart &chart, const Scale &scale) {
  std::string points;
  char point[48];
  for (size_t i = 0; i < chart.series.size(); ++i) {
    std::snprintf(point, sizeof point, "%s%.1f,%.1f", i ? " " : "",
                  scale.x(static_cast<double>(i)), scale.y(chart.series[i]));
    points += point;
  }
  return "<polyline points=\"" + points + "\" class=\"curve\"/>\n";
}

std::string legend(const LineChart &chart) {
  double x = width - right - 200;
  // Grid lines would run through the words.
  return "<rect x=\"" + number(x - 10) + "\" y=\"" + number(top + 2) +
         "\" width=\"210\" height=\"48\" fill=\"#ffffff\"/>\n" +
         line(x, top + 14, x + 28, top + 14, "curve") +
         text(x + 36, top + 18, "tick", chart.seriesName) +
         line(x, top + 36, x + 28, top + 36, "level") +
         text(x + 36, top + 40, "tick", chart.levelName);
}

} // namespace

std::string drawSvg(const LineChart &chart) {
  Scale scale(chart);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" "
      "width=\"720\" height=\"400\" role=\"img\">\n"
      "<style>\n"
      "text { font-family: system-ui, sans-serif; fill: #1f2933; }\n"
      ".title { font-size: 17px; font-weight: 600; }\n"
      ".label { font-size: 14px; }\n"
      ".tick { font-size: 12px; fill: #52606d; }\n"
      ".middle { text-anchor: middle; }\n"
      ".end { text-anchor: end; }\n"
      ".axis { stroke: #52606d; }\n"
      ".grid { stroke: #e4e7eb; }\n"
      ".curve { stroke: #c2410c; stroke-width: 2.5; fill: none; "
      "stroke-linejoin: round; }\n"
      ".level { stroke: #2563eb; stroke-width: 1.5; stroke-dasharray: 6 4; }\n"
      "</style>\n"
      "<rect width=\"720\" height=\"400\" rx=\"6\" fill=\"#ffffff\"/>\n";
  svg += "<title>" + escape(chart.title) + "</title>\n";
  svg += text(left, 28, "title", chart.title);
  svg += axes(chart, scale);
  svg += curve(chart, scale);
  svg += line(left, scale.y(chart.level), width - right, scale.y(chart.level),
              "level");
  svg += legend(chart);
  return svg + "</svg>\n";
}

Status writeSvg(const LineChart &chart, const std::string &path) {
  auto isDrawable = [](double value) {
    return value > 0 && std::isfinite(value);
  };
  if (!isDrawable(chart.level) ||
      !std::all_of(chart.series.begin(), chart.series.end(), isDrawable))
    return invalidArgumentError("expected finite values above 0 to draw " +
                                path);
  std::ofstream file(path);
  file << drawSvg(chart);
  return file.flush() ? okStatus()
                      : permissionDeniedError("cannot write " + path);
}

} // namespace kiln::examples
