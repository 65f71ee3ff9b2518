#include "reports/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/display_width.h"
#include "reports/escape.h"
#include "reports/findings.h"
#include "reports/glyphs.h"
#include "reports/matrix_cells.h"
#include "reports/paint.h"
#include "reports/version.h"

namespace locklapse::reports {
namespace {

constexpr int kWordsWidthMin = 18;  // narrower columns show signs instead of words
constexpr int kLabelWidthMax = 34;
constexpr int kLabelWidthMin = 14;
constexpr int kSignsWidthMin = 6;
constexpr int kHeadingMax = 32;

Paint cell_paint(const MatrixCell& cell) {
  if (cell.run == nullptr) return Paint::kDim;
  switch (cell.run->verdict->outcome) {
    case Outcome::kSafe:
      return Paint::kGood;
    case Outcome::kViolated:
      return Paint::kBad;
    default:
      return Paint::kPaused;
  }
}

// "✗2 ✂1 $1": short enough for nine columns.
std::string cell_signs(const MatrixCell& cell, const Glyphs& g) {
  if (cell.run == nullptr) return "";
  const Verdict& v = *cell.run->verdict;
  std::string signs;
  const auto add = [&](std::string_view sign, std::size_t count, bool counted) {
    if (count == 0) return;
    signs += sign;
    if (counted) signs += std::to_string(std::min<std::size_t>(count, 99));
  };
  if (v.outcome == Outcome::kUnknown) signs = "?";
  if (v.outcome == Outcome::kNotExercised) signs = g.dash;
  if (v.outcome == Outcome::kSafe) signs = g.good;
  const StuckCounts stuck = count_stuck(v);
  add(g.bad, v.overlaps.size(), true);
  add(g.unowned, v.unowned.size(), false);
  add(g.forever, stuck.forever, false);
  add(g.until_ttl, stuck.until_ttl, false);
  add(g.damage, v.damage.size(), true);
  if (signs.empty()) signs = g.bad;
  if (cell.run->as_expected == std::optional(false)) signs += '*';
  return signs;
}

class TextMatrix {
 public:
  TextMatrix(std::span<const RunReport> runs, const TextStyle& style)
      : matrix_(make_matrix(runs)), style_(style), glyphs_(glyphs(style.unicode)) {
    for (const MatrixRow& row : matrix_.rows) {
      label_width_ = std::max(label_width_, display_width(label(row)));
    }
    label_width_ = std::min(label_width_, kLabelWidthMax);
    const int width = std::clamp(style.width, kTextWidthMin, kTextWidthMax);
    const int columns = std::max(1, static_cast<int>(matrix_.strategies.size()));
    const auto each = [&] { return (width - label_width_) / columns - 1; };
    while (each() < kSignsWidthMin && label_width_ > kLabelWidthMin) --label_width_;
    words_ = each() >= kWordsWidthMin;
    cell_width_ = std::clamp(each(), kSignsWidthMin, words_ ? 40 : 12);
  }

  std::string draw() {
    if (matrix_.rows.empty()) return "no runs\n";
    add_lines(std::string(), headings(), Paint::kBold, {});
    std::string rule;
    const int width =
        label_width_ + (cell_width_ + 1) * static_cast<int>(matrix_.strategies.size());
    for (int i = 0; i < width; ++i) rule += glyphs_.horizontal;
    out_ += paint(rule, Paint::kDim, style_.colour) + "\n";
    for (const MatrixRow& row : matrix_.rows) add_row(row);
    add_legend();
    return std::move(out_);
  }

 private:
  using Lines = std::vector<std::string>;

  std::string label(const MatrixRow& row) const {
    std::string text = printable(row.scenario, style_.unicode);
    if (matrix_.many_guards) text += " / " + printable(row.guard, style_.unicode);
    return text;
  }

  // Each strategy's name, broken after hyphens, and inside a word that is wider than a column.
  std::vector<Lines> headings() const {
    std::vector<Lines> list;
    for (const std::string_view strategy : matrix_.strategies) {
      std::string name = fit(printable(strategy, style_.unicode), kHeadingMax, glyphs_.ellipsis);
      Lines lines(1);
      while (!name.empty()) {
        const std::size_t hyphen = name.find('-');
        const std::string part = name.substr(0, hyphen == name.npos ? hyphen : hyphen + 1);
        name.erase(0, part.size());
        const bool fits = display_width(lines.back()) + display_width(part) <= cell_width_;
        if (fits) {
          lines.back() += part;
          continue;
        }
        if (lines.back().empty()) lines.pop_back();
        for (std::string& piece : wrap(part, cell_width_)) lines.push_back(std::move(piece));
      }
      list.push_back(std::move(lines));
    }
    return list;
  }

  void add_row(const MatrixRow& row) {
    std::vector<Lines> cells;
    std::vector<Paint> paints;
    for (const MatrixCell& cell : row.cells) {
      paints.push_back(cell_paint(cell));
      if (!words_) {
        cells.push_back({fit(cell_signs(cell, glyphs_), cell_width_, glyphs_.ellipsis)});
        continue;
      }
      std::string words = cell_words(cell);
      if (cell.run != nullptr && cell.run->as_expected == std::optional(false)) words += '*';
      cells.push_back(wrap(words, cell_width_));
    }
    add_lines(label(row), cells, Paint::kPlain, paints);
  }

