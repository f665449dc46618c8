// Fuzzes files of vectors, such as those in oracles/vectors. `demeter vectors` reads and checks them.
#include "kernels/vectors.hpp"

#include "tests/fuzz/expect.hpp"

namespace demeter::fuzz::vectors {
namespace {

void check(Kernel const& kernel, std::string_view text) {
  Vectors vectors;
  auto const wrong = read_vectors(kernel, text, vectors);
  expect(vectors.cases.rows == vectors.notes.size(), "notes for every row");
  if (wrong) return expect_plain_message(*wrong);
  // Only a few vectors are checked, because computing the expected values takes long.
  if (vectors.notes.empty() || vectors.notes.size() > 3) return;
  for (auto const& problem : check_vectors(kernel, text)) expect_plain_message(problem);

  std::string written;
  for (std::size_t row = 0; row < vectors.cases.rows; ++row) {
    std::string why;
    auto const line = vector_line(kernel, vectors.cases, row, vectors.notes[row], why);
    if (!line) return expect_plain_message(why);  // oracle and reference refuse numbers with too many digits
    written += *line + "\n";
  }
  Vectors again;
  auto const refused = read_vectors(kernel, written, again);
  expect(!refused, "written vectors are read", refused.value_or("") + " in " + written);
  expect(same_bits(again.cases, vectors.cases), "vectors that are written and read again have the same bits", written);
  for (std::size_t row = 0; row < again.notes.size(); ++row) {
    auto const &a = again.notes[row], &b = vectors.notes[row];
    expect(a.id == b.id && a.regime == b.regime && a.source == b.source && a.comment == b.comment,
           "notes that are written and read again are the same", written);
  }
  for (auto const& problem : check_vectors(kernel, written))
    expect(problem.find("the same as on line") != std::string::npos, "what the tool writes passes its check", problem);
}

}  // namespace

void hold(std::string_view text) {
  for (auto const& kernel : kernels()) check(kernel, text);
}

}  // namespace demeter::fuzz::vectors
