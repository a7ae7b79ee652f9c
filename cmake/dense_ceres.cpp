/// Ceres is asked for dense factorisations by Eigen only. The archive holds its other solvers, too, and with
/// them came SuiteSparse, METIS, ATLAS and their libraries: 20 of them to load for functions that nothing
/// calls. They end here. Hidden, so that a library that needs the real ones finds those.

#include <cstdio>
#include <cstdlib>

#define MICROSLIP_NOT_LINKED(name)                                                 \
  extern "C" __attribute__((visibility("hidden"), noreturn)) void name();          \
  void name() {                                                                    \
    std::fputs("microslip: " #name " of a sparse solver is not linked\n", stderr); \
    std::abort();                                                                  \
  }

MICROSLIP_NOT_LINKED(cholmod_amd)
MICROSLIP_NOT_LINKED(cholmod_analyze)
MICROSLIP_NOT_LINKED(cholmod_analyze_p)
MICROSLIP_NOT_LINKED(cholmod_camd)
MICROSLIP_NOT_LINKED(cholmod_factorize)
MICROSLIP_NOT_LINKED(cholmod_finish)
MICROSLIP_NOT_LINKED(cholmod_free_dense)
MICROSLIP_NOT_LINKED(cholmod_free_factor)
MICROSLIP_NOT_LINKED(cholmod_free_sparse)
MICROSLIP_NOT_LINKED(cholmod_l_finish)
MICROSLIP_NOT_LINKED(cholmod_l_free_sparse)
MICROSLIP_NOT_LINKED(cholmod_l_start)
MICROSLIP_NOT_LINKED(cholmod_print_common)
MICROSLIP_NOT_LINKED(cholmod_solve)
MICROSLIP_NOT_LINKED(cholmod_start)
MICROSLIP_NOT_LINKED(cholmod_triplet_to_sparse)
MICROSLIP_NOT_LINKED(cholmod_zeros)
MICROSLIP_NOT_LINKED(cs_di_amd)
MICROSLIP_NOT_LINKED(cs_di_calloc)
MICROSLIP_NOT_LINKED(cs_di_chol)
MICROSLIP_NOT_LINKED(cs_di_cholsol)
MICROSLIP_NOT_LINKED(cs_di_compress)
MICROSLIP_NOT_LINKED(cs_di_counts)
MICROSLIP_NOT_LINKED(cs_di_cumsum)
MICROSLIP_NOT_LINKED(cs_di_etree)
MICROSLIP_NOT_LINKED(cs_di_free)
MICROSLIP_NOT_LINKED(cs_di_ipvec)
MICROSLIP_NOT_LINKED(cs_di_lsolve)
MICROSLIP_NOT_LINKED(cs_di_ltsolve)
MICROSLIP_NOT_LINKED(cs_di_malloc)
MICROSLIP_NOT_LINKED(cs_di_multiply)
MICROSLIP_NOT_LINKED(cs_di_nfree)
MICROSLIP_NOT_LINKED(cs_di_pinv)
MICROSLIP_NOT_LINKED(cs_di_post)
MICROSLIP_NOT_LINKED(cs_di_pvec)
MICROSLIP_NOT_LINKED(cs_di_schol)
MICROSLIP_NOT_LINKED(cs_di_sfree)
MICROSLIP_NOT_LINKED(cs_di_spfree)
MICROSLIP_NOT_LINKED(cs_di_symperm)
MICROSLIP_NOT_LINKED(cs_di_transpose)
MICROSLIP_NOT_LINKED(dgeqrf_)
MICROSLIP_NOT_LINKED(dormqr_)
MICROSLIP_NOT_LINKED(dpotrf_)
MICROSLIP_NOT_LINKED(dpotrs_)
MICROSLIP_NOT_LINKED(dtrtrs_)
