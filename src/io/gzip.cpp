#include "gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "microslip/core/error.hpp"

namespace microslip::io {

bool is_gzip(std::string_view content) { return content.substr(0, 3) == "\x1f\x8b\x08"; }

std::string unzipped(std::string_view content, std::string_view name) {
  const auto refuse = [name](const std::string& reason) {
    return Error("cannot read '" + std::string(name) + "': its gzip data are " + reason);
  };
  struct Stream : z_stream {
    Stream() : z_stream{} {}
    ~Stream() { ::inflateEnd(this); }
  } stream;
  constexpr int gzip_only = 15 + 16;  // of zlib's window sizes and formats
  if (::inflateInit2(&stream, gzip_only) != Z_OK) throw refuse("not readable: no memory");
  // Tables of numbers shrink to a half or a fiftieth. Constant bytes shrink to a thousandth, and a file that
  // is made of them fills the memory.
  constexpr std::size_t small = 64u << 20, most_times = 100;
  const std::size_t most = std::max(small, most_times * content.size());
  std::string result;
  std::size_t offered = 0;
  for (;;) {
    if (stream.avail_in == 0) {
      // zlib counts bytes in 32 bits.
      const std::size_t piece =
          std::min<std::size_t>(content.size() - offered, std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data() + offered));
      stream.avail_in = static_cast<uInt>(piece);
      offered += piece;
    }
    const std::size_t filled = result.size();
    if (filled > most)
      throw refuse(
          "more than " + std::to_string(most_times) +
          " times as large when they are unpacked; if that is right, unpack the file first");
    // One byte beyond what is allowed shows that there is more.
    const std::size_t room =
        std::min(std::clamp<std::size_t>(filled, 1 << 16, small), most + 1 - filled);
    result.resize(filled + room);
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + filled);
    stream.avail_out = static_cast<uInt>(room);
    const int state = ::inflate(&stream, Z_NO_FLUSH);
    result.resize(filled + room - stream.avail_out);
    if (state == Z_STREAM_END) {
      // Files that were appended to each other are one file.
      if (!is_gzip(content.substr(offered - stream.avail_in))) return result;
      ::inflateReset(&stream);
    } else if (state == Z_BUF_ERROR) {
      throw refuse("cut off");  // no byte is left to go on with
    } else if (state != Z_OK) {
      throw refuse("damaged");
    }
  }
}

}  // namespace microslip::io