  void add_lines(const std::string& name, const std::vector<Lines>& cells, Paint how,
                 const std::vector<Paint>& paints) {
    std::size_t height = 1;
    for (const Lines& lines : cells) height = std::max(height, lines.size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string text =
          pad(line == 0 ? fit(name, label_width_, glyphs_.ellipsis) : "", label_width_);
      int missing = 0;  // spaces owed: none stand at the end of a line
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = line < cells[i].size() ? cells[i][line] : "";
        ++missing;
        if (!cell.empty()) {
          text += std::string(static_cast<std::size_t>(missing), ' ');
          text += paint(cell, i < paints.size() ? paints[i] : how, style_.colour);
          missing = 0;
        }
        missing += cell_width_ - display_width(cell);
      }
      while (!text.empty() && text.back() == ' ') text.pop_back();
      out_ += text + "\n";
    }
  }

  void add_legend() {
    out_ += '\n';
    std::string legend;
    if (!words_) {
      legend = fmt::format(
          "{} safe   {}N N overlaps   {} un-owned mutation   {} stuck for ever   {} stuck until "
          "the TTL   {}N N cases of damage   ? unknown   {} not exercised   ",
          glyphs_.good, glyphs_.bad, glyphs_.unowned, glyphs_.forever, glyphs_.until_ttl,
          glyphs_.damage, glyphs_.dash);
    }
    legend += "* not as expected";
    for (const std::string& line : wrap_items(legend)) out_ += line + "\n";
  }

  // Breaks between legend items (three spaces), not inside them.
  Lines wrap_items(std::string_view legend) const {
    const int width = std::clamp(style_.width, kTextWidthMin, kTextWidthMax);
    Lines lines(1);
    while (!legend.empty()) {
      const std::size_t end = std::min(legend.find("   "), legend.size());
      const std::string item(legend.substr(0, end));
      legend.remove_prefix(std::min(end + 3, legend.size()));
      const int used = display_width(lines.back());
      if (used > 0 && used + 3 + display_width(item) > width) lines.emplace_back();
      lines.back() += (lines.back().empty() ? "" : "   ") + item;
    }
    return lines;
  }

  Matrix matrix_;
  const TextStyle& style_;
  const Glyphs& glyphs_;
  int label_width_ = 8;
  int cell_width_ = 0;
  bool words_ = false;
  std::string out_;
};

using Json = nlohmann::ordered_json;

Json json_cell(std::string_view strategy, const MatrixCell& cell) {
  Json json;
  json["strategy"] = strategy;
  if (cell.run == nullptr) {
    json["outcome"] = nullptr;
    return json;
  }
  const Verdict& v = *cell.run->verdict;
  const StuckCounts stuck = count_stuck(v);
  json["outcome"] = outcome_name(v.outcome);
  json["as_expected"] = cell.run->as_expected ? Json(*cell.run->as_expected) : Json(nullptr);
  json["overlaps"] = v.overlaps.size();
  json["unowned"] = v.unowned.size();
  json["stuck_for_ever"] = stuck.forever;
  json["stuck_until_ttl"] = stuck.until_ttl;
  json["damage"] = v.damage.size();
  Json causes = Json::array();
  for (const Cause cause : main_causes(v)) causes.push_back(std::string(cause_name(cause)));
  json["causes"] = causes;
  return json;
}

}  // namespace

std::string matrix_text(std::span<const RunReport> runs, const TextStyle& style) {
  return TextMatrix(runs, style).draw();
}

std::string matrix_markdown(std::span<const RunReport> runs) {
  const Matrix matrix = make_matrix(runs);
  std::string out = matrix.many_guards ? "| scenario | guard |" : "| scenario |";
  std::string rule = matrix.many_guards ? "|---|---|" : "|---|";
  for (const std::string_view strategy : matrix.strategies) {
    out += fmt::format(" {} |", markdown_code(strategy));
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const MatrixRow& row : matrix.rows) {
    out += "| " + markdown_code(row.scenario) + " |";
    if (matrix.many_guards) out += " " + markdown_code(row.guard) + " |";
    for (const MatrixCell& cell : row.cells) {
      const std::string words = cell_words(cell);
      const bool wrong = cell.run != nullptr && cell.run->as_expected == std::optional(false);
      out += wrong ? fmt::format(" **{}** (not as expected) |", words)
                   : fmt::format(" {} |", words.empty() ? "-" : words);
    }
    out += "\n";
  }
  return out;
}

std::string matrix_json(std::span<const RunReport> runs) {
  const Matrix matrix = make_matrix(runs);
  Json json;
  json["locklapse"] = version();
  json["strategies"] = std::vector<std::string>(matrix.strategies.begin(), matrix.strategies.end());
  Json list = Json::array();
  for (const MatrixRow& row : matrix.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      cells.push_back(json_cell(matrix.strategies[i], row.cells[i]));
    }
    Json object;
    object["scenario"] = row.scenario;
    object["guard"] = row.guard;
    object["cells"] = std::move(cells);
    list.push_back(std::move(object));
  }
  json["matrix"] = std::move(list);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace locklapse::reports
