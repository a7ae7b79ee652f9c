/* microslip from C: laws of frictional hysteresis behind one small interface.
 *
 *   #include <microslip.h>
 *
 *   microslip_error error;
 *   microslip_model *law;
 *   const char *settings[] = {"KT=2", "chi=-0.5"};
 *   if (microslip_create("iwan4", settings, 2, &law, &error)) { puts(error.sentence); exit(1); }
 *   microslip_joint *joint;
 *   microslip_joint_create(law, &joint, &error);
 *   microslip_response response;
 *   microslip_joint_trial(joint, 0.1, 0, &response, &error);   // as often as the host iterates
 *   microslip_joint_commit(joint, &error);                     // once, when it has converged
 *   microslip_joint_destroy(joint);
 *   microslip_destroy(law);
 *
 * Rules that hold for every function
 *   - A function that can fail returns a code, 0 (MICROSLIP_OK) if it succeeded, and describes the
 *     failure in *error. `error` may be NULL. After a failure no output argument was written,
 *     unless its comment says otherwise.
 *   - Nothing throws, prints, exits or keeps global state.
 *   - Texts are UTF-8. A text that is returned through `char **` belongs to the caller, who frees
 *     it with microslip_free.
 *   - An object that is returned through `microslip_xxx **` belongs to the caller, who destroys it.
 *     Destroying NULL does nothing. Objects are independent: a joint keeps its law alive.
 *   - Threads: [any] may be called by any number of threads at the same time, also on the same
 *     objects. [own] changes the object named in its comment; no other thread may use that object
 *     at the same time. Different objects never share anything that changes.
 *   - Units are those of the caller: any consistent set. Energies are force times displacement.
 *   - Enumerations are passed as int, so that the interface is the same for every compiler.
 *
 * Stability: MICROSLIP_API changes only when a program that was compiled against an older header
 * would no longer work. Functions may be added at any time. The structures below keep their layout.
 */
#ifndef MICROSLIP_H
#define MICROSLIP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MICROSLIP_API 1

/* ------------------------------------------------------------------------------ codes, errors */

enum {
  MICROSLIP_OK = 0,
  MICROSLIP_BAD_INPUT = 1,     /* the sentence says what is wrong and what is allowed */
  MICROSLIP_STOPPED = 2,       /* the law has no answer for this motion; `status` says why */
  MICROSLIP_OUT_OF_MEMORY = 3,
  MICROSLIP_INTERRUPTED = 4,   /* the caller's progress function asked to stop */
  MICROSLIP_INTERNAL = 5       /* a defect of the library; please report it */
};

/* Why a law stopped. */
enum {
  MICROSLIP_STATUS_OK = 0,
  MICROSLIP_STATUS_OUT_OF_MEMORY = 1, /* a history of turning points could not grow */
  MICROSLIP_STATUS_NOT_CONVERGED = 2, /* an error-controlled step did not reach its tolerance */
  MICROSLIP_STATUS_UNDEFINED = 3,     /* the law is undefined for this motion */
  MICROSLIP_STATUS_UNREACHABLE = 4,   /* driven by force: the law cannot carry that force */
  MICROSLIP_STATUS_MACROSLIP = 5,     /* some sliders slide as a whole */
  MICROSLIP_STATUS_INFINITE = 100     /* force or energy is too large for a number */
};

typedef struct microslip_error {
  int code;            /* MICROSLIP_… */
  int status;          /* MICROSLIP_STATUS_…, for MICROSLIP_STOPPED */
  size_t row;          /* of a run, counted from 0, for MICROSLIP_STOPPED */
  char sentence[1008]; /* ends with a zero byte; a longer sentence is cut */
} microslip_error;

/* The version of the library, "0.1.0". [any] */
const char *microslip_version(void);

/* MICROSLIP_API of the library that was loaded; compare it with the one that was compiled. [any] */
int microslip_api(void);

/* Frees a text of this library. [any] */
void microslip_free(char *text);

/* ------------------------------------------------------------------------------- descriptions */

/* All laws as a JSON array, each as microslip_describe writes it. [any] */
int microslip_laws(char **json, microslip_error *error);

