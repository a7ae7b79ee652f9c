#pragma once

/// What stands behind the handles of microslip.h, and the one place where exceptions end.

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "microslip.h"
#include "microslip/core/any_model.hpp"

struct microslip_model {
  microslip::AnyModel law;
  /// The expression without values, "jenkins+linear". Its address is the identity of the model: states know whose
  /// they are, because a law would misread those of another one.
  std::shared_ptr<const std::string> label;

  const std::string& name() const { return *label; }
};

struct microslip_state {
  microslip::Checkpoint at;
  std::shared_ptr<const std::string> owner;  ///< the label of its model
  bool has_time = false;                     ///< at.t was reached by a run with time
};

struct microslip_joint {
  microslip_model law;
  microslip_state committed, trial;
  enum class Trial { none, good, failed } last = Trial::none;
};

namespace microslip::c {

/// A law that has no answer, as an exception of this folder.
struct Stopped {
  int status;
  std::size_t row;
  std::string sentence;
};

struct Interrupted {};

inline int report(microslip_error* error, int code, std::string_view sentence, int status = 0,
                  std::size_t row = 0) noexcept {
  if (!error) return code;
  error->code = code;
  error->status = status;
  error->row = row;
  std::size_t size = std::min(sentence.size(), sizeof error->sentence - 1);
  // Do not cut a character of several bytes.
  if (size < sentence.size())
    while (size > 0 && (static_cast<unsigned char>(sentence[size]) & 0xC0) == 0x80) --size;
  if (size > 0) std::memcpy(error->sentence, sentence.data(), size);
  error->sentence[size] = '\0';
  return code;
}

/// Runs `work` and turns whatever it throws into a code and a sentence.
template <class Work>
int guarded(microslip_error* error, Work&& work) noexcept {
  try {
    work();
    if (error) {
      error->code = error->status = 0;
      error->row = 0;
      error->sentence[0] = '\0';
    }
    return MICROSLIP_OK;
  } catch (const Stopped& stop) {
    return report(error, MICROSLIP_STOPPED, stop.sentence, stop.status, stop.row);
  } catch (const Interrupted&) {
    return report(error, MICROSLIP_INTERRUPTED, "interrupted");
  } catch (const Error& bad) {
    return report(error, MICROSLIP_BAD_INPUT, bad.what());
  } catch (const std::bad_alloc&) {
    return report(error, MICROSLIP_OUT_OF_MEMORY, "there is not enough memory");
  } catch (const std::exception& defect) {
    return report(error, MICROSLIP_INTERNAL, defect.what());
  } catch (...) {
    return report(error, MICROSLIP_INTERNAL, "an unknown failure inside microslip");
  }
}

template <class T>
void require(const T* pointer, const char* name) {
  if (!pointer) throw Error(std::string("the argument '") + name + "' must not be NULL");
}

inline microslip_state rest_of(const microslip_model& model, double x = 0, double y = 0) {
  return {{model.law.rest(), 0, x, y, 0}, model.label, false};
}

inline void check_owner(const microslip_model& model, const microslip_state& state) {
  if (state.owner == model.label) return;
  throw Error("this state belongs to another model (" + *state.owner + ") than this one (" +
              model.name() + "); microslip_state_save and microslip_state_load carry it over");
}

char* copied(std::string_view text);

}  // namespace microslip::c
