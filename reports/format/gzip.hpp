// Files in the gzip format, in memory. results.json.gz is one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace demeter::report {

/// Maximum size of the text that `gunzip` returns. 1 MB of gzip data can contain 1 GB of zeros.
inline constexpr std::size_t most_unpacked = std::size_t{1} << 28;

/// Returns `text` as a gzip file without a name and without a time, with `output_mark` as its comment: equal
/// texts give equal bytes.
std::string gzip(std::string_view text);

/// Returns the text of a gzip file. If the file is damaged or contains more than `most` bytes of text, returns nothing
/// and puts the problem into `why`, in one line.
std::optional<std::string> gunzip(std::string_view file, std::string& why, std::size_t most = most_unpacked);

/// Returns the text of a file that may be compressed. The first two bytes decide, not the name of the file. A file
/// without gzip data is returned unchanged.
std::optional<std::string> unpacked(std::string file, std::string& why);

}  // namespace demeter::report
