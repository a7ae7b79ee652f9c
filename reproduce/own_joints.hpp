#pragma once

#include <array>
#include <string>
#include <vector>

#include "microslip/contact/lap_joint.hpp"
#include "microslip/fit/fit.hpp"
#include "microslip/loops/loops.hpp"
#include "support.hpp"

/// Lap joints computed here, in the place of those of the thesis, whose dimensions stand in figures
/// that its text does not carry. Steel plates, lower plate clamped, the free end of the upper plate
/// moved transversely; N and mm.
namespace microslip::reproduce {

/// The six inputs of Tables 4.1, H.1 and H.2 and the first of them again in Tables 4.2 and J.1.
inline constexpr const char* joint_inputs[] = {
    "2*sin(2*pi*t) + sin(8*pi*t)",      "2*sin(2*pi*t) + sin(9*pi*t)",
    "2*sin(2*pi*t) + 0.8*sin(10*pi*t)", "2*sin(2*pi*t) + 0.8*sin(11*pi*t)",
    "2*sin(2*pi*t) + 0.6*sin(12*pi*t)", "2*sin(2*pi*t) + 0.6*sin(13*pi*t)"};

/// Plates of steel, 40 mm wide, in bending.
contact::LapPlates steel_plates(double length, double overlap, double thickness);
/// The joint that stands for that of chapter 4: 100 × 4 mm, overlap 40 mm, a washer of 24 mm.
contact::LapJoint chapter_4_joint(double mu, double preload);
inline constexpr double chapter_4_a2 = 1.1255;  ///< caption of fig. 4.5

/// Stuck stiffness, final stiffness and gap of a tied interface: the last two from a motion far
/// beyond microslip. The plates do not slide as a whole there: in bending one point in the middle of
/// the overlap sticks, since nothing pulls along the plates.
struct Saturation {
  double first_slope, final_slope, gap;
  loops::Normalization normalization() const {
    return loops::normalization(first_slope, final_slope, gap);
  }
};
Saturation saturation(const contact::TiedInterface& joint);

/// Stiffness before slip where friction yields elastically: a slider slips once it has moved by
/// `slip`, so its stiffness is μP/slip, as penalty friction of finite-element codes has it.
double elastic_first_slope(const contact::TiedInterface& joint, double slip);

struct JointLoop {
  std::vector<double> u, f;
};
/// Along `scale` times a signal of period 1 (2 for some), from rest.
JointLoop follow(const contact::TiedInterface& joint, const std::string& signal, double scale,
                 double until = 3, double step = 0.005);

/// The same with plates that may separate.
JointLoop follow_open(const contact::LapJoint& joint, const std::string& signal, double scale,
                      double until, double step);

/// rms of the difference of two forces over the gap.
double rms_over_gap(const JointLoop& loop, const std::vector<double>& force, double gap);

/// α and σ of the normalised two-state law that several loops share; gains and the spring beside it
/// are their own.
struct SharedFit {
  double alpha, sigma;
  std::vector<std::vector<double>> force;
};
SharedFit fit_shared(const std::vector<JointLoop>& loops);

/// A normalised loop and, if there is one, a fit, for a picture.
io::Panel normalised_panel(const std::string& title, const loops::Normalization& n,
                           const JointLoop& loop, const std::vector<double>& fit = {});
/// Panels, two beside each other.
io::Figure in_pairs(const std::vector<io::Panel>& panels, double height = 4);

}  // namespace microslip::reproduce
