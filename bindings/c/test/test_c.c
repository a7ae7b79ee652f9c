/* The C interface, used as a C program uses it. Compiled as C11 with -pedantic. */
#include <math.h>
#include <microslip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faults = 0;

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ++faults;                                                                 \
      fprintf(stderr, "%s:%d: fails: %s\n", __FILE__, __LINE__, #condition);    \
    }                                                                           \
  } while (0)

#define OK(call)                                                                            \
  do {                                                                                      \
    if ((call) != MICROSLIP_OK) {                                                           \
      ++faults;                                                                             \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, error.sentence);        \
    }                                                                                       \
  } while (0)

static microslip_error error;

static microslip_model *make(const char *expression) {
  microslip_model *model = NULL;
  OK(microslip_create(expression, NULL, 0, &model, &error));
  if (!model) exit(1);
  return model;
}

static void descriptions(void) {
  char *text = NULL;
  CHECK(microslip_api() == MICROSLIP_API);
  CHECK(strlen(microslip_version()) >= 5);
  OK(microslip_laws(&text, &error));
  CHECK(strstr(text, "\"jenkins\"") && strstr(text, "\"iwan4\""));
  microslip_free(text);
  OK(microslip_describe("jenkins+linear", &text, &error));
  CHECK(strstr(text, "jenkins.phi") != NULL);
  microslip_free(text);

  text = NULL;
  CHECK(microslip_describe("jenkis", &text, &error) == MICROSLIP_BAD_INPUT);
  CHECK(text == NULL);
  CHECK(strstr(error.sentence, "jenkins") != NULL);
  CHECK(microslip_describe("jenkis", &text, NULL) == MICROSLIP_BAD_INPUT);
  CHECK(microslip_describe(NULL, &text, &error) == MICROSLIP_BAD_INPUT);
}

static void creation(void) {
  microslip_model *model = NULL, *other = NULL, *again = NULL;
  char *text = NULL, *same = NULL;
  const char *good[] = {"k=2", "phi=0.5"}, *bad[] = {"k=-1"}, *unknown[] = {"fhi=1"};
  OK(microslip_create("jenkins", good, 2, &model, &error));
  CHECK(microslip_family(model) == MICROSLIP_RATE_INDEPENDENT);
  CHECK(microslip_create("jenkins", bad, 1, &other, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "jenkins.k = -1 must lie in") != NULL);
  CHECK(microslip_create("jenkins", unknown, 1, &other, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "phi") != NULL);
  CHECK(other == NULL);

  /* Text out, text in. */
  OK(microslip_model_text(model, &text, &error));
  OK(microslip_create_from_text(text, &again, &error));
  OK(microslip_model_text(again, &same, &error));
  CHECK(strcmp(text, same) == 0);
  microslip_free(text);
  microslip_free(same);
  microslip_destroy(again);

  OK(microslip_create_from_text("model = \"iwan4\"\n[parameters]\nKT = 2\n", &again, &error));
  microslip_destroy(again);
  CHECK(microslip_create_from_file("there-is-no-such-file.json", NULL, &again, &error) ==
        MICROSLIP_BAD_INPUT);

  /* A short name inside a sum. */
  microslip_model *sum = make("jenkins(k=1,phi=0.5)+linear(k=0.1)");
  const char *change[] = {"phi=0.25"};
  OK(microslip_with(sum, change, 1, &other, &error));
  OK(microslip_model_text(other, &text, &error));
  CHECK(strstr(text, "0.25") && !strstr(text, "0.5") && strstr(text, "jenkins+linear"));
  microslip_free(text);
  microslip_destroy(other);
  microslip_destroy(sum);
  microslip_destroy(model);
  microslip_destroy(NULL);
}

