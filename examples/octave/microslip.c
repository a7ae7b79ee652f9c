/* microslip in Octave (and Matlab): one file on the C interface.
 *
 *   mkoctfile --mex microslip.c -I<include> -L<lib> -lmicroslip
 *
 *   [f, energy, tangent, u] = microslip ("run", MODEL, u)              along a motion from rest
 *   [f, energy, tangent, u] = microslip ("run", MODEL, u, t)           with times, for rate-dependent laws
 *   [f, energy, tangent, u] = microslip ("run", MODEL, f, t, "force")  driven by force; t may be []
 *
 *   j = microslip ("joint", MODEL)                   a joint for a program that iterates
 *   [f, tangent, lost] = microslip ("trial", j, u, dt)  from the committed state; dt may be left out
 *   microslip ("commit", j)                          accepts the last trial
 *   microslip ("close", j)
 *
 *   text = microslip ("describe", MODEL)             parameters, units and bounds, as JSON
 *
 * MODEL is a law or an expression of laws, "iwan4(KT=2)+linear(k=0.1)". */
#include <math.h>
#include <mex.h>
#include <microslip.h>
#include <stdint.h>
#include <string.h>

enum { max_joints = 4096 };
static microslip_joint *joints[max_joints];
static microslip_model *models[max_joints];

static void close_joint(size_t i) {
  microslip_joint_destroy(joints[i]);
  microslip_destroy(models[i]);
  joints[i] = NULL;
  models[i] = NULL;
}

static void close_all(void) {
  for (size_t i = 0; i < max_joints; ++i)
    if (joints[i]) close_joint(i);
}

static void fail(const char *sentence) { mexErrMsgIdAndTxt("microslip:error", "%s", sentence); }

static microslip_model *model_of(const mxArray *text) {
  microslip_error error;
  microslip_model *model = NULL;
  char *name = mxArrayToString(text);
  if (!name) fail("MODEL must be a text, \"iwan4(KT=2)\"");
  const int code = microslip_create(name, NULL, 0, &model, &error);
  mxFree(name);
  if (code != MICROSLIP_OK) fail(error.sentence);
  return model;
}

static const double *column(const mxArray *array, const char *name) {
  if (!mxIsDouble(array) || mxIsComplex(array) || mxIsSparse(array))
    mexErrMsgIdAndTxt("microslip:error", "%s must be an array of real numbers", name);
  return mxGetPr(array);
}

static double number(const mxArray *array, const char *name) {
  const double *values = column(array, name);
  if (mxGetNumberOfElements(array) != 1)
    mexErrMsgIdAndTxt("microslip:error", "%s must be one number", name);
  return values[0];
}

static size_t joint_of(int nrhs, const mxArray *prhs[]) {
  const double i = nrhs > 1 ? number(prhs[1], "the joint") : 0;
  if (!(i >= 1 && i <= max_joints) || i != floor(i) || !joints[(size_t)i - 1])
    fail("this is no joint that is open");
  return (size_t)i - 1;
}

