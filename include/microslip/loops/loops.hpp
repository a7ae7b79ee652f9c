#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Numbers of a record of displacement and force that need no law: reversals, loops, energy,
/// stiffness, damping, backbone.
///
/// Reversals. A reversal counts when the motion returns by more than the threshold; smaller ones
/// are noise. The threshold is estimated from the record unless it is given.
///
/// Loops. Reversals are paired as in rainflow counting, which is also how hysteresis forgets
/// (return-point memory): in a, b, c, d the loop b–c interrupts a longer leg a–b; it ends where c–d
/// passes b, and a goes on to d as if the loop had not been there. The remaining legs have equal,
/// growing or falling amplitude; two that follow each other make a loop. Where the amplitude grows,
/// the loop ends where it passes its first tip again. Where the amplitude falls, it does not return
/// there: the loop then consists of its two whole legs, and its numbers come from all three tips
/// (see Cycle). A first or last leg that is only part of a loop is left out.
namespace microslip::loops {

struct Options {
  std::optional<double> threshold{};  ///< in the unit of u; estimated when not given
  bool repair_sign = true;            ///< take −f where energy and stiffness of the loops are
                                      ///< negative and the whole record agrees
  std::size_t density_bins = 20;      ///< of the Iwan density
};

/// One monotone part of a loop, u in order of time, without the smaller loops inside it.
struct Branch {
  std::vector<double> u, f;
};

/// A loop with the tips a (start), b (middle) and c (end). It is closed when u returns to the
/// displacement of a. Otherwise `opening` is not zero, and the first tip of the formulas below is
/// the mean of a and c.
struct Cycle {
  std::size_t first_row = 0, middle_row = 0, last_row = 0;  ///< it begins, turns, ends
  std::optional<std::size_t> inside{};                      ///< the cycle that it interrupts
  bool minor = false;                                       ///< it interrupts a longer leg

  double amplitude = 0;    ///< half of the distance between the tips
  double mean = 0;         ///< middle between the tips
  double force_range = 0;  ///< largest minus smallest force
  double mean_force = 0;   ///< middle between the forces at the tips
  /// ∮ f du without the loops inside. An open loop is closed by the line from c to a, less the
  /// triangle that this adds: the mean of the energies of the two loops that its legs belong to.
  double energy = 0;
  double secant = 0;         ///< slope of the line between the tips
  double tangent = 0;        ///< slope just after a reversal; mean of both
  double tangent_error = 0;  ///< its error; infinite: the rows do not show it, it is larger
  double final_slope = 0;    ///< slope at the end of the branches
  double damping = 0;        ///< ζ = D/(4π · ½ k u₀²), k the secant
  double asymmetry = 0;      ///< rms of (one branch − the other, turned by 180°) / force range
  double masing_defect = 0;  ///< rms of (branch − doubled backbone) / force range
  double closure = 0;        ///< (force where it ends − where it began) / force range
  double closure_error = 0;  ///< what sampling leaves open of it: the change within the last row
  double opening = 0;        ///< (u where it ends − where it began) / distance between the tips
  double frequency = 0;      ///< of the motion; 0 without time, or with loops inside
  std::optional<double> start_time{};

  Branch out, back;  ///< from the first row to the middle, and from there to the last
};

/// An odd curve through the origin; x and force are measured from the centre of the loops.
struct Backbone {
  enum class Source {
    none,
    virgin,  ///< the first leg, where the record starts at rest
    branch,  ///< the branches of the largest loop, halved (Masing's rule)
  };
  Source source = Source::none;
  std::vector<double> x, force;
};

/// The tips of the loops: amplitude and half of the force between the tips, by amplitude. Needs no
/// assumption, unlike the backbone.
struct Tips {
  std::vector<double> amplitude, force, energy;
};

/// log D = constant + m log u₀ by least squares. The power p of frequency compares loops of nearly
/// equal amplitude only, because D is not a power of amplitude over a wide range.
struct PowerLaw {
  std::size_t cycles = 0;    ///< used
  double exponent = 0;       ///< m
  double error = 0;          ///< standard error of m
  double low = 0, high = 0;  ///< 95 % confidence
  double factor = 0;         ///< D = factor · u₀^m (at the geometric mean frequency)
  bool found = false;        ///< false: fewer than three cycles, or too few amplitudes
  std::optional<double> frequency_exponent{};  ///< p, where frequencies differ by half
  double frequency_error = 0;
};

/// Jenkins elements in parallel that make up the backbone, found by least squares with stiffnesses
/// ≥ 0: the Iwan density ρ = −g'' as a bar chart, plus what never slips.
struct IwanDensity {
  std::vector<double> edges;      ///< of the bars, in displacement; one more than there are bars
  std::vector<double> stiffness;  ///< of the elements that slip in each bar
  std::vector<double> density;    ///< stiffness / width
  double elastic = 0;             ///< stiffness of what has not slipped at the last edge
  double rms = 0;                 ///< misfit of the backbone, relative to its largest force

