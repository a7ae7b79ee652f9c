#pragma once

/// The generic interface of MFront, version 1 of its API, as MGIS reads it: which symbols describe a
/// behaviour, and the data of one integration point. Declared after the documentation of MGIS
/// ("Generic interface", "BehaviourData").

extern "C" {

/// The state at the beginning (`const` for us) or at the end of a step.
struct microslip_mgis_state {
  const double* gradients;
  double* thermodynamic_forces;
  const double* mass_density;
  const double* material_properties;
  double* internal_state_variables;
  double* stored_energy;
  double* dissipated_energy;
  const double* external_state_variables;
};

struct microslip_mgis_data {
  char* error_message;  ///< 512 characters, or NULL
  double dt;
  double* K;               ///< in: what is asked; out: the operator
  double* rdt;             ///< out: factor of the next time step
  double* speed_of_sound;  ///< where K[0] asks for it
  microslip_mgis_state s0, s1;
};
}

namespace microslip::mgis {

struct Behaviour {
  const char* law;
  int properties, states;
};

/// 1 fine, -1 failed, as MFront returns it.
int integrate(const Behaviour& behaviour, microslip_mgis_data* data) noexcept;

}  // namespace microslip::mgis

/// What is the same for all behaviours. `extern` because constants of C++ stay inside a file otherwise.
#define MICROSLIP_NUMBER(BEHAVIOUR, NAME, VALUE) \
  extern const unsigned short BEHAVIOUR##_##NAME = VALUE;
#define MICROSLIP_TEXT(BEHAVIOUR, NAME, VALUE) extern const char* const BEHAVIOUR##_##NAME = VALUE;
#define MICROSLIP_HYPOTHESIS(BEHAVIOUR, HYPOTHESIS)                              \
  MICROSLIP_NUMBER(BEHAVIOUR##_##HYPOTHESIS, nInitializeFunctions, 0)            \
  MICROSLIP_NUMBER(BEHAVIOUR##_##HYPOTHESIS, nPostProcessings, 0)                \
  int BEHAVIOUR##_##HYPOTHESIS(microslip_mgis_data* data) {                      \
    return microslip::mgis::integrate(microslip_behaviour_of_##BEHAVIOUR, data); \
  }
#define MICROSLIP_BEHAVIOUR(BEHAVIOUR, TYPE, KINEMATIC, GRADIENT, FORCE, KIND)      \
  MICROSLIP_TEXT(BEHAVIOUR, mfront_ept, #BEHAVIOUR)                                 \
  MICROSLIP_NUMBER(BEHAVIOUR, mfront_mkt, 1)                                        \
  MICROSLIP_TEXT(BEHAVIOUR, mfront_interface, "Generic")                            \
  MICROSLIP_NUMBER(BEHAVIOUR, api_version, 1)                                       \
  MICROSLIP_TEXT(BEHAVIOUR, tfel_version, "")                                       \
  MICROSLIP_TEXT(BEHAVIOUR, unit_system, "")                                        \
  MICROSLIP_TEXT(BEHAVIOUR, author, "microslip")                                    \
  MICROSLIP_TEXT(BEHAVIOUR, date, "")                                               \
  MICROSLIP_TEXT(BEHAVIOUR, validator, "")                                          \
  MICROSLIP_NUMBER(BEHAVIOUR, BehaviourType, TYPE)                                  \
  MICROSLIP_NUMBER(BEHAVIOUR, BehaviourKinematic, KINEMATIC)                        \
  MICROSLIP_NUMBER(BEHAVIOUR, SymmetryType, 0)                                      \
  MICROSLIP_NUMBER(BEHAVIOUR, ElasticSymmetryType, 0)                               \
  MICROSLIP_NUMBER(BEHAVIOUR, savesTangentOperator, 0)                              \
  MICROSLIP_NUMBER(BEHAVIOUR, UsableInPurelyImplicitResolution, 1)                  \
  MICROSLIP_NUMBER(BEHAVIOUR, requiresStiffnessTensor, 0)                           \
  MICROSLIP_NUMBER(BEHAVIOUR, requiresThermalExpansionCoefficientTensor, 0)         \
  MICROSLIP_NUMBER(BEHAVIOUR, ComputesInternalEnergy, 1)                            \
  MICROSLIP_NUMBER(BEHAVIOUR, ComputesDissipatedEnergy, 1)                          \
  MICROSLIP_NUMBER(BEHAVIOUR, TemperatureRemovedFromExternalStateVariables, 0)      \
  MICROSLIP_NUMBER(BEHAVIOUR, nExternalStateVariables, 0)                           \
  extern const char* const BEHAVIOUR##_ExternalStateVariables[] = {nullptr};        \
  extern const int BEHAVIOUR##_ExternalStateVariablesTypes[] = {0};                 \
  MICROSLIP_NUMBER(BEHAVIOUR, nParameters, 0)                                       \
  extern const char* const BEHAVIOUR##_Parameters[] = {nullptr};                    \
  extern const int BEHAVIOUR##_ParametersTypes[] = {0};                             \
  MICROSLIP_NUMBER(BEHAVIOUR, nGradients, 1)                                        \
  extern const char* const BEHAVIOUR##_Gradients[] = {GRADIENT};                    \
  extern const int BEHAVIOUR##_GradientsTypes[] = {KIND};                           \
  MICROSLIP_NUMBER(BEHAVIOUR, nThermodynamicForces, 1)                              \
  extern const char* const BEHAVIOUR##_ThermodynamicForces[] = {FORCE};             \
  extern const int BEHAVIOUR##_ThermodynamicForcesTypes[] = {KIND};                 \
  MICROSLIP_NUMBER(BEHAVIOUR, nTangentOperatorBlocks, 2)                            \
  extern const char* const BEHAVIOUR##_TangentOperatorBlocks[] = {FORCE, GRADIENT}; \
  MICROSLIP_NUMBER(BEHAVIOUR, nInitializeFunctions, 0)                              \
  MICROSLIP_NUMBER(BEHAVIOUR, nPostProcessings, 0)