/* One law, a sum or a wrapper ("jenkins+linear"), as a JSON object: name, sentence, equation,
 * citation, family, driven, claims, parameters (name, unit, kind, bounds, default, sentence),
 * options, states. The same document as `microslip models NAME --json`. [any] */
int microslip_describe(const char *model, char **json, microslip_error *error);

/* ------------------------------------------------------------------------------------- models */

/* A law with its parameters. Immutable. */
typedef struct microslip_model microslip_model;

/* A law by name or by expression ("jenkins(k=1,phi=0.5)+linear(k=0.1)"), with `count` settings
 * "NAME=VALUE" as `microslip simulate --set` takes them: numbers, lists "k=1,2,3", matrices
 * "K=[[2,-1],[-1,2]]", formulas, names of choices. Options of the law are set in the same way.
 * What is not set has its default. [any] */
int microslip_create(const char *model, const char *const *settings, size_t count,
                     microslip_model **out, microslip_error *error);

/* The same from the text of a parameter file, {"model": …, "parameters": {…}, "options": {…}} in
 * JSON or TOML. [any] */
int microslip_create_from_text(const char *text, microslip_model **out, microslip_error *error);

/* The same from a file; of a fit result the fit of the law `fit`, or the best if it is NULL. [any]
 */
int microslip_create_from_file(const char *path, const char *fit, microslip_model **out,
                               microslip_error *error);

/* The same law with some settings changed. [any] */
int microslip_with(const microslip_model *model, const char *const *settings, size_t count,
                   microslip_model **out, microslip_error *error);

/* [own: model] */
void microslip_destroy(microslip_model *model);

/* Its parameter file, as JSON; microslip_create_from_text gives the same law back. [any] */
int microslip_model_text(const microslip_model *model, char **json, microslip_error *error);

/* Its description; see microslip_describe. [any] */
int microslip_model_description(const microslip_model *model, char **json, microslip_error *error);

enum {
  MICROSLIP_RATE_INDEPENDENT = 0, /* the force depends on the path alone; time is ignored */
  MICROSLIP_RATE_DEPENDENT = 1,   /* steps need a time difference, runs the column t */
  MICROSLIP_PLANAR = 2            /* several displacements and forces: two or three */
};

/* MICROSLIP_RATE_INDEPENDENT, …; -1 of NULL. [any] */
int microslip_family(const microslip_model *model);

/* How many displacements and forces it has: 1 for most laws, 2 or 3 for those of the family
 * MICROSLIP_PLANAR. Their names are `directions` in the description: "x" and "y"; "t" and "n" (along a surface
 * and against it); "x", "y" and "n". 0 of NULL. [any] */
int microslip_directions(const microslip_model *model);

/* ------------------------------------------------------------------------------------- states */

/* A point of a history from which it can go on: the memory of the law, the energy dissipated so
 * far, the displacement that counts as zero, and the time. A value: copying it is a snapshot. It
 * belongs to the model that made it, and other models refuse it; microslip_state_save and
 * microslip_state_load carry it to another model of the same law. */
typedef struct microslip_state microslip_state;

/* At rest at u = 0, nothing dissipated. [any] */
int microslip_rest(const microslip_model *model, microslip_state **out, microslip_error *error);

/* At rest at (x, y): displacements are measured from there. y is ignored by scalar laws. [any] */
int microslip_rest_at(const microslip_model *model, double x, double y, microslip_state **out,
                      microslip_error *error);

/* At rest at `at`, which has as many numbers as the law has directions. [any] */
int microslip_rest_at_vector(const microslip_model *model, const double *at, microslip_state **out,
                             microslip_error *error);

/* [any] */
int microslip_state_copy(const microslip_state *state, microslip_state **out,
                         microslip_error *error);

/* [own: state] */
void microslip_state_destroy(microslip_state *state);

/* Dissipated so far; NaN of NULL. [any] */
double microslip_state_energy(const microslip_state *state);

/* Recoverable energy. [any] */
int microslip_stored(const microslip_model *model, const microslip_state *state, double *stored,
                     microslip_error *error);

/* Writes the state as bytes that microslip_state_load reads on any machine. *size receives their
 * number. With bytes = NULL only the size is computed; with a smaller capacity the call fails with
 * MICROSLIP_BAD_INPUT and *size is what is needed. [any] */
