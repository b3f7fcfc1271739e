// Is the main function of every Catch2 test program. If a test's name contains a semicolon, it lists the tests but runs
// none: CMake splits its lists at semicolons, so that ctest would look for tests that do not exist.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

int main(int count, char** arguments) {
  Catch::Session session;
  if (const int failed = session.applyCommandLine(count, arguments)) return failed;
  const bool lists = session.configData().listTestNamesOnly || session.configData().listTests;
  for (const Catch::TestCase& test : Catch::getAllTestCasesSorted(session.config()))
    if (!lists && test.name.find(';') != std::string::npos) {
      std::cerr << "ctest cannot run a test with a semicolon in its name: \"" << test.name << "\"\n";
      return 1;
    }
  return session.run();
}
