// Compresses and decompresses text in the gzip format, in memory. results.json.gz has this format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace demeter::report {

/// Maximum size of the text that `gunzip` returns. 1 MB of gzip data can contain 1 GB of zeros.
inline constexpr std::size_t most_unpacked = std::size_t{1} << 28;

/// Returns `text` as a gzip file. The file has `output_mark` as its comment, but not a name or a time: equal texts
/// therefore give equal bytes.
std::string gzip(std::string_view text);

/// Returns the text of a gzip file. If the file is damaged or contains more than `most` bytes of text, returns nothing
/// and puts the problem into `why`, in one line.
std::optional<std::string> gunzip(std::string_view file, std::string& why, std::size_t most = most_unpacked);

/// Returns the text of a file that may be a gzip file. The first two bytes decide this, and not the name of the file.
/// Any other file is returned unchanged.
std::optional<std::string> unpacked(std::string file, std::string& why);

}  // namespace demeter::report