int microslip_state_save(const microslip_model *model, const microslip_state *state, void *bytes,
                         size_t capacity, size_t *size, microslip_error *error);

/* Refuses bytes of another law, of another length, or damaged ones. [any] */
int microslip_state_load(const microslip_model *model, const void *bytes, size_t size,
                         microslip_state **out, microslip_error *error);

/* -------------------------------------------------------------------------------------- steps */

typedef struct microslip_response {
  double force;
  double tangent;    /* df/du, one-sided in the direction of the step */
  double dissipated; /* energy lost in this step; work = change of stored energy + dissipated */
} microslip_response;

typedef struct microslip_planar_response {
  double force[2];
  double tangent[4]; /* dfx/dux, dfx/duy, dfy/dux, dfy/duy */
  double dissipated;
} microslip_planar_response;

/* From one state to the displacement u, which is reached after the time dt > 0 (INFINITY: infinitely
 * slowly). Rate-independent laws ignore dt. `to` receives the new state and may be the same object
 * as `from`; after a failure it means nothing unless it is restored. [own: to] */
int microslip_step(const microslip_model *model, const microslip_state *from, double u, double dt,
                   microslip_state *to, microslip_response *response, microslip_error *error);

/* The same for laws with two directions. [own: to] */
int microslip_step_planar(const microslip_model *model, const microslip_state *from, double ux,
                          double uy, microslip_state *to, microslip_planar_response *response,
                          microslip_error *error);

typedef struct microslip_vector_response {
  double force[3];
  double tangent[9]; /* dfi/duj row by row, with as many numbers in a row as there are directions */
  double dissipated;
} microslip_vector_response;

/* The same for laws with several directions; u has as many numbers as there are directions. [own: to] */
int microslip_step_vector(const microslip_model *model, const microslip_state *from,
                          const double *u, microslip_state *to,
                          microslip_vector_response *response, microslip_error *error);

/* A law inside a host program that iterates: the committed state of the last converged step, and a
 * trial. Every trial starts from the committed state, so there is no revert to forget. */
typedef struct microslip_joint microslip_joint;

/* At rest at u = 0. [any] */
int microslip_joint_create(const microslip_model *model, microslip_joint **out,
                           microslip_error *error);

/* [own: joint] */
void microslip_joint_destroy(microslip_joint *joint);

/* As microslip_step, from the committed state. [own: joint] */
int microslip_joint_trial(microslip_joint *joint, double u, double dt,
                          microslip_response *response, microslip_error *error);

/* [own: joint] */
int microslip_joint_trial_planar(microslip_joint *joint, double ux, double uy,
                                 microslip_planar_response *response, microslip_error *error);

/* [own: joint] */
int microslip_joint_trial_vector(microslip_joint *joint, const double *u,
                                 microslip_vector_response *response, microslip_error *error);

/* Accepts the last trial. Without a trial since the last commit it does nothing; after a trial that
 * failed it is refused. [own: joint] */
int microslip_joint_commit(microslip_joint *joint, microslip_error *error);

/* A copy of the committed state. [any] */
int microslip_joint_state(const microslip_joint *joint, microslip_state **out,
                          microslip_error *error);

/* Goes back to a state: a restart, or an increment that the host takes back. [own: joint] */
int microslip_joint_restore(microslip_joint *joint, const microslip_state *state,
                            microslip_error *error);

/* -------------------------------------------------------------------------------------- runs */

/* A column of doubles in the caller's memory: element i is at data[i * stride]. A stride of 0 stands
 * for 1. data = NULL: the column is not given or not wanted. */
typedef struct microslip_input {
  const double *data;
  ptrdiff_t stride;
} microslip_input;

typedef struct microslip_output {
  double *data;
  ptrdiff_t stride;
} microslip_output;

enum { MICROSLIP_DRIVE_DISPLACEMENT = 0, MICROSLIP_DRIVE_FORCE = 1 };

/* The motion, row by row; between rows it is linear in time. */
typedef struct microslip_path {
  size_t rows;
  microslip_input t;  /* strictly increasing; needed by rate-dependent laws only */
  microslip_input u;  /* displacement (the first of two), or force if `drive` says so */
  microslip_input uy; /* laws with two directions: the second one */
  int drive;          /* MICROSLIP_DRIVE_… */
} microslip_path;

