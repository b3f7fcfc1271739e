/* Loads an FMU's library as an importer on its platform does, and runs the model:
   driver 2|3 LIBRARY TOKEN STEP_SIZE STEPS REFERENCE... prints the variables with these
   references at the start and after every step, a line each time. */
#include <stdio.h>
#include <stdlib.h>

#include <fmi2TypesPlatform.h>

#include <fmi2FunctionTypes.h>
#include <fmi3PlatformTypes.h>

#include <fmi3FunctionTypes.h>

#ifdef _WIN32
#include <windows.h>
static void* library;
static void open_library(const char* path) { library = (void*)LoadLibraryA(path); }
static void* find(const char* name) { return (void*)GetProcAddress((HMODULE)library, name); }
static const char* why(void) { return "LoadLibrary failed"; }
#else
#include <dlfcn.h>
static void* library;
static void open_library(const char* path) { library = dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void* find(const char* name) { return dlsym(library, name); }
static const char* why(void) { return dlerror(); }
#endif

static void fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void* function(const char* name) {
  void* found = find(name);
  if (found == NULL) fail(name);
  return found;
}

static void check(int status, const char* what) {
  if (status != 0) fail(what);
}

static void ignore2(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                    fmi2String message, ...) {
  (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

static void ignore3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
  (void)environment, (void)status, (void)category, (void)message;
}

static void run2(const char* token, double h, int steps, int count, char** references) {
  static const fmi2CallbackFunctions callbacks = {ignore2, calloc, free, NULL, NULL};
  fmi2Component c = ((fmi2InstantiateTYPE*)function(
      "fmi2Instantiate"))("driver", fmi2CoSimulation, token, "", &callbacks, fmi2False, fmi2False);
  if (c == NULL) fail("fmi2Instantiate");
  check(((fmi2SetupExperimentTYPE*)function("fmi2SetupExperiment"))(c, fmi2False, 0, 0, fmi2False, 0), "set up");
  check(((fmi2EnterInitializationModeTYPE*)function("fmi2EnterInitializationMode"))(c), "enter");
  check(((fmi2ExitInitializationModeTYPE*)function("fmi2ExitInitializationMode"))(c), "exit");
  fmi2GetRealTYPE* get = (fmi2GetRealTYPE*)function("fmi2GetReal");
  fmi2DoStepTYPE* step = (fmi2DoStepTYPE*)function("fmi2DoStep");
  for (int i = 0; i <= steps; ++i) {
    if (i > 0) check(step(c, (i - 1) * h, h, fmi2True), "step");
    for (int k = 0; k < count; ++k) {
      const fmi2ValueReference reference = (fmi2ValueReference)atoi(references[k]);
      fmi2Real value;
      check(get(c, &reference, 1, &value), "get");
      printf("%.17g ", value);
    }
    printf("\n");
  }
  check(((fmi2TerminateTYPE*)function("fmi2Terminate"))(c), "terminate");
  ((fmi2FreeInstanceTYPE*)function("fmi2FreeInstance"))(c);
}

static void run3(const char* token, double h, int steps, int count, char** references) {
  fmi3Instance c = ((fmi3InstantiateCoSimulationTYPE*)function("fmi3InstantiateCoSimulation"))(
      "driver", token, NULL, fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL, ignore3, NULL);
  if (c == NULL) fail("fmi3InstantiateCoSimulation");
  check(((fmi3EnterInitializationModeTYPE*)function("fmi3EnterInitializationMode"))(c, fmi3False, 0, 0, fmi3False, 0),
        "enter");
  check(((fmi3ExitInitializationModeTYPE*)function("fmi3ExitInitializationMode"))(c), "exit");
  fmi3GetFloat64TYPE* get = (fmi3GetFloat64TYPE*)function("fmi3GetFloat64");
  fmi3DoStepTYPE* step = (fmi3DoStepTYPE*)function("fmi3DoStep");
  for (int i = 0; i <= steps; ++i) {
    fmi3Boolean event, terminate, early;
    fmi3Float64 reached;
    if (i > 0) check(step(c, (i - 1) * h, h, fmi3True, &event, &terminate, &early, &reached), "step");
    for (int k = 0; k < count; ++k) {
      const fmi3ValueReference reference = (fmi3ValueReference)atoi(references[k]);
      fmi3Float64 value;
      check(get(c, &reference, 1, &value, 1), "get");
      printf("%.17g ", value);
    }
    printf("\n");
  }
  check(((fmi3TerminateTYPE*)function("fmi3Terminate"))(c), "terminate");
  ((fmi3FreeInstanceTYPE*)function("fmi3FreeInstance"))(c);
}

int main(int count, char** arguments) {
  if (count < 7) fail("driver 2|3 LIBRARY TOKEN STEP_SIZE STEPS REFERENCE...");
  open_library(arguments[2]);
  if (library == NULL) fail(why());
  (arguments[1][0] == '2' ? run2
                          : run3)(arguments[3], atof(arguments[4]), atoi(arguments[5]), count - 6, arguments + 6);
  return 0;
}
