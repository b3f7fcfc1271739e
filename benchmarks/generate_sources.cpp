// Writes what an export of a mechanism compiles, for benchmarks that link it: generate_sources MECHANISM [FOLDER
// [NAME=VALUE…]] writes FOLDER/equations.cpp and FOLDER/variables.cpp. Prints how many arithmetic operations the
// functions of the equations have, "name count" a line.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "generation/emit.hpp"
#include "preparation/pipeline.hpp"
#include "tool/export.hpp"

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: generate_sources MECHANISM [FOLDER [NAME=VALUE…]]\n";
    return 2;
  }
  try {
    std::vector<mechfmu::ParameterSetting> parameters;
    for (int i = 3; i < count; ++i) {
      const std::string setting = arguments[i];
      const std::size_t equals = setting.find('=');
      parameters.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
    }
    const mechfmu::Prepared prepared = mechfmu::prepare(arguments[1], [](const char*) {}, parameters);
    if (count >= 3) {
      const std::filesystem::path folder = arguments[2];
      std::filesystem::create_directories(folder);
      const mechfmu::GeneratedSources sources = mechfmu::generate_sources(prepared);
      std::ofstream(folder / "equations.cpp") << sources.equations;
      std::ofstream(folder / "variables.cpp") << sources.variables;
    }
    const mechfmu::OperationCounts operations = mechfmu::count_operations(prepared.derivation);
    std::cout << "prepare " << operations.prepare << "\nposition " << operations.position << "\nvelocity "
              << operations.velocity << "\nviolation " << operations.violation << "\nacceleration "
              << operations.acceleration << "\noutputs "
              << std::accumulate(operations.outputs.begin(), operations.outputs.end(), 0) << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