static void run(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  if (nrhs < 3 || nrhs > 5) fail("microslip (\"run\", MODEL, u [, t [, \"force\"]])");
  microslip_path path = {0};
  path.rows = mxGetNumberOfElements(prhs[2]);
  path.u.data = column(prhs[2], "u");
  if (nrhs > 3 && mxGetNumberOfElements(prhs[3]) > 0) {
    path.t.data = column(prhs[3], "t");
    if (mxGetNumberOfElements(prhs[3]) != path.rows) fail("t must have as many elements as u");
  }
  if (nrhs > 4) {
    char *drive = mxArrayToString(prhs[4]);
    const int by_force = drive && strcmp(drive, "force") == 0;
    mxFree(drive);
    if (!by_force) fail("the last argument can only be \"force\"");
    path.drive = MICROSLIP_DRIVE_FORCE;
  }
  microslip_model *model = model_of(prhs[1]);
  if (microslip_family(model) == MICROSLIP_PLANAR) {
    microslip_destroy(model);
    fail("this law is planar; \"run\" is for laws with one displacement");
  }
  microslip_history history = {0};
  microslip_output *wanted[] = {&history.f, &history.energy, &history.tangent, &history.u};
  for (int i = 0; i < 4 && i < (nlhs > 0 ? nlhs : 1); ++i) {
    plhs[i] = mxCreateNumericArray(mxGetNumberOfDimensions(prhs[2]), mxGetDimensions(prhs[2]),
                                   mxDOUBLE_CLASS, mxREAL);
    wanted[i]->data = mxGetPr(plhs[i]);
  }
  microslip_error error;
  microslip_state *state = NULL;
  int code = microslip_rest(model, &state, &error);
  if (code == MICROSLIP_OK) code = microslip_run(model, &path, state, &history, NULL, NULL, &error);
  microslip_state_destroy(state);
  microslip_destroy(model);
  if (code != MICROSLIP_OK) fail(error.sentence);
}

static void open_joint(mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  if (nrhs != 2) fail("microslip (\"joint\", MODEL)");
  size_t i = 0;
  while (i < max_joints && joints[i]) ++i;
  if (i == max_joints) fail("4096 joints are open; close some");
  microslip_error error;
  microslip_model *model = model_of(prhs[1]);
  if (microslip_family(model) == MICROSLIP_PLANAR) {
    microslip_destroy(model);
    fail("this law is planar; joints here have one displacement");
  }
  if (microslip_joint_create(model, &joints[i], &error) != MICROSLIP_OK) {
    microslip_destroy(model);
    fail(error.sentence);
  }
  models[i] = model;
  plhs[0] = mxCreateDoubleScalar((double)(i + 1));
}

static void trial(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  if (nrhs != 3 && nrhs != 4) fail("microslip (\"trial\", JOINT, u [, dt])");
  microslip_joint *joint = joints[joint_of(nrhs, prhs)];
  microslip_error error;
  microslip_response r;
  const double u = number(prhs[2], "u"), dt = nrhs > 3 ? number(prhs[3], "dt") : INFINITY;
  if (microslip_joint_trial(joint, u, dt, &r, &error) != MICROSLIP_OK) fail(error.sentence);
  const double answers[] = {r.force, r.tangent, r.dissipated};
  for (int i = 0; i < 3 && i < (nlhs > 0 ? nlhs : 1); ++i)
    plhs[i] = mxCreateDoubleScalar(answers[i]);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static int begun = 0;
  if (!begun) mexAtExit(close_all);
  begun = 1;
  char *what = nrhs > 0 ? mxArrayToString(prhs[0]) : NULL;
  char word[16] = "";
  if (what) strncpy(word, what, sizeof word - 1);
  mxFree(what);
  microslip_error error;
  if (strcmp(word, "run") == 0) {
    run(nlhs, plhs, nrhs, prhs);
  } else if (strcmp(word, "joint") == 0) {
    open_joint(plhs, nrhs, prhs);
  } else if (strcmp(word, "trial") == 0) {
    trial(nlhs, plhs, nrhs, prhs);
  } else if (strcmp(word, "commit") == 0) {
    if (microslip_joint_commit(joints[joint_of(nrhs, prhs)], &error) != MICROSLIP_OK)
      fail(error.sentence);
  } else if (strcmp(word, "close") == 0) {
    close_joint(joint_of(nrhs, prhs));
  } else if (strcmp(word, "describe") == 0 && nrhs == 2) {
    microslip_model *model = model_of(prhs[1]);
    char *json = NULL;
    const int code = microslip_model_description(model, &json, &error);
    microslip_destroy(model);
    if (code != MICROSLIP_OK) fail(error.sentence);
    plhs[0] = mxCreateString(json);
    microslip_free(json);
  } else {
    fail("the first argument is one of \"run\", \"joint\", \"trial\", \"commit\", \"close\", \"describe\"");
  }
}
