#include "fuzz/readers.hpp"

#include <unistd.h>

#include <Eigen/SparseCore>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "io/table/finite_element_matrices.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/document.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/mat_file.hpp"
#include "microslip/io/matrix_file.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/io/uff_file.hpp"

namespace microslip::fuzz {
namespace {

void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void check_matrix(const io::MatrixFile& file) {
  const Eigen::SparseMatrix<double>& matrix = file.matrix;
  expect(file.labels.empty() || static_cast<Eigen::Index>(file.labels.size()) == matrix.rows(),
         "as many labels as rows");
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry) {
      expect(entry.row() >= 0 && entry.row() < matrix.rows(), "an entry inside of the matrix");
      expect(std::isfinite(entry.value()), "a finite entry");
    }
}

// A number stays what it is on the way to JSON, and the document is read again as the same.
void document(std::string_view bytes, const std::string& name) {
  const std::string once = io::json_document(bytes, name);
  expect(io::json_document(once, "again.json") == once, "the same document, read again");
}

void parameters(std::string_view bytes, io::ParameterFormat format) {
  for (const ModelSpec& spec : io::parse_parameters(bytes, format, "fuzz")) {
    const std::string once = io::parameters_text(spec, format);
    const auto again = io::parse_parameters(once, format, "again");
    expect(again.size() == 1 && io::parameters_text(again.front(), format) == once,
           "the same parameters, read again");
  }
}

void toml(std::string_view bytes) {
  document(bytes, "fuzz.toml");
  if (bytes.starts_with("model")) parameters(bytes, io::ParameterFormat::toml);
}

void json(std::string_view bytes) {
  document(bytes, "fuzz.json");
  parameters(bytes, io::ParameterFormat::json);
}

void table(std::string_view bytes) {
  const io::Table table = io::read_table(bytes, "fuzz", {});
  expect(table.rows() > 0, "a table with rows");
  for (const io::Column& column : table.columns)
    for (const double value : column.values) expect(std::isfinite(value), "a finite number");
}

void matrix_market(std::string_view bytes) {
  const auto matrix = io::parse_matrix_market(bytes, "fuzz");
  check_matrix({matrix});
  const std::string once = io::matrix_market_text(matrix);
  expect(io::matrix_market_text(io::parse_matrix_market(once, "again")) == once,
         "the same matrix, read again");
}

void triplets(std::string_view bytes) { check_matrix(io::parse_matrix_triplets(bytes, "fuzz")); }

// By what the bytes look like, as for a file.
void nastran(std::string_view bytes) {
  check_matrix(io::is_op4(bytes) ? io::parse_op4(bytes, "fuzz", "K")
                                 : io::parse_dmig(bytes, "fuzz", "K"));
}

void harwell_boeing(std::string_view bytes) {
  check_matrix(io::parse_harwell_boeing(bytes, "fuzz"));
}

void universal(std::string_view bytes) {
  const io::UffFile file = io::read_uff_text(bytes, "fuzz");
  for (const io::UffFunction& function : file.functions)
    expect(function.x.size() == function.values.size(), "as many values as places");
}

void mat(std::string_view bytes) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("microslip_fuzz_" + std::to_string(getpid()) + ".mat");
  struct Removed {
    std::filesystem::path path;
    ~Removed() { std::filesystem::remove(path); }
  } removed{path};
  io::write_file(path, bytes);
  for (const io::MatVariable& variable : io::mat_variables(path))
    if (variable.numeric && variable.sparse)
      check_matrix({io::read_mat_sparse(path, variable.name)});
    else if (variable.numeric)
      (void)io::read_mat_matrix(path, variable.name);
}

}  // namespace

const std::array<Reader, 9> readers{{{"toml", toml},
                                     {"json", json},
                                     {"table", table},
                                     {"mtx", matrix_market},
                                     {"triplets", triplets},
                                     {"nastran", nastran},
                                     {"boeing", harwell_boeing},
                                     {"uff", universal},
                                     {"mat", mat}}};

bool accepted(const Reader& reader, std::string_view bytes) {
  try {
    reader.read(bytes);
    return true;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    expect(message.size() < 4000, "a short message");
    for (const char c : message)
      expect(static_cast<unsigned char>(c) >= 0x20, "a message of one line");
    return false;
  }
}

}  // namespace microslip::fuzz