/* Jenkins, k = 1, phi = 0.5: f = 0.5 beyond u = 0.5; sliding on to u loses phi (u - phi/k). */
static void joint(void) {
  microslip_model *model = make("jenkins(k=1,phi=0.5)");
  microslip_joint *j = NULL;
  microslip_response r;
  microslip_state *snapshot = NULL;
  OK(microslip_joint_create(model, &j, &error));
  microslip_destroy(model); /* the joint keeps its law */
  OK(microslip_joint_trial(j, 2, 0, &r, &error));
  CHECK(r.force == 0.5 && r.tangent == 0 && r.dissipated == 0.75);
  /* A trial starts from the committed state, whatever was tried before. */
  OK(microslip_joint_trial(j, 0.125, 0, &r, &error));
  CHECK(r.force == 0.125 && r.tangent == 1 && r.dissipated == 0);
  OK(microslip_joint_trial(j, 2, 0, &r, &error));
  OK(microslip_joint_commit(j, &error));
  OK(microslip_joint_commit(j, &error)); /* nothing new: nothing happens */
  OK(microslip_joint_trial(j, 1.75, 0, &r, &error));
  CHECK(r.force == 0.25);
  OK(microslip_joint_state(j, &snapshot, &error));
  CHECK(microslip_state_energy(snapshot) == 0.75);

  CHECK(microslip_joint_trial(j, NAN, 0, &r, &error) == MICROSLIP_BAD_INPUT);
  CHECK(microslip_joint_commit(j, &error) == MICROSLIP_BAD_INPUT);
  OK(microslip_joint_trial(j, -2, 0, &r, &error));
  OK(microslip_joint_commit(j, &error));
  CHECK(r.force == -0.5);
  OK(microslip_joint_restore(j, snapshot, &error)); /* the host takes the increment back */
  OK(microslip_joint_trial(j, 1.75, 0, &r, &error));
  CHECK(r.force == 0.25);
  microslip_state_destroy(snapshot);
  microslip_joint_destroy(j);
}

static void time_and_plane(void) {
  microslip_model *viscous = make("kelvin-voigt"), *planar = make("jenkins-planar");
  microslip_joint *j = NULL;
  microslip_response r;
  microslip_planar_response p;
  CHECK(microslip_family(viscous) == MICROSLIP_RATE_DEPENDENT);
  CHECK(microslip_family(NULL) == -1); /* no crash */
  CHECK(isnan(microslip_state_energy(NULL)));
  CHECK(microslip_family(planar) == MICROSLIP_PLANAR);
  OK(microslip_joint_create(viscous, &j, &error));
  CHECK(microslip_joint_trial(j, 1, 0, &r, &error) == MICROSLIP_BAD_INPUT);
  OK(microslip_joint_trial(j, 1, 0.5, &r, &error));
  CHECK(microslip_joint_trial_planar(j, 1, 1, &p, &error) == MICROSLIP_BAD_INPUT);
  microslip_joint_destroy(j);
  CHECK(microslip_directions(planar) == 2 && microslip_directions(viscous) == 1);
  microslip_model *contact = make("contact-planar");
  microslip_joint *three;
  microslip_vector_response v;
  const double press[3] = {0.1, 0.2, 0.5};
  CHECK(microslip_directions(contact) == 3);
  OK(microslip_joint_create(contact, &three, &error));
  OK(microslip_joint_trial_vector(three, press, &v, &error));
  CHECK(v.force[0] == 0.1 && v.force[1] == 0.2 && v.force[2] == 0.5);
  CHECK(v.tangent[0] == 1 && v.tangent[4] == 1 && v.tangent[8] == 1 && v.tangent[2] == 0);
  CHECK(microslip_joint_trial_planar(three, 1, 1, &p, &error) == MICROSLIP_BAD_INPUT);
  microslip_joint_destroy(three);
  double ux[] = {0.1, 0.1}, uy[] = {0, 0}, un[] = {0, -2}, fx[2], fn[2];
  microslip_vector_path way = {2, {NULL, 0}, {{ux, 1}, {uy, 1}, {un, 1}}};
  microslip_vector_history felt = {
      {{fx, 1}, {NULL, 0}, {fn, 1}}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0};
  microslip_state *from;
  OK(microslip_rest_at_vector(contact, press, &from, &error));
  OK(microslip_run_vector(contact, &way, from, &felt, NULL, NULL, &error));
  CHECK(felt.rows == 2 && fn[0] == -0.5 && fn[1] == -1 && fx[1] == 0);
  microslip_state_destroy(from);
  microslip_destroy(contact);
  OK(microslip_joint_create(planar, &j, &error));
  OK(microslip_joint_trial_planar(j, 3e-3, 4e-3, &p, &error));
  /* Isotropic: the force has the direction of the motion. */
  CHECK(fabs(p.force[1] / p.force[0] - 4.0 / 3.0) < 1e-12);
  CHECK(microslip_joint_trial(j, 1, 0, &r, &error) == MICROSLIP_BAD_INPUT);
  microslip_joint_destroy(j);
  microslip_destroy(viscous);
  microslip_destroy(planar);
}

