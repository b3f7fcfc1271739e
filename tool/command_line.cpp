// Runs build_fmu, from its arguments to its exit code.
#include "command_line.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "explanation/explain.hpp"
#include "explanation/explain_symbolic.hpp"
#include "export.hpp"
#include "modelDescription/description/version.hpp"
#include "modelDescription/reading/read.hpp"
#include "model_files.hpp"
#include "options.hpp"
#include "places.hpp"
#include "preparation/pipeline.hpp"
#include "preparation/text_table.hpp"
#include "workspace.hpp"

namespace fs = std::filesystem;

namespace mechfmu {
namespace {

/// Returns the mechanisms of models/ with their descriptions.
std::string list_of_models() {
  TextTable table;
  for (const std::string& name : model_names(places().models)) {
    const ReadResult read = read_mechanism(find_model(name, places().models));
    table.add({name, read.description ? read.description->description : "(has errors, see --check)"});
  }
  return table.text();
}

std::string remarks(const Prepared& prepared) {
  std::string text;
  for (const std::string& remark : prepared.start.remarks()) text += "  " + remark + "\n";
  return text;
}

std::string summary(const Prepared& prepared, const std::vector<ExportedFile>& files) {
  std::string text = prepared.description.name + ": " + prepared.facts.degrees_of_freedom_text() + ", " +
                     std::to_string(prepared.variables.all.size()) + " variables\n" + remarks(prepared);
  fs::path last_fmu;
  TextTable table;
  for (const ExportedFile& file : files) {
    table.add({file.path.string(), file.what, std::to_string((file.size + 999) / 1000) + " kB"});
    if (file.path.extension() == ".fmu") last_fmu = file.path;
  }
  const fs::path tool = places().environment / "bin" / "fmpy";
  if (!prepared.variables.model_exchange())
    text += "  co-simulation only: not all coordinates are variables, as model exchange needs them\n";
  return text + table.text("  ") + "run it: " + near_path(tool).string() + " simulate --output-file " +
         prepared.description.name + ".csv " + last_fmu.string() +
         "\nor import it into any tool that takes co-simulation FMUs; README.md says what is in it, and --run draws "
         "what it does\n";
}

/// With --verbose, tells how long each part takes.
Progress stopwatch(bool verbose) {
  using Clock = std::chrono::steady_clock;
  return [verbose, last = Clock::now()](const char* part) mutable {
    const auto now = Clock::now();
    if (verbose) {
      std::fprintf(stderr, "%6.2f s  %s\n", std::chrono::duration<double>(now - last).count(), part);
    }
    last = now;
  };
}

int run(const Options& options) {
  if (options.help) {
    std::cout << help_text();
    return 0;
  }
  if (options.version) {
    std::cout << name_and_version() << '\n';
    return 0;
  }
  if (options.list) {
    std::cout << list_of_models();
    return 0;
  }
  const Progress progress = stopwatch(options.verbose);
  Prepared prepared = prepare(find_model(options.model, places().models), progress, options.settings);
  if (options.arrays) prepared.variables.group_vectors();
  if (options.check) {
    std::cout << prepared.description.name << ": no errors, " << prepared.facts.degrees_of_freedom_text() << '\n'
              << remarks(prepared);
  } else if (options.explain) {
    std::cout << explain(prepared);
    if (options.symbolic) std::cout << explain_symbolic(prepared);
  } else {
    const Exported exported = export_fmus(prepared, options, progress);
    std::cout << summary(prepared, exported.files) << std::flush;
    if (!exported.stopped.empty()) throw std::runtime_error(exported.stopped);
  }
  return 0;
}

}  // namespace

/// Is true if the arguments ask for explanations.
bool explain_wanted(const std::vector<std::string>& arguments) {
  return std::find(arguments.begin(), arguments.end(), "--explain") != arguments.end();
}

int run_command_line(const std::vector<std::string>& arguments) {
  try {
    return run(parse_options(arguments));
  } catch (const UsageError& error) {
    std::cerr << "build_fmu: " << error.what() << '\n';
    return 2;
  } catch (const SettingError& error) {
    std::cerr << "build_fmu: " << error.what() << '\n';
    return 2;
  } catch (const MechanismErrors& errors) {
    std::cerr << errors.what();
    if (explain_wanted(arguments)) std::cout << errors.how_far;
  } catch (const std::exception& error) {
    std::cerr << "build_fmu: " << error.what() << '\n';
  } catch (const Interrupted& interrupted) {
    // Everything is cleaned up, so the program ends as if the signal had not been held back.
    std::signal(interrupted.signal, SIG_DFL);
    std::raise(interrupted.signal);
  }
  return 1;
}

}  // namespace mechfmu