/* What is computed. Results go straight into the caller's memory. */
typedef struct microslip_history {
  microslip_output u;       /* displacement: interesting when driven by force */
  microslip_output f, fy;   /* force; fy of laws with two directions only */
  microslip_output energy;  /* dissipated so far */
  microslip_output tangent; /* df/du, scalar laws only */
  microslip_output stored;  /* recoverable energy */
  microslip_output states;  /* the states of a row, one after the other with this stride … */
  ptrdiff_t states_row;     /* … and the distance from row to row, in doubles */
  size_t rows;              /* written by the run: rows that are complete, also after a failure */
} microslip_history;

/* Called now and then during long work, from a thread of the run, one call at a time; `done` of
 * `all` rows are complete. Anything but 0 stops the work with MICROSLIP_INTERRUPTED. */
typedef int (*microslip_progress)(void *user, size_t done, size_t all);

/* The names of the columns of `states`, as a JSON array. [any] */
int microslip_state_columns(const microslip_model *model, char **json, microslip_error *error);

/* Goes on from `state` over the rows of the path and leaves `state` at the last complete row, also
 * after a failure. A state that has just been made takes the first row of t as its time: the first
 * row is reached infinitely slowly. Zero-filled structures are good defaults; `progress` may be
 * NULL. [own: state] */
int microslip_run(const microslip_model *model, const microslip_path *path, microslip_state *state,
                  microslip_history *history, microslip_progress progress, void *user,
                  microslip_error *error);

/* The motion of a law with several directions, and what is computed; as many columns of u and f are used as
 * there are directions. */
typedef struct microslip_vector_path {
  size_t rows;
  microslip_input t; /* may be without data */
  microslip_input u[3];
} microslip_vector_path;

typedef struct microslip_vector_history {
  microslip_output f[3];
  microslip_output energy; /* dissipated so far */
  microslip_output stored; /* recoverable energy */
  microslip_output states; /* as in microslip_history */
  ptrdiff_t states_row;
  size_t rows; /* written by the run: rows that are complete, also after a failure */
} microslip_vector_history;

/* As microslip_run. [own: state] */
int microslip_run_vector(const microslip_model *model, const microslip_vector_path *path,
                         microslip_state *state, microslip_vector_history *history,
                         microslip_progress progress, void *user, microslip_error *error);

/* One run of a batch. */
typedef struct microslip_job {
  const microslip_model *model; /* may be the same in many jobs */
  microslip_state *state;       /* each job its own; NULL: from rest at u = 0 */
  microslip_path path;          /* jobs may share columns */
  microslip_history history;
  microslip_error error;        /* written by the run */
} microslip_job;

/* Runs all jobs on `threads` threads (0: as many as the machine has). Results do not depend on
 * their number. A job that fails does not stop the others: its own `error` says why, and the call
 * returns the code and the error of the first job that failed. `progress` counts the rows of all
 * jobs together. [own: states of the jobs] */
int microslip_run_batch(microslip_job *jobs, size_t count, size_t threads,
                        microslip_progress progress, void *user, microslip_error *error);

/* Derivatives of the force with respect to parameters, exact to rounding: element (row, i) of the
 * result is at df[row * df_row + i * df_column], for the parameter names[i], "k" or "k[2]" of a list
 * (elements count from 1). The history starts at rest, at u = 0 or, if `origin` is given, at
 * *origin, and is driven by displacement. f may be without data. Scalar laws only. [any] */
int microslip_gradient(const microslip_model *model, const microslip_path *path,
                       const double *origin, const char *const *names, size_t count, double *df,
                       ptrdiff_t df_row, ptrdiff_t df_column, microslip_output f,
                       microslip_error *error);

/* The steady answer to u = amplitude sin(omega t). */
typedef struct microslip_harmonic {
  double energy;   /* lost in a cycle, pi * amplitude * a1 */
  double secant;   /* slope between the tips of the loop */
  double a1, b1;   /* first harmonic of the force, f = mean + b1 sin + a1 cos */
  double mean;
  double zeta_eff; /* a1 / (2 amplitude) */
  double damping;  /* energy / (4 pi * secant * amplitude^2 / 2) */
  int closed;      /* 0: the loop does not close; the numbers are those of the last cycle */
} microslip_harmonic;

