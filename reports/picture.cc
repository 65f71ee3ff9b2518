#include "reports/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/display_width.h"
#include "reports/escape.h"
#include "reports/glyphs.h"
#include "reports/lanes.h"
#include "reports/layout.h"
#include "reports/paint.h"
#include "reports/timeline.h"
#include "reports/wording.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

struct Cell {
  std::string_view glyph;
  Paint how = Paint::kPlain;
  const char* meaning = "";  // for the legend; empty: needs none
};

class Picture {
 public:
  Picture(const RunReport& run, const TextStyle& style)
      : run_(run),
        style_(style),
        glyphs_(glyphs(style.unicode)),
        lanes_(*run.history),
        names_(client_names(*run.history)),
        steps_(make_timeline(*run.history, *run.verdict, names_).steps),
        left_out_(thin_out(steps_, kPictureStepsMax)),
        layout_(make_layout(run, lanes_, steps_, style)) {
    if (!layout_.numbered) return;
    // Where lanes have numbers, sentences use them too: shorter, and found at once.
    names_ = client_numbers(*run.history);
    steps_ = make_timeline(*run.history, *run.verdict, names_).steps;
    left_out_ = thin_out(steps_, kPictureStepsMax);
  }

  std::string draw() {
    add_heading();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (i > 0) {
        const Duration gap = steps_[i].at - steps_[i - 1].at;
        if (is_fold(steps_, gap)) add_fold(steps_[i - 1].at, gap);
      }
      add_step(i);
    }
    add_notes();
    return std::move(out_);
  }

 private:
  std::string colour(std::string_view text, Paint how) const {
    return paint(text, how, style_.colour);
  }
  std::string safe(std::string_view text) const { return printable(text, style_.unicode); }

  void add_heading() {
    std::string line = pad_left("time", layout_.time_width);
    const auto add = [&](std::string_view cell) {
      line += ' ';
      line += cell;
    };
    add(glyphs_.vertical);
    for (const Column& column : layout_.keys) add(pad(column.heading, column.width));
    if (!layout_.keys.empty()) add(glyphs_.vertical);
    for (const Column& column : layout_.clients) add(pad(column.heading, column.width));
    while (line.back() == ' ') line.pop_back();
    out_ += colour(line, Paint::kBold) + "\n";

    std::string rule;
    const auto draw = [&](int columns) {
      for (int i = 0; i < columns; ++i) rule += glyphs_.horizontal;
    };
    const auto block = [&](const std::vector<Column>& columns) {
      for (const Column& column : columns) draw(column.width + 1);
    };
    draw(layout_.time_width + 1);
    rule += glyphs_.cross;
    block(layout_.keys);
    if (!layout_.keys.empty()) {
      draw(1);
      rule += glyphs_.cross;
    }
    block(layout_.clients);
    draw(layout_.words_width + 1);
    out_ += colour(rule, Paint::kDim) + "\n";
  }

  void add_fold(Time from, Duration gap) {
    const Time middle = from + gap / 2;
    const std::string mark = fit(std::string(glyphs_.fold) + " " + duration_text(gap),
                                 layout_.time_width, glyphs_.ellipsis);
    add_row(colour(pad_left(mark, layout_.time_width), Paint::kDim), middle, nullptr, {},
            Paint::kPlain);
  }

  void add_step(std::size_t index) {
    const Step& step = steps_[index];
    lanes_.advance(step.event);
    const bool same_time = index > 0 && steps_[index - 1].at == step.at;
    const std::string time = same_time ? "" : instant_text(step.at, layout_.decimals);
    const std::vector<std::string> lines = words_of(step);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      add_row(pad_left(i == 0 ? time : "", layout_.time_width), step.at, i == 0 ? &step : nullptr,
              lines[i], paint_of(step));
    }
  }

  // The words, wrapped; the command line joins them as far as there is room on the last line.
  std::vector<std::string> words_of(const Step& step) const {
    std::vector<std::string> lines = wrap(safe(step.words), layout_.words_width);
    if (step.command.empty()) return lines;
    const std::string command = safe(step.command);
    const int room = layout_.words_width - display_width(lines.back()) - 2;
    if (room >= std::min(12, display_width(command))) {
      lines.back() += ": " + fit(command, room, glyphs_.ellipsis);
    }
    return lines;
  }

  static Paint paint_of(const Step& step) {
    if (step.unowned) return Paint::kUnowned;
    if (step.weight == Weight::kFinding) return Paint::kBad;
    return step.weight == Weight::kFault ? Paint::kPaused : Paint::kPlain;
  }

  void add_row(const std::string& time, Time at, const Step* step, const std::string& words,
               Paint how) {
    const std::string bar = colour(glyphs_.vertical, Paint::kDim);
    std::string line = time;
    const auto add = [&](std::string_view cell) {
      line += ' ';
      line += cell;
    };
    add(bar);
    for (const Column& column : layout_.keys) add(key_cell(column, step));
    if (!layout_.keys.empty()) add(bar);
    for (const Column& column : layout_.clients) add(client_cell(column, at, step));
    const bool shared = overlap_at(*run_.verdict, at) >= 0;
    line += shared ? colour(glyphs_.gutter, Paint::kBad) : " ";
    if (shared) use({glyphs_.gutter, Paint::kBad, "an overlap"});
    line += colour(words, how);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out_ += line + "\n";
  }

  static const char* how_it_ended(EventKind kind) {
    switch (kind) {
      case EventKind::kKeyRemoved:
        return "deleted";
      case EventKind::kKeyEvicted:
        return "evicted";
      case EventKind::kKeyLost:
        return "lost";
      default:
        return "expired";
    }
  }

  std::string key_cell(const Column& column, const Step* step) {
    const KeyLane& key = lanes_.keys()[column.index];
    const bool changed = step != nullptr && step->key_lane == static_cast<int>(column.index);
    std::string_view sign = key.owned ? glyphs_.key_still : glyphs_.key_free;
    std::string text;
    if (key.owned) {
      text = key.owner == kNoClient ? short_name(key.token) : names_[key.owner];
    }
    if (changed) {
      const EventKind kind = run_.history->events[step->event].kind;
      if (kind == EventKind::kKeyWritten || kind == EventKind::kKeyRestored) sign = glyphs_.key_new;
      if (kind == EventKind::kKeyDeadline) sign = glyphs_.key_set;
      if (!key.owned) sign = glyphs_.key_end;
      if (!key.owned) text = how_it_ended(kind);
      if (step->unowned) sign = glyphs_.key_hit;
    }
    const std::string shown =
        fit(std::string(sign) + " " + safe(text), column.width, glyphs_.ellipsis);
    const Paint how = changed && step->unowned ? Paint::kUnowned
                      : key.owned              ? Paint::kPlain
                                               : Paint::kDim;
    return colour(pad(shown, column.width), how);
  }

  std::string client_cell(const Column& column, Time at, const Step* step) {
    const ClientLane& lane = lanes_.clients()[column.index];
    const auto client = static_cast<ClientId>(column.index);
    const bool shared = overlap_at(*run_.verdict, client, at) >= 0;
    Cell cell = state_cell(lane, shared);
    const bool marked = step != nullptr && step->mark != Mark::kNone && concerns(*step, client);
    if (marked) {
      const Paint how = shared ? Paint::kOverlap : cell.how;
      cell = mark_cell(step->mark);
      if (how != Paint::kPlain) cell.how = how;
    }
    use(cell);
    // In colour an overlap fills its lane, so that it shows from afar.
    if (shared && style_.colour) return colour(pad(cell.glyph, column.width), Paint::kOverlap);
    return colour(cell.glyph, cell.how) +
           std::string(static_cast<std::size_t>(std::max(0, column.width - 1)), ' ');
  }

  bool concerns(const Step& step, ClientId client) const {
    return step.client == client || step.process == run_.history->cast.clients[client].process ||
           std::find(step.others.begin(), step.others.end(), client) != step.others.end();
  }

  Cell state_cell(const ClientLane& lane, bool shared) const {
    if (lane.crashed) return {glyphs_.crashed, Paint::kPlain, ""};
    if (lane.paused) {
      return shared ? Cell{glyphs_.shared_paused, Paint::kOverlap, "paused inside, not alone"}
                    : Cell{glyphs_.paused, Paint::kPaused, "paused"};
    }
    if (lane.stalled)
      return {glyphs_.stalled, shared ? Paint::kOverlap : Paint::kPaused, "stalled"};
    if (shared) return {glyphs_.shared, Paint::kOverlap, "inside, not alone"};
    switch (lane.doing) {
      case Doing::kNothing:
        return {" ", Paint::kPlain, ""};
      case Doing::kTrying:
        return {glyphs_.trying, Paint::kDim, "waiting"};
      case Doing::kWaiting:
        return {glyphs_.waiting, Paint::kDim, "waiting"};
      case Doing::kReleasing:
        return {glyphs_.releasing, Paint::kDim, "releasing"};
      case Doing::kInside:
        return {glyphs_.inside, Paint::kInside, "inside"};
    }
    return {" ", Paint::kPlain, ""};
  }

  Cell mark_cell(Mark mark) const {
    switch (mark) {
      case Mark::kTry:
        return {glyphs_.attempt, Paint::kPlain, "tries"};
      case Mark::kRefused:
        return {glyphs_.refused, Paint::kPlain, "refused"};
      case Mark::kUnanswered:
        return {glyphs_.unanswered, Paint::kPaused, "no answer"};
      case Mark::kEnter:
        return {glyphs_.enter, Paint::kInside, "enters"};
      case Mark::kTold:
        return {glyphs_.told, Paint::kPaused, "told of the loss"};
      case Mark::kLeave:
        return {glyphs_.leave, Paint::kInside, "leaves"};
      case Mark::kReleased:
        return {glyphs_.released, Paint::kGood, "released"};
      case Mark::kReleaseRefused:
        return {glyphs_.refused, Paint::kBad, "refused"};
      case Mark::kGaveUp:
        return {glyphs_.gave_up, Paint::kPlain, "gives up"};
      case Mark::kCrash:
        return {glyphs_.crash, Paint::kBad, "crashes"};
      case Mark::kNone:
        break;
    }
    return {" ", Paint::kPlain, ""};
  }

  void use(const Cell& cell) {
    const std::string_view meaning = cell.meaning;
    if (meaning.empty()) return;
    for (const Cell& each : used_) {
      if (each.glyph == cell.glyph && each.meaning == meaning) return;
    }
    used_.push_back(cell);
  }

  void add_notes() {
    const int width = std::clamp(style_.width, kTextWidthMin, kTextWidthMax);
    out_ += "\n";
    std::string line;
    int used = 0;
    for (const Cell& cell : used_) {
      const int item = display_width(cell.glyph) + 1 + display_width(cell.meaning) + 3;
      if (used > 0 && used + item > width) {
        out_ += line + "\n";
        line.clear();
        used = 0;
      }
      line += (used > 0 ? "   " : "") + colour(cell.glyph, cell.how) + " " + cell.meaning;
      used += item;
    }
    if (!line.empty()) out_ += line + "\n";
    if (layout_.numbered) {
      for (const Column& column : layout_.clients) {
        const auto& name = run_.history->cast.clients[column.index].name;
        out_ += fit(fmt::format("{:>4} = {}", "#" + column.heading, safe(name)), width,
                    glyphs_.ellipsis);
        out_ += "\n";
      }
    }
    note(layout_.clients_left_out, "client", "without a lane: the picture is too narrow");
    note(layout_.keys_left_out, "key", "without a lane: the picture is too narrow");
    note(left_out_, "step", "left out: the run is long");
    if (!run_.history->complete) out_ += "The run was cut short: a bound was reached.\n";
  }

  void note(std::size_t count, const char* what, const char* why) {
    if (count == 0) return;
    out_ += fmt::format("{} {}{} {}.\n", count, what, count == 1 ? "" : "s", why);
  }

  const RunReport& run_;
  const TextStyle& style_;
  const Glyphs& glyphs_;
  Lanes lanes_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;
  std::size_t left_out_;
  Layout layout_;
  std::vector<Cell> used_;  // for the legend, in the order of appearance
  std::string out_;
};

}  // namespace

std::string draw_picture(const RunReport& run, const TextStyle& style) {
  return Picture(run, style).draw();
}

}  // namespace locklapse::reports
