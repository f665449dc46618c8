// Fuzzes files of balls: the reader, the arrangement of the balls (contained balls, connected parts) and their picture.
#include "reports/family/clump/arrangement.hpp"
#include "reports/family/clump/picture.hpp"
#include "tests/fuzz/expect.hpp"

#include <cmath>
#include <numeric>

namespace demeter::fuzz::balls {
namespace {

using clump_file::Arrangement;
using clump_file::Ball;
using Balls = std::vector<Ball>;

bool same(Ball const& a, Ball const& b) { return a.centre == b.centre && a.radius == b.radius; }

std::string text_of(Balls const& balls) {
  std::string text;
  for (Ball const& ball : balls)
    text += fmt::format("{} {} {} {}\n", ball.centre[0], ball.centre[1], ball.centre[2], ball.radius);
  return text;
}

/// Computes the arrangement in another way: tests every pair of balls.
Arrangement by_pairs(Balls const& balls) {
  Arrangement found;
  found.hidden.assign(balls.size(), false);
  std::vector<std::size_t> part(balls.size()), chosen;
  std::iota(part.begin(), part.end(), std::size_t{0});
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (std::any_of(chosen.begin(), chosen.end(), [&](std::size_t j) { return same(balls[i], balls[j]); })) {
      ++found.duplicates;
    } else {
      chosen.push_back(i);
    }
  }
  for (std::size_t const i : chosen) {
    bool contained = false;
    for (std::size_t const j : chosen) {
      using Wide = long double;
      Wide const a = balls[i].radius, b = balls[j].radius;
      Wide const square = (balls[i].centre.cast<Wide>() - balls[j].centre.cast<Wide>()).squaredNorm();
      contained = contained || (b > a && square <= (b - a) * (b - a));
      if (square <= (a + b) * (a + b)) {
        std::size_t const from = part[i], to = part[j];
        std::replace(part.begin(), part.end(), from, to);
      }
    }
    if (contained) ++found.contained;
  }
  for (std::size_t const i : chosen) {
    auto const size = std::count_if(chosen.begin(), chosen.end(), [&](std::size_t j) { return part[j] == part[i]; });
    found.largest = std::max(found.largest, static_cast<std::size_t>(size));
    if (std::none_of(chosen.begin(), chosen.end(), [&](std::size_t j) { return j < i && part[j] == part[i]; }))
      ++found.parts;
  }
  return found;
}

void check_arrangement(Balls const& balls, Arrangement const& found) {
  std::string const text = text_of(balls);
  expect(found.hidden.size() == balls.size(), "every ball is hidden or not", text);
  auto const hidden = static_cast<std::size_t>(std::count(found.hidden.begin(), found.hidden.end(), true));
  expect(hidden == found.duplicates + found.contained, "duplicates and contained balls are hidden", text);
  if (balls.size() > 100) return;
  Arrangement const pairs = by_pairs(balls);
  expect(found.duplicates == pairs.duplicates, "duplicates are counted", text);
  expect(found.contained == pairs.contained, "balls inside another are counted", text);
  expect(found.parts == pairs.parts, "parts are counted", text);
  expect(found.largest == pairs.largest, "the balls of the largest part are counted", text);
}

void check(std::string_view text) {
  Balls balls;
  if (auto const wrong = clump_file::read_balls(text, 1, balls)) {
    expect_plain_message(*wrong);
    return;
  }
  expect(!balls.empty(), "a file that is read has balls");
  for (Ball const& ball : balls) {
    expect(ball.centre.allFinite(), "a centre is finite", text_of({ball}));
    expect(std::isfinite(ball.radius) && ball.radius > 0, "a radius is finite and above 0", text_of({ball}));
  }
  Balls again;
  expect(!clump_file::read_balls(text_of(balls), 1, again), "balls that are written are read", text_of(balls));
  expect(std::ranges::equal(balls, again, same), "balls that are written and read again are the same", text_of(balls));

  Arrangement const arrangement = clump_file::arrangement(balls);
  check_arrangement(balls, arrangement);
  Ball const& one = balls.front();
  clump_file::Body const body{1, one.centre, Vector3<double>::Constant(one.radius * one.radius), {1, 0, 0, 0}};
  std::string const svg = clump_file::picture(balls, arrangement.hidden, body, "a file");
  for (std::string_view const no_number : {"\"nan", "\"-nan", "\"inf", "\"-inf"})
    expect(svg.find(no_number) == std::string::npos, "a picture has numbers", text_of(balls));
}

}  // namespace

void hold(std::string_view text) { check(text); }

}  // namespace demeter::fuzz::balls