/* omega matters only to rate-dependent laws. [any] */
int microslip_first_harmonic(const microslip_model *model, double amplitude, double omega,
                             microslip_harmonic *out, microslip_error *error);

/* -------------------------------------------------------------------------------------- jobs */

/* A column of numbers beside a request. */
typedef struct microslip_column {
  const char *name;
  size_t rows;
  microslip_input values;
} microslip_column;

/* Called now and then, from a thread of the job, one call at a time: the part that is done, from 0 to 1,
 * and what is under way. Anything but 0 stops the job: it returns what is done so far, marked as
 * interrupted, or fails with MICROSLIP_INTERRUPTED where a part means nothing. */
typedef int (*microslip_job_progress)(void *user, double part, const char *text);

/* What a person asks for, in the same words as in C++ and on the command line: `kind` is "fit", "loops",
 * …; `request` is JSON or TOML, *result is JSON, "schema" first (docs/jobs.md). Where the request expects a
 * list of numbers it may name one of the columns: {"records": [{"u": "u", "f": "f"}]}. Several jobs may
 * run at the same time. A job that did not come to its end fails with MICROSLIP_STOPPED. [any] */
int microslip_job_run(const char *kind, const char *request, const microslip_column *columns,
                      size_t count, microslip_job_progress progress, void *user, char **result,
                      microslip_error *error);

/* Takes a column of a result; `place` says where in it, "/analyses/0/columns/x1". The values are there for
 * the time of the call. */
typedef void (*microslip_job_take)(void *user, const char *place, const double *values,
                                   size_t rows);

/* The same, with the numbers of the tables `columns` of a result given to `take`, from the thread of the
 * caller, instead of written into *result, where their places stand in their stead. [any] */
int microslip_job_run_columns(const char *kind, const char *request,
                              const microslip_column *columns, size_t count,
                              microslip_job_progress progress, microslip_job_take take, void *user,
                              char **result, microslip_error *error);

/* The request of "joint", "cracks", "reduce", "respond" or "identify" from a file that a person writes, TOML or JSON, with the
 * matrices and tables that it names by files in it: a job reads no files. With text, `path` only says
 * beside which file the others lie; NULL reads the file `path`. [any] */
int microslip_job_request(const char *kind, const char *text, const char *path, char **request,
                          microslip_error *error);

/* The kinds of jobs as a JSON array. [any] */
int microslip_job_kinds(char **json, microslip_error *error);

/* --------------------------------------------------------------------- many joints at once */

/* Joints of one law, each as microslip_joint, on all processors. */
typedef struct microslip_field microslip_field;

/* `joints` joints of jenkins, coulomb, bouc-wen, dahl, lugre, two-state, iwan4 or ramberg-osgood; the last two
 * remember eight reversals each. Parameters are those of the model, but for `count` of them, by name, with a value
 * for each joint: values[k][i] of names[k]. [any] */
int microslip_field_create(const microslip_model *model, size_t joints, const char *const *names,
                           const double *const *values, size_t count, microslip_field **out,
                           microslip_error *error);

/* [own: field] */
void microslip_field_destroy(microslip_field *field);

/* Responses to a displacement of each joint, from the committed states; dt is for laws with time. Outputs have
 * a number for each joint; NULL where none is wanted. They are written also where a law stopped. [own: field] */
int microslip_field_trial(microslip_field *field, const double *u, double dt, double *force,
                          double *tangent, double *dissipated, microslip_error *error);

/* Accepts the last trial. [own: field] */
int microslip_field_commit(microslip_field *field, microslip_error *error);

/* Whole signals of `rows` rows, dt apart, from the committed states: one for all joints, or, with `each` not 0, one
 * number for each joint in every row; times `scale` of each joint, unless it is NULL. Sums that are kept: energy lost,
 * largest size of the force, closed loops of the motion (two reversals each). [own: field] */
int microslip_field_run(microslip_field *field, const double *u, size_t rows, int each,
                        const double *scale, double dt, double *energy, double *largest_force,
                        double *loops, microslip_error *error);

/* Loops that laws with eight reversals took for closed, for want of room. [any] */
int microslip_field_forgotten(const microslip_field *field, size_t *count, microslip_error *error);

#ifdef __cplusplus
}
#endif

#endif