enum { ROWS = 10000 };
static double table[ROWS][3]; /* u, f, energy side by side: strides of 3 */

static void fill(void) {
  for (int i = 0; i < ROWS; ++i) table[i][0] = 2 * sin(0.01 * i) + sin(0.0417 * i);
}

static void runs(void) {
  microslip_model *model = make("iwan4+jenkins");
  microslip_state *state = NULL, *from = NULL, *to = NULL;
  microslip_path path = {.rows = ROWS, .u = {&table[0][0], 3}};
  microslip_history history = {.f = {&table[0][1], 3}, .energy = {&table[0][2], 3}};
  fill();
  OK(microslip_rest(model, &state, &error));
  OK(microslip_run(model, &path, state, &history, NULL, NULL, &error));
  CHECK(history.rows == ROWS);

  /* The same row by row. */
  OK(microslip_rest(model, &from, &error));
  OK(microslip_rest(model, &to, &error));
  int same = 1;
  for (int i = 0; i < ROWS; ++i) {
    microslip_response r;
    OK(microslip_step(model, from, table[i][0], 0, to, &r, &error));
    /* A sum adds up the energy of each term, so that the last bits of the total may differ. */
    same = same && r.force == table[i][1] &&
           fabs(microslip_state_energy(to) - table[i][2]) < 1e-12 * (1 + table[i][2]);
    microslip_state *swap = from;
    from = to;
    to = swap;
  }
  CHECK(same);

  /* The same in two pieces with the state as bytes in between. */
  double *f = malloc(sizeof *f * ROWS), *energy = malloc(sizeof *energy * ROWS);
  microslip_state *piece = NULL, *loaded = NULL;
  OK(microslip_rest(model, &piece, &error));
  path.rows = 7001;
  microslip_history out = {.f = {f, 1}, .energy = {energy, 0}};
  OK(microslip_run(model, &path, piece, &out, NULL, NULL, &error));
  size_t size = 0, needed = 0;
  OK(microslip_state_save(model, piece, NULL, 0, &size, &error));
  unsigned char *bytes = malloc(size);
  CHECK(microslip_state_save(model, piece, bytes, size - 1, &needed, &error) ==
        MICROSLIP_BAD_INPUT);
  CHECK(needed == size);
  OK(microslip_state_save(model, piece, bytes, size, &size, &error));
  OK(microslip_state_load(model, bytes, size, &loaded, &error));
  path.u.data = &table[7001][0];
  path.rows = ROWS - 7001;
  out.f.data = f + 7001;
  out.energy.data = energy + 7001;
  OK(microslip_run(model, &path, loaded, &out, NULL, NULL, &error));
  for (int i = 0; i < ROWS; ++i) same = same && f[i] == table[i][1] && energy[i] == table[i][2];
  CHECK(same);

  /* Damaged, cut or foreign bytes are refused: every byte is looked at. */
  microslip_state *none = NULL;
  for (size_t i = 0; i < size; ++i) {
    bytes[i] ^= 1;
    CHECK(microslip_state_load(model, bytes, size, &none, &error) == MICROSLIP_BAD_INPUT);
    bytes[i] ^= 1;
    CHECK(microslip_state_load(model, bytes, i, &none, &error) == MICROSLIP_BAD_INPUT);
  }
  microslip_model *other = make("jenkins");
  CHECK(microslip_state_load(other, bytes, size, &none, &error) == MICROSLIP_BAD_INPUT);
  /* A law never sees the state of another model. */
  microslip_response r;
  CHECK(microslip_step(other, from, 0, 0, to, &r, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "belongs to another model") != NULL);
  CHECK(microslip_run(other, &path, from, &out, NULL, NULL, &error) == MICROSLIP_BAD_INPUT);
  CHECK(none == NULL);
  microslip_destroy(other);

  free(bytes);
  free(f);
  free(energy);
  microslip_state_destroy(piece);
  microslip_state_destroy(loaded);
  microslip_state_destroy(from);
  microslip_state_destroy(to);
  microslip_state_destroy(state);
  microslip_destroy(model);
}

