// Search for balls that may overlap.
#pragma once

#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace demeter::fast_union {

/// Finds the pairs i < j of balls that may overlap, in order, with a tree of boxes. Each child contains half of the
/// balls of its parent, divided along the widest axis.
struct Boxes {
  struct Box {
    double low[3], high[3];
    Index begin, end, right;  // begin, end: positions in `order`. right: index of the second child; the first child
                              // follows its parent. 0: a leaf.
  };
  std::vector<Box> boxes;
  std::vector<Index> order, found;

  static Box around(Balls const& balls, std::size_t i) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Box box{};
    for (std::size_t k = 0; k < 3; ++k) {
      box.low[k] = std::nextafter(balls.c(k, i) - balls.r(i), -infinity);
      box.high[k] = std::nextafter(balls.c(k, i) + balls.r(i), infinity);
    }
    return box;
  }

  void build(Balls const& balls) {
    order.resize(balls.size);
    std::iota(order.begin(), order.end(), Index{0});
    boxes.clear();
    split(balls, 0, static_cast<Index>(balls.size));
  }
  void split(Balls const& balls, Index begin, Index end) {
    Box box = around(balls, order[begin]);
    for (Index n = begin + 1; n < end; ++n) {
      Box const other = around(balls, order[n]);
      for (std::size_t k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], other.low[k]);
        box.high[k] = std::max(box.high[k], other.high[k]);
      }
    }
    box.begin = begin;
    box.end = end;
    box.right = 0;
    std::size_t const place = boxes.size();
    boxes.push_back(box);
    if (end - begin <= 4) return;
    std::size_t widest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (box.high[k] - box.low[k] > box.high[widest] - box.low[widest]) widest = k;
    Index const middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](Index a, Index b) {
      double const x = balls.c(widest, a), y = balls.c(widest, b);
      return x < y || (x == y && a < b);
    });
    split(balls, begin, middle);
    boxes[place].right = static_cast<Index>(boxes.size());
    split(balls, middle, end);
  }
  // Returns the balls after i whose boxes meet the box of i.
  std::vector<Index> const& after(Balls const& balls, Index i) {
    return meeting(around(balls, i), [i](Index ball) { return ball > i; });
  }
  // Returns, in order, the `wanted` balls whose leaf of the tree meets a box.
  template <class Wanted>
  std::vector<Index> const& meeting(Box const& own, Wanted const& wanted) {
    found.clear();
    Index stack[80];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      Box const& box = boxes[stack[--depth]];
      bool apart = false;
      for (std::size_t k = 0; k < 3; ++k) apart = apart || box.high[k] < own.low[k] || own.high[k] < box.low[k];
      if (apart) continue;
      if (box.right != 0) {
        stack[depth++] = box.right;
        stack[depth++] = static_cast<Index>(&box - boxes.data()) + 1;
        continue;
      }
      for (Index n = box.begin; n < box.end; ++n)
        if (wanted(order[n])) found.push_back(order[n]);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

}  // namespace demeter::fast_union
