// The numbers here were computed by an independent program from the published definitions of
// splitmix64 and xoshiro256**; they must never change, or recorded seeds lose their meaning.
#include "sim/core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace locklapse {
namespace {

TEST(Random, MixesAsSplitmix64IsPublished) {
  std::uint64_t state = 1'234'567;
  EXPECT_EQ(splitmix64(state), 6'457'827'717'110'365'317u);
  EXPECT_EQ(splitmix64(state), 3'203'168'211'198'807'973u);
  EXPECT_EQ(splitmix64(state), 9'817'491'932'198'370'423u);
  EXPECT_EQ(splitmix64(state), 4'593'380'528'125'082'431u);
  EXPECT_EQ(splitmix64(state), 16'408'922'859'458'223'821u);
}

struct Vector {
  std::uint64_t seed;
  std::uint64_t purpose;
  std::array<std::uint64_t, 4> numbers;
};

constexpr Vector kVectors[] = {
    {1, 0, {17'254'933'023'648'552'173u, 10'273'995'337'764'303'472u, 13'859'318'443'369'830'749u,
            7'411'415'172'829'056'809u}},
    {1, 1, {3'501'290'240'102'054'732u, 1'999'902'197'214'618'784u, 12'272'163'569'652'834'708u,
            16'436'086'340'459'987'777u}},
    {0, 0, {18'110'106'563'157'542'208u, 8'650'457'082'529'208'451u, 3'032'169'436'225'125'478u,
            5'211'024'849'135'804'362u}},
    {std::numeric_limits<std::uint64_t>::max(), 7,
     {12'447'091'495'406'831'741u, 14'490'378'286'602'038'464u, 16'800'843'768'937'346'077u,
      8'879'587'675'679'904'746u}},
};

TEST(Random, GivesTheSameNumbersOnEveryMachine) {
  for (const Vector& vector : kVectors) {
    Random random(vector.seed, vector.purpose);
    for (const std::uint64_t number : vector.numbers) EXPECT_EQ(random.next(), number);
  }
}

TEST(Random, BoundsItsNumbersTheSameWayOnEveryMachine) {
  Random random(42, 3);
  const std::uint32_t half = (1u << 31) + 1;  // rejects nearly half of all draws
  const std::array<std::uint32_t, 9> bounds = {1, 2, 3, 10, 1'000, half, 0xffff'ffff, half, half};
  const std::array<std::uint32_t, 9> numbers = {
      0, 1, 0, 2, 96, 1'254'969'638, 1'421'845'990, 2'062'608'445, 1'630'462'127};
  for (std::size_t i = 0; i < bounds.size(); ++i) EXPECT_EQ(random.below(bounds[i]), numbers[i]);
}

TEST(Random, IsUniformBelowABound) {
  for (const std::uint32_t n : {2u, 3u, 7u, 10u, 100u}) {
    Random random(5, n);
    std::vector<int> seen(n);
    const int draws_each = 10'000;
    for (std::uint32_t i = 0; i < n * draws_each; ++i) ++seen.at(random.below(n));
    // Five standard deviations of a binomial count are below 5 * sqrt(10,000) = 500.
    for (const int count : seen) EXPECT_NEAR(count, draws_each, 500) << "below " << n;
  }
}

TEST(Random, IsUniformOverThirdsOfALargeBound) {
  const std::uint32_t third = 1u << 30;
  Random random(6, 0);
  std::array<int, 3> seen{};
  for (int i = 0; i < 30'000; ++i) ++seen.at(random.below(3 * third) / third);
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, HasOneStreamPerPurpose) {
  Random latency(9, 0);
  Random jitter(9, 1);
  int equal = 0;
  for (int i = 0; i < 1'000; ++i) equal += latency.next() == jitter.next() ? 1 : 0;
  EXPECT_EQ(equal, 0);
}

}  // namespace
}  // namespace locklapse