static void times(void) {
  microslip_model *model = make("maxwell");
  microslip_state *state = NULL;
  double t[] = {0, 1, 1}, u[] = {0, 1, 2}, f[3], more[] = {0.5};
  microslip_path path = {.rows = 3, .t = {t, 1}, .u = {u, 1}};
  microslip_history out = {.f = {f, 1}};
  OK(microslip_rest(model, &state, &error));
  CHECK(microslip_run(model, &path, state, &out, NULL, NULL, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "row 3 has t = 1 after t = 1") != NULL);
  path.rows = 2;
  OK(microslip_run(model, &path, state, &out, NULL, NULL, &error));
  path.rows = 1;
  path.t.data = more;
  CHECK(microslip_run(model, &path, state, &out, NULL, NULL, &error) == MICROSLIP_BAD_INPUT);
  path.t.data = NULL;
  CHECK(microslip_run(model, &path, state, &out, NULL, NULL, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "needs the column t") != NULL);
  u[0] = NAN;
  path.t.data = t;
  CHECK(microslip_run(model, &path, state, &out, NULL, NULL, &error) == MICROSLIP_BAD_INPUT);
  microslip_state_destroy(state);
  microslip_destroy(model);
}

/* Driven by force: Jenkins with phi = 0.5 carries at most 0.5. */
static void force_drive(void) {
  microslip_model *model = make("jenkins(k=1,phi=0.5)+linear(k=0.5)"), *weak;
  double f[] = {0.25, 1, 0.25}, u[3];
  microslip_path path = {.rows = 3, .u = {f, 1}, .drive = MICROSLIP_DRIVE_FORCE};
  microslip_history out = {.u = {u, 1}};
  microslip_state *state = NULL;
  OK(microslip_rest(model, &state, &error));
  OK(microslip_run(model, &path, state, &out, NULL, NULL, &error));
  /* 0.25 = 1.5 u; then 1 = 0.5 + 0.5 u. */
  CHECK(fabs(u[0] - 1.0 / 6) < 1e-14 && fabs(u[1] - 1) < 1e-14);
  microslip_state_destroy(state);
  microslip_destroy(model);

  weak = make("jenkins(k=1,phi=0.5)");
  OK(microslip_rest(weak, &state, &error));
  CHECK(microslip_run(weak, &path, state, &out, NULL, NULL, &error) == MICROSLIP_STOPPED);
  CHECK(error.status == MICROSLIP_STATUS_UNREACHABLE && error.row == 1 && out.rows == 1);
  microslip_state_destroy(state);
  microslip_destroy(weak);
}

