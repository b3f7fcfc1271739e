/* A small importer: simulates an FMI 3.0 FMU and measures its doStep calls.

     host LIBRARY TOKEN TOLERANCE STOP_TIME STEPS SECONDS REFERENCE...

   Simulates from 0 to STOP_TIME in STEPS equal communication steps, again and again from the same initial state, for
   SECONDS. Prints the best time of the doStep calls of one simulation, in seconds, that of a call which gets all
   references after a step, then their values at STOP_TIME. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fmi3FunctionTypes.h"

enum { reads = 100 };

static void* library;

static void fail(const char* what) {
  fprintf(stderr, "host: %s\n", what);
  exit(1);
}

static void* function(const char* name) {
  void* address = dlsym(library, name);
  if (address == NULL) fail(dlerror());
  return address;
}

static void check(fmi3Status status, const char* what) {
  if (status != fmi3OK) fail(what);
}

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                        fmi3String message) {
  (void)environment, (void)status, (void)category;
  fprintf(stderr, "%s\n", message);
}

/* Time of the processor: what other programs take meanwhile does not count. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char** arguments) {
  if (count < 7) fail("usage: host LIBRARY TOKEN TOLERANCE STOP_TIME STEPS SECONDS REFERENCE...");
  const double tolerance = atof(arguments[3]), stop = atof(arguments[4]), seconds = atof(arguments[6]);
  const int steps = atoi(arguments[5]), references = count - 7;

  library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fail(dlerror());
  fmi3InstantiateCoSimulationTYPE* instantiate = function("fmi3InstantiateCoSimulation");
  fmi3EnterInitializationModeTYPE* enter_initialization = function("fmi3EnterInitializationMode");
  fmi3ExitInitializationModeTYPE* exit_initialization = function("fmi3ExitInitializationMode");
  fmi3GetFMUStateTYPE* get_state = function("fmi3GetFMUState");
  fmi3SetFMUStateTYPE* set_state = function("fmi3SetFMUState");
  fmi3FreeFMUStateTYPE* free_state = function("fmi3FreeFMUState");
  fmi3DoStepTYPE* do_step = function("fmi3DoStep");
  fmi3GetFloat64TYPE* get = function("fmi3GetFloat64");
  fmi3TerminateTYPE* terminate = function("fmi3Terminate");
  fmi3FreeInstanceTYPE* free_instance = function("fmi3FreeInstance");

  fmi3Instance fmu = instantiate("benchmark", arguments[2], NULL, fmi3False, fmi3True, fmi3False, fmi3False, NULL, 0,
                                 NULL, log_message, NULL);
  if (fmu == NULL) fail("no instance");
  check(enter_initialization(fmu, fmi3True, tolerance, 0, fmi3False, 0), "fmi3EnterInitializationMode");
  check(exit_initialization(fmu), "fmi3ExitInitializationMode");
  fmi3FMUState start = NULL;
  check(get_state(fmu, &start), "fmi3GetFMUState");

  fmi3ValueReference* wanted = calloc((size_t)references + 1, sizeof *wanted);
  double* values = calloc((size_t)references + 1, sizeof *values);
  if (wanted == NULL || values == NULL) fail("out of memory");
  for (int i = 0; i < references; ++i) wanted[i] = (fmi3ValueReference)strtoul(arguments[7 + i], NULL, 10);

  const double end = now() + seconds;
  double best = 1e300, best_read = 1e300;
  do {
    check(set_state(fmu, start), "fmi3SetFMUState");
    fmi3Boolean event, terminated, early;
    double time;
    fmi3Status worst = fmi3OK;
    const double begin = now();
    for (int i = 0; i < steps; ++i) {
      const double from = stop * i / steps, to = stop * (i + 1) / steps;
      const fmi3Status status = do_step(fmu, from, to - from, fmi3True, &event, &terminated, &early, &time);
      if (status > worst) worst = status;
    }
    const double taken = now() - begin;
    check(worst, "fmi3DoStep");
    if (taken < best) best = taken;
    const double reading = now();
    for (int i = 0; i < reads; ++i) {
      worst = get(fmu, wanted, (size_t)references, values, (size_t)references);
      if (worst != fmi3OK) break;
    }
    const double read = (now() - reading) / reads;
    check(worst, "fmi3GetFloat64");
    if (read < best_read) best_read = read;
  } while (now() < end);

  printf("%.9e %.9e", best, best_read);
  for (int i = 0; i < references; ++i) printf(" %.17g", values[i]);
  printf("\n");
  free(wanted);
  free(values);
  check(free_state(fmu, &start), "fmi3FreeFMUState");
  check(terminate(fmu), "fmi3Terminate");
  free_instance(fmu);
  return 0;
}
