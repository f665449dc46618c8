// The entry point that libFuzzer calls with its inputs, for the target DEMETER_FUZZ_TARGET.
#include <cstddef>
#include <string_view>

namespace demeter::fuzz::DEMETER_FUZZ_TARGET {
void hold(std::string_view text);
}

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  demeter::fuzz::DEMETER_FUZZ_TARGET::hold({reinterpret_cast<char const*>(data), size});
  return 0;
}
