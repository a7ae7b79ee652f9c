#include "archive.hpp"

#include <array>
#include <cstdint>

#include "microslip/core/error.hpp"

namespace microslip::fmu {
namespace {

std::uint32_t crc32(const std::string& bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t c = 0xFFFFFFFFu;
  for (const char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 255] ^ (c >> 8);
  return c ^ 0xFFFFFFFFu;
}

void put(std::string& out, std::uint64_t x, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(x >> (8 * i)));
}

/// What the local and the central heading of an entry share (APPNOTE, sections 4.3.7 and 4.3.12).
void put_heading(std::string& out, const Entry& entry, std::uint32_t crc) {
  put(out, 20, 2);            // version needed: 2.0
  put(out, 0x0800, 2);        // names are UTF-8
  put(out, 0, 2);             // stored
  put(out, 0, 2);             // time
  put(out, (1 << 5) | 1, 2);  // date: 1980-01-01, so that the same joint gives the same file
  put(out, crc, 4);
  put(out, entry.bytes.size(), 4);
  put(out, entry.bytes.size(), 4);
  put(out, entry.name.size(), 2);
  put(out, 0, 2);  // nothing extra
}

}  // namespace

std::string archive(const jobs::ExportFmuResult& fmu, const std::vector<Binaries>& binaries) {
  std::vector<Entry> entries;
  for (const jobs::FmuText& text : fmu.texts) entries.push_back({text.path, text.text});
  for (const Binaries& one : binaries) {
    const std::string& path = one.place.path;
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    entries.push_back({path, one.library});
    for (const Entry& entry : one.beside) entries.push_back({folder + entry.name, entry.bytes});
  }
  return zip(entries);
}

std::string zip(const std::vector<Entry>& entries) {
  std::string out, directory;
  for (const Entry& entry : entries) {
    const std::size_t offset = out.size();
    if (offset + entry.bytes.size() > 0xF0000000u) throw Error("the archive is larger than 4 GB");
    const std::uint32_t crc = crc32(entry.bytes);
    put(out, 0x04034b50, 4);
    put_heading(out, entry, crc);
    out += entry.name + entry.bytes;
    put(directory, 0x02014b50, 4);
    put(directory, (3 << 8) | 20, 2);  // made on Unix
    put_heading(directory, entry, crc);
    put(directory, 0, 2);  // no comment
    put(directory, 0, 2);  // first disk
    put(directory, 0, 2);  // attributes of DOS
    const bool program = entry.name.find(".so") != std::string::npos;
    put(directory, (program ? 0100755u : 0100644u) << 16, 4);
    put(directory, offset, 4);
    directory += entry.name;
  }
  const std::size_t start = out.size();
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);  // one disk
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, start, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace microslip::fmu
