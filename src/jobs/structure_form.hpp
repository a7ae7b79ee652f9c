#pragma once

#include "jobs/text_form.hpp"
#include "microslip/jobs/structure.hpp"

/// The parts of a structure that are no lists of members.
namespace microslip::jobs {

#define MICROSLIP_FILE_FORM(Type)                                                                  \
  template <>                                                                                      \
  struct FileForm<Type> {                                                                          \
    static Json write(const Type& value);                                                          \
    static void read(const Json& json, Type& to, const std::string& where, const Columns& beside); \
  };
MICROSLIP_FILE_FORM(dynamics::SparseMatrix)
MICROSLIP_FILE_FORM(dynamics::Direction)
MICROSLIP_FILE_FORM(Eigen::VectorXd)
MICROSLIP_FILE_FORM(Expression)
MICROSLIP_FILE_FORM(AnyModel)
MICROSLIP_FILE_FORM(dynamics::Signal)
MICROSLIP_FILE_FORM(std::shared_ptr<const dynamics::InterfaceLaw>)
#undef MICROSLIP_FILE_FORM

template <>
void read(const Json& json, catalog::StructureFile& to, const std::string& where,
          const Columns& beside);

/// A value to read into, of laws, which have no empty one.
template <>
AnyModel blank<AnyModel>();
template <>
inline dynamics::JointElement blank<dynamics::JointElement>() {
  return {blank<AnyModel>(), {}};
}

}  // namespace microslip::jobs
