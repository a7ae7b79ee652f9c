#include "microslip/io/mat_file.hpp"

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

#ifdef MICROSLIP_MATIO

#include <dlfcn.h>
#include <matio.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace microslip::io {
namespace {

/// The functions of libmatio. The library is loaded when the first MAT file comes, because it brings 35 others
/// along: HDF5, curl, Kerberos and more.
struct Matio {
  decltype(&::Mat_Open) open;
  decltype(&::Mat_Close) close;
  decltype(&::Mat_VarFree) free;
  decltype(&::Mat_VarRead) read;
  decltype(&::Mat_VarReadInfo) read_info;
  decltype(&::Mat_VarReadNextInfo) read_next_info;
  decltype(&::Mat_VarGetNumberOfFields) number_of_fields;
  decltype(&::Mat_VarGetStructFieldnames) field_names;
  decltype(&::Mat_VarGetStructFieldByIndex) field_by_index;
  decltype(&::Mat_VarGetStructFieldByName) field_by_name;
  decltype(&::Mat_SizeOfClass) size_of_class;
};

Matio loaded() {
  void* const library = dlopen(MICROSLIP_MATIO, RTLD_NOW | RTLD_LOCAL);
  const auto refuse = [] {
    const char* const reason = dlerror();
    throw Error(
        std::string("MAT files are read by the library libmatio, which cannot be loaded (") +
        (reason ? reason : MICROSLIP_MATIO) + ")");
  };
  if (!library) refuse();
  Matio functions{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function) refuse();
  };
  find(functions.open, "Mat_Open");
  find(functions.close, "Mat_Close");
  find(functions.free, "Mat_VarFree");
  find(functions.read, "Mat_VarRead");
  find(functions.read_info, "Mat_VarReadInfo");
  find(functions.read_next_info, "Mat_VarReadNextInfo");
  find(functions.number_of_fields, "Mat_VarGetNumberOfFields");
  find(functions.field_names, "Mat_VarGetStructFieldnames");
  find(functions.field_by_index, "Mat_VarGetStructFieldByIndex");
  find(functions.field_by_name, "Mat_VarGetStructFieldByName");
  find(functions.size_of_class, "Mat_SizeOfClass");
  return functions;
}

const Matio& matio() {
  static const Matio functions = loaded();
  return functions;
}

struct Closes {
  void operator()(mat_t* file) const { matio().close(file); }
  void operator()(matvar_t* variable) const { matio().free(variable); }
};
using File = std::unique_ptr<mat_t, Closes>;
using Variable = std::unique_ptr<matvar_t, Closes>;

File opened(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw Error("cannot read " + path.string() + ": there is no such file");
  File file(matio().open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) throw Error(path.string() + " is not a MAT file");
  return file;
}

bool is_real_type(const matvar_t& v) {
  switch (v.data_type) {
    case MAT_T_DOUBLE:
    case MAT_T_SINGLE:
    case MAT_T_INT8:
    case MAT_T_UINT8:
    case MAT_T_INT16:
    case MAT_T_UINT16:
    case MAT_T_INT32:
    case MAT_T_UINT32:
    case MAT_T_INT64:
    case MAT_T_UINT64:
      return true;
    default:
      return false;
  }
}

bool is_matrix(const matvar_t& v) {
  const bool numbers = v.class_type == MAT_C_SPARSE ||
                       (v.class_type >= MAT_C_DOUBLE && v.class_type <= MAT_C_UINT64);
  return numbers && v.rank == 2 && v.isComplex == 0;
}

MatVariable described(const matvar_t& v, const std::string& name) {
  return {name, std::vector<std::size_t>(v.dims, v.dims + v.rank), is_matrix(v),
          v.class_type == MAT_C_SPARSE};
}

bool is_struct(const matvar_t& v) {
  return v.class_type == MAT_C_STRUCT && v.rank == 2 && v.dims[0] == 1 && v.dims[1] == 1;
}

void describe_all(matvar_t& v, const std::string& name, std::vector<MatVariable>& list) {
  if (!is_struct(v)) {
    list.push_back(described(v, name));
    return;
  }
  const unsigned count = matio().number_of_fields(&v);
  const char* const* names = matio().field_names(&v);
  for (unsigned i = 0; i < count; ++i)
    if (matvar_t* field = matio().field_by_index(&v, i, 0))
      describe_all(*field, name + "." + names[i], list);
}

/// The number at a place of an array of whatever type it was stored in.
double number_at(const void* data, enum matio_types type, std::size_t i) {
  switch (type) {
    case MAT_T_DOUBLE:
      return static_cast<const double*>(data)[i];
    case MAT_T_SINGLE:
      return static_cast<double>(static_cast<const float*>(data)[i]);
    case MAT_T_INT8:
      return static_cast<const std::int8_t*>(data)[i];
    case MAT_T_UINT8:
      return static_cast<const std::uint8_t*>(data)[i];
    case MAT_T_INT16:
      return static_cast<const std::int16_t*>(data)[i];
    case MAT_T_UINT16:
      return static_cast<const std::uint16_t*>(data)[i];
    case MAT_T_INT32:
      return static_cast<const std::int32_t*>(data)[i];
    case MAT_T_UINT32:
      return static_cast<const std::uint32_t*>(data)[i];
    case MAT_T_INT64:
      return static_cast<double>(static_cast<const std::int64_t*>(data)[i]);
    case MAT_T_UINT64:
      return static_cast<double>(static_cast<const std::uint64_t*>(data)[i]);
    default:
      return 0;
  }
}

