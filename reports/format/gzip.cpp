#include "reports/format/gzip.hpp"

#include "base/files.hpp"

#include <fmt/format.h>

#define ZLIB_CONST  // makes the input of zlib `const`
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

namespace demeter::report {
namespace {

constexpr int gzip_format = 16 + MAX_WBITS;  // zlib's code for the header and checksum of gzip
constexpr std::size_t block = std::size_t{1} << 18;
constexpr std::string_view magic = "\x1f\x8b";

using End = int (*)(z_stream*);
using Ended = std::unique_ptr<z_stream, End>;

/// Passes the next part of `rest` to zlib. zlib counts bytes in 32 bits, so a part has at most 1 GB.
void feed(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in > 0) return;
  std::string_view const part = rest.substr(0, std::size_t{1} << 30);
  stream.next_in = reinterpret_cast<Bytef const*>(part.data());
  stream.avail_in = static_cast<uInt>(part.size());
  rest.remove_prefix(part.size());
}

/// Appends the output of one call of deflate() or inflate() to `to`. Returns the result of this call.
template <class Step>
int append(z_stream& stream, std::string& to, Step const& step) {
  std::size_t const before = to.size();
  to.resize(before + block);
  stream.next_out = reinterpret_cast<Bytef*>(to.data() + before);
  stream.avail_out = static_cast<uInt>(block);
  int const state = step();
  to.resize(to.size() - stream.avail_out);
  if (state == Z_MEM_ERROR) throw std::bad_alloc();
  return state;
}

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  Ended const ended(&stream, &deflateEnd);
  std::string mark(output_mark);
  gz_header header{};
  header.comment = reinterpret_cast<Bytef*>(mark.data());
  header.os = 255;  // operating system: not stated
  deflateSetHeader(&stream, &header);
  std::string file;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    feed(stream, text);
    state = append(stream, file, [&] { return deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH); });
  }
  return file;
}

std::optional<std::string> gunzip(std::string_view file, std::string& why, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_format) != Z_OK) throw std::bad_alloc();
  Ended const ended(&stream, &inflateEnd);
  std::string text;
  auto const refuse = [&](std::string problem) {
    why = std::move(problem);
    return std::nullopt;
  };
  for (;;) {
    feed(stream, file);
    int const state = append(stream, text, [&] { return inflate(&stream, Z_NO_FLUSH); });
    if (text.size() > most)
      return refuse(fmt::format("gzip data: got more than {} MiB of text, expected less", most >> 20));
    if (state == Z_STREAM_END) {
      // A file from `cat a.gz b.gz` or pigz consists of several parts.
      if (stream.avail_in == 0 && file.empty()) return text;
      if (inflateReset(&stream) != Z_OK) return refuse("gzip data: cannot read the next part");
    } else if (state == Z_BUF_ERROR ||
               (state == Z_OK && stream.avail_in == 0 && file.empty() && stream.avail_out > 0)) {
      return refuse(fmt::format("truncated gzip data: it ends after {} bytes of text", text.size()));
    } else if (state != Z_OK) {
      return refuse(fmt::format("corrupt gzip data after {} bytes of text: {}", text.size(),
                                stream.msg != nullptr ? stream.msg : "no reason given"));
    }
  }
}

std::optional<std::string> unpacked(std::string file, std::string& why) {
  if (!file.starts_with(magic)) return file;
  return gunzip(file, why);
}

}  // namespace demeter::report
