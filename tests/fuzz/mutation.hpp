#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "support/random.hpp"

/// Texts that readers are given: good ones, changed here and there.
namespace microslip::fuzz {

class Mutation {
 public:
  /// `tokens` are put in where a byte drawn at random would say little.
  Mutation(const std::vector<std::string>& seeds, const std::vector<std::string>& tokens)
      : seeds_(seeds), tokens_(tokens), random_(testing::base_seed()) {
    std::cout << "seed " << testing::base_seed() << " (set MICROSLIP_SEED for another)\n";
  }

  std::size_t below(std::size_t n) { return random_.below(n); }
  /// A seed with fewer than this many changes.
  std::string draw(std::size_t changes) {
    std::string text = one(seeds_);
    for (std::size_t n = below(changes); n > 0; --n) change(text);
    return text;
  }

 private:
  const std::string& one(const std::vector<std::string>& list) { return list[below(list.size())]; }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(9)) {
      case 0:
        text.insert(at, one(tokens_));
        break;
      case 1:
        text.erase(at, 1 + below(4));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random_.bits() & 0xff);
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>('0' + below(10));
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 5:
        text.insert(at, 1, static_cast<char>(random_.bits() & 0xff));
        break;
      case 6:
        text.resize(at);
        break;
      case 7:
        text.insert(at, text.substr(below(text.size() + 1), below(90)));
        break;
      default:
        text += one(seeds_);
    }
    text.resize(std::min<std::size_t>(text.size(), 6000));
  }

  const std::vector<std::string>& seeds_;
  const std::vector<std::string>& tokens_;
  testing::Rng random_;
};

}  // namespace microslip::fuzz