  /// Middle of a bar: where its element slips.
  double slip(std::size_t bar) const { return 0.5 * (edges[bar] + edges[bar + 1]); }
};

/// f̄ = a0 f − a1 u, ū = a2 u (about the centre of the loops): final slope 0, gap 2, first slope 1.
/// Biswas, thesis 2018, eqs (4.1)–(4.3).
struct Normalization {
  double a0 = 1, a1 = 0, a2 = 1;
  double u_center = 0, f_center = 0;

  double u(double u_measured) const { return a2 * (u_measured - u_center); }
  double f(double u_measured, double f_measured) const {
    return a0 * (f_measured - f_center) - a1 * (u_measured - u_center);
  }
  double measured_u(double u_bar) const { return u_center + u_bar / a2; }
  double measured_f(double u_bar, double f_bar) const {
    return f_center + (f_bar + a1 * u_bar / a2) / a0;
  }
};

/// From first slope s1, final slope s0 and the gap h between the saturated lines.
/// Throws Error unless s1 > s0 and h > 0.
Normalization normalization(double first_slope, double final_slope, double gap);

struct Loops {
  double noise_u = 0, noise_f = 0;  ///< standard deviations, from differences between rows
  double threshold = 0;
  bool threshold_given = false;

  bool sign_flipped = false;  ///< the record had −f; all numbers here are for the repaired one
  std::vector<std::size_t> turning_rows;  ///< first row, reversals, last row
  std::vector<std::size_t> reversals;     ///< rows
  std::vector<Cycle> cycles;              ///< in order of their middle

  /// "the record has no rows between …", where it may have turned unseen: loops over that gap are left out.
  std::string gap{};
  double total_energy = 0;  ///< ∫ f du over the whole record
  double u_center = 0;      ///< of the largest cycle, or of the range when there is none
  double f_center = 0;
  double amplitude = 0;          ///< largest
  double initial_stiffness = 0;  ///< after reversals; of the whole record when nothing reverses
  double initial_stiffness_error = 0;  ///< infinite: the record does not show it, it is larger
  double final_slope = 0;              ///< at the end of the branches of the largest cycle
  double half_gap = 0;  ///< h/2 of the largest loop, h = 2 · amplitude · (secant − final slope):
                        ///< the gap between its saturated lines, as in `normalization`
  double force_level = 0;       ///< largest |f − f_center|: at least what the joint can carry
  bool starts_at_rest = false;  ///< the first row lies at the centre of the loops
  bool hysteresis = false;      ///< the loops enclose more energy than noise makes
  bool pinched = false;         ///< the branches of the largest loop become stiffer on their way

  Backbone backbone;
  Tips tips;
  PowerLaw dissipation;
  PowerLaw dissipation_by_force;  ///< with the amplitude of the force, half of its range
  IwanDensity density;
  std::optional<Normalization> normalization{};  ///< of the largest cycle, where it has a gap
  std::vector<std::string> warnings;             ///< whole sentences

  std::size_t minor_loops() const;
  /// The cycle of the largest amplitude (the later one of equals: it is more nearly steady).
  const Cycle* largest() const;
};

/// t is empty or as long as u and f. Throws Error for fewer than three rows, different lengths or
/// numbers that are not finite.
Loops analyse(std::span<const double> t, std::span<const double> u, std::span<const double> f,
              const Options& options = {});

// ------------------------------------------------------------------------ the pieces, for reuse

/// Standard deviation of white noise on a smooth signal, from the median of its differences of
/// order 2, 4 and 6, which see little of the signal and nothing of a few corners. 0 below 16 rows.
double noise_level(std::span<const double> signal);

/// The threshold that `analyse` takes when none is given.
double reversal_threshold(std::span<const double> u);

/// Rows where the motion turns by more than the threshold.
std::vector<std::size_t> find_reversals(std::span<const double> u, double threshold);

/// The signal without white noise of this level: parabolas through as many rows as the motion
/// bears. The same signal where there is no noise, or where rows are too few.
std::vector<double> smoothed(std::span<const double> signal, double noise);

/// Correlation of two columns about their means, −1 to 1; 0 if one of them is constant.
double correlation(std::span<const double> a, std::span<const double> b);

/// ∫ f du by the trapezoidal rule.
double work(std::span<const double> u, std::span<const double> f);

/// Iwan density of a backbone with x ascending from 0.
IwanDensity iwan_density(std::span<const double> x, std::span<const double> force,
                         std::size_t bins);

}  // namespace microslip::loops