/* A force that is too large for a number stops the run; the state stays at the row before. */
static void overflow(void) {
  microslip_model *model = make("linear(k=10)");
  microslip_state *state = NULL;
  double u[] = {1, 2, 1e308, 3}, f[4] = {0};
  microslip_path path = {.rows = 4, .u = {u, 1}};
  microslip_history out = {.f = {f, 1}};
  OK(microslip_rest(model, &state, &error));
  CHECK(microslip_run(model, &path, state, &out, NULL, NULL, &error) == MICROSLIP_STOPPED);
  CHECK(error.status == MICROSLIP_STATUS_INFINITE && error.row == 2 && out.rows == 2);
  CHECK(strstr(error.sentence, "stopped at row 3") != NULL);
  CHECK(f[0] == 10 && f[1] == 20 && f[2] == 0 && f[3] == 0);
  double stored;
  OK(microslip_stored(model, state, &stored, &error));
  CHECK(stored == 20); /* k u^2 / 2 at u = 2 */
  microslip_state_destroy(state);
  microslip_destroy(model);

  /* In the first row already, with time. */
  double t[] = {0, 1, 2, 3};
  model = make("kelvin-voigt(k=10)");
  path.t.data = t;
  u[0] = 1e308;
  OK(microslip_rest(model, &state, &error));
  CHECK(microslip_run(model, &path, state, &out, NULL, NULL, &error) == MICROSLIP_STOPPED);
  CHECK(error.status == MICROSLIP_STATUS_INFINITE && error.row == 0 && out.rows == 0);
  microslip_state_destroy(state);
  microslip_destroy(model);
}

/* Sticking f = k u, sliding f = phi. */
static void gradients(void) {
  microslip_model *model = make("jenkins(k=2,phi=0.5)"), *masing = make("masing(k=[1,2],phi=[0.5,3])");
  const char *names[] = {"k", "phi"}, *elements[] = {"k[2]", "phi[1]"}, *list[] = {"k"};
  double u[] = {0.125, 1}, df[4], f[2];
  microslip_path path = {.rows = 2, .u = {u, 1}};
  OK(microslip_gradient(model, &path, NULL, names, 2, df, 2, 1, (microslip_output){f, 1}, &error));
  CHECK(df[0] == 0.125 && df[1] == 0 && df[2] == 0 && df[3] == 1);
  CHECK(f[0] == 0.25 && f[1] == 0.5);
  /* At u = 1 the first slider slides and the second, k = 2, sticks. Columns before rows. */
  OK(microslip_gradient(masing, &path, NULL, elements, 2, df, 1, 2, (microslip_output){NULL, 0},
                        &error));
  CHECK(df[0] == 0.125 && df[1] == 1 && df[2] == 0 && df[3] == 1);
  CHECK(microslip_gradient(masing, &path, NULL, list, 1, df, 1, 1, (microslip_output){NULL, 0},
                           &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "k[1] to k[2]") != NULL);
  microslip_destroy(model);
  microslip_destroy(masing);
}

static int stop(void *user, size_t done, size_t all) {
  *(int *)user += done < all;
  return 1;
}

static void batch(void) {
  enum { JOBS = 6 };
  static double f[JOBS][ROWS];
  microslip_model *model = make("bouc-wen"), *weak = make("jenkins");
  microslip_job jobs[JOBS];
  memset(jobs, 0, sizeof jobs);
  fill();
  for (int i = 0; i < JOBS; ++i) {
    jobs[i].model = i == 3 ? weak : model;
    jobs[i].path = (microslip_path){.rows = ROWS, .u = {&table[0][0], 3}};
    jobs[i].history.f = (microslip_output){f[i], 1};
  }
  jobs[3].path.drive = MICROSLIP_DRIVE_FORCE; /* more than jenkins carries */
  CHECK(microslip_run_batch(jobs, JOBS, 3, NULL, NULL, &error) == MICROSLIP_STOPPED);
  CHECK(jobs[3].error.code == MICROSLIP_STOPPED && strcmp(jobs[3].error.sentence, error.sentence) == 0);
  for (int i = 0; i < JOBS; ++i)
    if (i != 3) {
      CHECK(jobs[i].error.code == MICROSLIP_OK && jobs[i].history.rows == ROWS);
      CHECK(memcmp(f[i], f[0], sizeof f[0]) == 0);
    }

  size_t many = 4000000;
  double *u = calloc(many, sizeof *u);
  for (size_t i = 0; i < many; ++i) u[i] = sin(0.01 * (double)i);
  microslip_state *state = NULL;
  microslip_path path = {.rows = many, .u = {u, 1}};
  microslip_history none = {.rows = 0};
  int called = 0;
  OK(microslip_rest(model, &state, &error));
  CHECK(microslip_run(model, &path, state, &none, stop, &called, &error) == MICROSLIP_INTERRUPTED);
  CHECK(called == 1 && none.rows > 0 && none.rows < many);
  free(u);
  microslip_state_destroy(state);
  microslip_destroy(model);
  microslip_destroy(weak);
}