[[noreturn]] void refuse_name(const std::filesystem::path& path, const std::string& name) {
  std::vector<std::string> names;
  for (const MatVariable& v : mat_variables(path)) {
    if (v.name == name)
      throw Error(path.string() + ": the variable '" + name +
                  "' cannot be read; its data are damaged or cut off");
    if (v.numeric) names.push_back(v.name);
  }
  throw Error(path.string() + " has no variable '" + name + "'" +
              (names.empty() ? "; it holds no matrix of real numbers" : suggestion(name, names)));
}

std::uintmax_t claimed_bytes(matvar_t& v) {
  std::uintmax_t bytes = std::max<std::size_t>(matio().size_of_class(v.class_type), 1);
  for (int i = 0; i < v.rank; ++i)
    bytes = v.dims[i] == 0 ? 0 : bytes > UINTMAX_MAX / v.dims[i] ? UINTMAX_MAX : bytes * v.dims[i];
  if (v.class_type == MAT_C_SPARSE) return v.nbytes;  // most of it is zero and not stored
  if (!is_struct(v)) return bytes;
  bytes = 0;
  for (unsigned i = 0; i < matio().number_of_fields(&v); ++i)
    if (matvar_t* field = matio().field_by_index(&v, i, 0))
      bytes = std::max(bytes, claimed_bytes(*field));
  return bytes;
}

/// The compression of MAT files makes numbers smaller by 1032 at most. A matrix that would be larger is
/// refused before room is made for it.
void refuse_what_the_file_cannot_hold(const std::filesystem::path& path, mat_t* file,
                                      const std::string& name) {
  const Variable head(matio().read_info(file, name.c_str()));
  if (!head) return;
  constexpr std::uintmax_t small = 64u << 20, most_times = 1100;
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (claimed_bytes(*head) > std::max(small, most_times * size))
    throw Error(path.string() + ": the variable '" + name +
                "' claims to be larger than a file of " + std::to_string(size) + " bytes can hold");
}

/// Calls use(variable) with the matrix of that name.
template <class Use>
auto with_matrix(const std::filesystem::path& path, const std::string& name, const Use& use) {
  const File file = opened(path);
  const std::size_t dot = name.find('.');
  refuse_what_the_file_cannot_hold(path, file.get(), name.substr(0, dot));
  const Variable whole(matio().read(file.get(), name.substr(0, dot).c_str()));
  matvar_t* found = whole.get();
  for (std::size_t from = dot; found && from != std::string::npos;) {
    const std::size_t next = name.find('.', from + 1);
    const std::string field =
        name.substr(from + 1, next == std::string::npos ? next : next - from - 1);
    found = is_struct(*found) ? matio().field_by_name(found, field.c_str(), 0) : nullptr;
    from = next;
  }
  if (!found) refuse_name(path, name);
  if (!is_matrix(*found) || !is_real_type(*found) || (!found->data && found->nbytes > 0))
    throw Error(path.string() + ": the variable '" + name +
                "' must be a matrix of real numbers, full or sparse");
  return use(*found);
}

Eigen::SparseMatrix<double> sparse_of(const matvar_t& v) {
  const auto rows = static_cast<Eigen::Index>(v.dims[0]);
  const auto columns = static_cast<Eigen::Index>(v.dims[1]);
  Eigen::SparseMatrix<double> matrix(rows, columns);
  std::vector<Eigen::Triplet<double>> entries;
  if (v.class_type == MAT_C_SPARSE) {
    const auto& sparse = *static_cast<const mat_sparse_t*>(v.data);
    for (std::size_t j = 0; j + 1 < sparse.njc; ++j)
      for (auto k = static_cast<std::size_t>(sparse.jc[j]);
           k < static_cast<std::size_t>(sparse.jc[j + 1]) && k < sparse.ndata; ++k)
        entries.emplace_back(static_cast<int>(sparse.ir[k]), static_cast<int>(j),
                             number_at(sparse.data, v.data_type, k));
  } else {
    for (std::size_t k = 0; k < v.dims[0] * v.dims[1]; ++k)
      if (const double x = number_at(v.data, v.data_type, k); x != 0)
        entries.emplace_back(static_cast<int>(k % v.dims[0]), static_cast<int>(k / v.dims[0]), x);
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

std::vector<MatVariable> mat_variables(const std::filesystem::path& path) {
  const File file = opened(path);
  std::vector<MatVariable> list;
  while (const Variable v{matio().read_next_info(file.get())})
    if (v->name) describe_all(*v, v->name, list);
  return list;
}

Eigen::MatrixXd read_mat_matrix(const std::filesystem::path& path, const std::string& name) {
  return with_matrix(path, name, [](const matvar_t& v) -> Eigen::MatrixXd {
    if (v.class_type == MAT_C_SPARSE) return sparse_of(v);
    Eigen::MatrixXd matrix(static_cast<Eigen::Index>(v.dims[0]),
                           static_cast<Eigen::Index>(v.dims[1]));
    for (Eigen::Index k = 0; k < matrix.size(); ++k)
      matrix.data()[k] = number_at(v.data, v.data_type, static_cast<std::size_t>(k));
    return matrix;
  });
}

Eigen::SparseMatrix<double> read_mat_sparse(const std::filesystem::path& path,
                                            const std::string& name) {
  return with_matrix(path, name, [](const matvar_t& v) { return sparse_of(v); });
}

}  // namespace microslip::io

#else  // where there is no matio

namespace microslip::io {

std::vector<MatVariable> mat_variables(const std::filesystem::path& path) {
  throw Error(path.string() + ": this build cannot read MAT files");
}
Eigen::MatrixXd read_mat_matrix(const std::filesystem::path& path, const std::string&) {
  throw Error(path.string() + ": this build cannot read MAT files");
}
Eigen::SparseMatrix<double> read_mat_sparse(const std::filesystem::path& path, const std::string&) {
  throw Error(path.string() + ": this build cannot read MAT files");
}

}  // namespace microslip::io

#endif