/* Steady loop of Jenkins: 4 phi (A - phi/k). */
static void harmonic(void) {
  microslip_model *model = make("jenkins(k=1,phi=0.5)");
  microslip_harmonic h;
  OK(microslip_first_harmonic(model, 2, 1, &h, &error));
  CHECK(fabs(h.energy - 3) < 1e-12 && h.closed == 1);
  CHECK(microslip_first_harmonic(model, -1, 1, &h, &error) == MICROSLIP_BAD_INPUT);
  char *text = NULL;
  OK(microslip_state_columns(model, &text, &error));
  CHECK(text[0] == '[');
  microslip_free(text);
  microslip_destroy(model);
}

static int stop_job(void *user, double part, const char *text) {
  int *called = user;
  CHECK(part >= 0 && part <= 1 && text != NULL);
  ++*called;
  return 1;
}

/* A job: arrays of the caller in, with strides, JSON out. */
static void jobs(void) {
  double table[ROWS][2];
  for (int i = 0; i < ROWS; ++i) {
    table[i][0] = (0.5 + 0.02 * i) * sin(0.2 * i);
    table[i][1] = 3 * table[i][0];
  }
  const microslip_column columns[] = {{"u", ROWS, {&table[0][0], 2}}, {"f", ROWS, {&table[0][1], 2}}};
  const char *request =
      "{\"records\": [{\"name\": \"table\", \"u\": \"u\", \"f\": \"f\"}],"
      " \"models\": [\"linear\"], \"starts\": 2, \"time_budget\": 1000}";
  char *text = NULL;
  OK(microslip_job_run("fit", request, columns, 2, NULL, NULL, &text, &error));
  const char *begin = "{\n  \"schema\": \"microslip.fit/1\",";
  CHECK(strncmp(text, begin, strlen(begin)) == 0);
  const char *k = strstr(text, "\"k\": ");
  CHECK(k != NULL && fabs(strtod(k + 5, NULL) - 3) < 1e-9); /* the slope of the table */
  microslip_free(text);

  int called = 0;
  OK(microslip_job_run("fit", request, columns, 2, stop_job, &called, &text, &error));
  CHECK(called == 1 && strstr(text, "\"interrupted\": true") != NULL);
  microslip_free(text);

  text = NULL;
  CHECK(microslip_job_run("fit", request, columns, 1, NULL, NULL, &text, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "no column 'f' beside the request") != NULL && text == NULL);
  CHECK(microslip_job_run("fitt", "{}", NULL, 0, NULL, NULL, &text, &error) == MICROSLIP_BAD_INPUT);
  CHECK(microslip_job_run("fit", NULL, NULL, 0, NULL, NULL, &text, &error) == MICROSLIP_BAD_INPUT);
  /* A file that a person writes becomes a request; a formula of the load becomes its rows. */
  const char *plate = "plate = { E = 1, nu = 0.3, length = 10 }\n"
                      "crack = [{ at = [0, 0], half_length = 1, angle = 45, mu = 0.3 }]\n"
                      "load = { stress = [0, -1, 0], signal = \"sin(t)\", until = 6, step = 0.5 }\n";
  OK(microslip_job_request("cracks", plate, "plate.toml", &text, &error));
  char *result = NULL;
  OK(microslip_job_run("cracks", text, NULL, 0, NULL, NULL, &result, &error));
  CHECK(strstr(result, "\"schema\": \"microslip.cracks/1\"") != NULL);
  CHECK(strstr(result, "\"file\": \"plate.toml\"") != NULL);
  microslip_free(result);
  microslip_free(text);
  CHECK(microslip_job_request("cracks", NULL, "no.toml", &text, &error) == MICROSLIP_BAD_INPUT);
  CHECK(microslip_job_request("fit", "a = 1", "a.toml", &text, &error) == MICROSLIP_BAD_INPUT);
  /* A force that nothing moves has no peak in its spectrum. */
  for (int i = 0; i < ROWS; ++i) table[i][0] = 0.1 * i;
  CHECK(microslip_job_run("ringdown", "{\"t\": \"u\", \"motions\": [{\"values\": \"u\"}]}", columns, 1,
                          NULL, NULL, &text, &error) == MICROSLIP_STOPPED);
  OK(microslip_job_kinds(&text, &error));
  CHECK(strstr(text, "\"loops\"") != NULL);
  microslip_free(text);
}

static void field(void) {
  enum { joints = 5, rows = 40 };
  microslip_model *law = make("jenkins");
  microslip_field *field = NULL, *none = NULL;
  double phi[joints], scale[joints], u[joints], force[joints], lost[joints], signal[rows];
  double energy[joints], loops[joints];
  const char *names[] = {"phi"}, *wrong[] = {"psi"};
  const double *values[1];
  microslip_model *sum = make("linear");
  size_t forgotten = 1;
  int i, k;
  values[0] = phi;
  for (i = 0; i < joints; ++i) {
    phi[i] = 0.5 + i;
    scale[i] = 1;
    u[i] = 3;
    force[i] = lost[i] = NAN;
  }
  /* Two periods of a square wave between 3 and -3. */
  for (k = 0; k < rows; ++k) signal[k] = k / 10 % 2 == 0 ? 3 : -3;
  OK(microslip_field_create(law, joints, names, values, 1, &field, &error));
  CHECK(microslip_field_create(law, joints, wrong, values, 1, &none, &error) ==
        MICROSLIP_BAD_INPUT);
  CHECK(microslip_field_create(sum, joints, NULL, NULL, 0, &none, &error) == MICROSLIP_BAD_INPUT);
  CHECK(strstr(error.sentence, "there is no field of linear") != NULL);
  OK(microslip_field_trial(field, u, 0, force, NULL, lost, &error));
  for (i = 0; i < joints; ++i) {  /* k = 1: slips beyond phi and loses phi times the slip */
    const double slip = phi[i] < 3 ? 3 - phi[i] : 0;
    CHECK(force[i] == (phi[i] < 3 ? phi[i] : 3));
    CHECK(fabs(lost[i] - phi[i] * slip) < 1e-15);
  }
  OK(microslip_field_run(field, signal, rows, 0, scale, 0, energy, NULL, loops, &error));
  for (i = 0; i < joints; ++i) {  /* the trial was not accepted: from rest */
    const double slip = phi[i] < 3 ? 3 - phi[i] : 0;
    CHECK(fabs(energy[i] - phi[i] * (slip + 3 * 2 * slip)) < 1e-13);
    CHECK(loops[i] == 1); /* three reversals */
  }
  OK(microslip_field_forgotten(field, &forgotten, &error));
  CHECK(forgotten == 0);
  OK(microslip_field_commit(field, &error));
  microslip_field_destroy(field);
  microslip_field_destroy(NULL);
  microslip_destroy(law);
  microslip_destroy(sum);
}

int main(void) {
  descriptions();
  creation();
  joint();
  time_and_plane();
  runs();
  times();
  force_drive();
  overflow();
  gradients();
  batch();
  harmonic();
  jobs();
  field();
  if (faults == 0) puts("the C interface works");
  return faults == 0 ? 0 : 1;
}
