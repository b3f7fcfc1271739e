// Reads the command line of build_fmu by one table, which also makes --help.
#include "options.hpp"

#include <algorithm>

#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {
namespace {

struct Option {
  const char* name;
  const char* argument;  ///< is "" for a flag
  const char* help;      ///< --help indents further lines.
  void (*set)(Options&, const std::string& value);
};

void set_fmi_version(Options& options, const std::string& value) {
  if (value != "2" && value != "3") throw UsageError("--fmi takes 2 or 3, not '" + value + "'");
  options.fmi2 = value == "2";
  options.fmi3 = value == "3";
}

void add_setting(Options& options, const std::string& value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == value.size()) {
    throw UsageError("--set takes NAME=VALUE, such as --set N=40, not " + in_quotes(value));
  }
  options.settings.push_back({value.substr(0, equals), value.substr(equals + 1)});
}

const Option option_table[] = {
    {"--fmi", "2|3", "make only the FMU of this FMI version (default: both)", set_fmi_version},
    {"--output", "DIR", "where the files go (default: fmus, in the working directory)",
     [](Options& options, const std::string& value) { options.output = value; }},
    {"--platform", "LIST",
     "what the FMU runs on besides this machine: linux64, win64, aarch64-linux, separated by\n"
     "commas; Debian's compilers for them are installed when they are missing",
     [](Options& options, const std::string& value) { options.platforms = platforms_of(value); }},
    {"--no-sources", "", "leave the folder sources/, from which the FMU can be compiled anywhere, out of the FMU",
     [](Options& options, const std::string&) { options.sources = false; }},
    {"--arrays", "", "in the FMI 3 FMU, vectors are arrays: A.reaction.force instead of A.reaction.force.x, .y, .z",
     [](Options& options, const std::string&) { options.arrays = true; }},
    {"--set", "NAME=VALUE",
     "give a parameter of the file another value before the file is read: a number in its unit,\n"
     "or a formula in quotes; may be given several times",
     add_setting},
    {"--run", "",
     "simulate the FMU with FMPy over the file's stop time and write DIR/<Name>.html,\n"
     "a report to look at in any browser",
     [](Options& options, const std::string&) { options.run = true; }},
    {"--explain", "",
     "print the tree of bodies and its cuts, degrees of freedom, redundant constraints, the\n"
     "start that was found, and the FMU's variables; makes no FMU",
     [](Options& options, const std::string&) { options.explain = true; }},
    {"--symbolic", "", "with --explain: print the constraints, M, C, and D with D C' = 0, as formulas, too",
     [](Options& options, const std::string&) { options.symbolic = true; }},
    {"--check", "", "read and check only; makes no FMU",
     [](Options& options, const std::string&) { options.check = true; }},
    {"--list", "", "list the mechanisms in models/", [](Options& options, const std::string&) { options.list = true; }},
    {"--verbose", "", "show the commands that are run, what they print, and how long each part takes",
     [](Options& options, const std::string&) { options.verbose = true; }},
    {"--version", "", "print the version", [](Options& options, const std::string&) { options.version = true; }},
    {"--help", "", "print this text", [](Options& options, const std::string&) { options.help = true; }},
};

const Option& find_option(const std::string& name) {
  std::vector<std::string> names;
  for (const Option& option : option_table) {
    if (name == option.name || (name == "-h" && std::string(option.name) == "--help")) return option;
    names.push_back(option.name);
  }
  throw UsageError("unknown option " + in_quotes(name) + "; " + suggestion(name, names, "see --help"));
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  if (arguments.empty()) options.help = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty() || argument[0] != '-') {
      if (!options.model.empty()) {
        throw UsageError("one mechanism at a time: " + in_quotes(options.model) + " or " + in_quotes(argument));
      }
      options.model = argument;
      continue;
    }
    const std::size_t equals = argument.find('=');
    const Option& option = find_option(argument.substr(0, equals));
    const bool takes_value = option.argument[0] != '\0';
    std::string value;
    if (equals != std::string::npos) {
      if (!takes_value) throw UsageError(std::string(option.name) + " takes no value");
      value = argument.substr(equals + 1);
    } else if (takes_value && ++i < arguments.size()) {
      value = arguments[i];
    }
    if (takes_value && value.empty()) throw UsageError(std::string(option.name) + " needs " + option.argument);
    option.set(options, value);
  }
  if (options.symbolic && !options.explain) throw UsageError("--symbolic is said with --explain");
  if (options.model.empty() && !options.help && !options.version && !options.list) {
    throw UsageError("which mechanism? give a name of models/ (see --list), or a path to a mechanism file");
  }
  return options;
}

std::string help_text() {
  std::string text =
      "Turns a mechanism, written as text, into co-simulation FMUs (FMI 2.0 and 3.0).\n"
      "\n"
      "  ./build_fmu MODEL|PATH [options]\n"
      "\n"
      "MODEL is a folder of models/ (see --list); PATH is a mechanism file or the folder with its mechanism.toml.\n"
      "Written, and validated before, are DIR/2.0/<Name>.fmu and DIR/3.0/<Name>.fmu.\n"
      "\n";
  const std::size_t column = 20;
  for (const Option& option : option_table) {
    std::string left = std::string("  ") + option.name + (option.argument[0] != '\0' ? " " : "") + option.argument;
    text += left + std::string(column - left.size(), ' ');
    for (const char* c = option.help; *c != '\0'; ++c) {
      text += *c;
      if (*c == '\n') text += std::string(column, ' ');
    }
    text += '\n';
  }
  return text +
         "\n"
         "Exit code 0: done, the FMUs exist and are valid. 1: an error, said on stderr as\n"
         "file:line:column: what is wrong; what to do. 2: the command line is not understood. No partial file is "
         "left.\n"
         "\n"
         "  ./build_fmu guided_pendulum --run        a first FMU, and a report of its motion\n"
         "  ./build_fmu path/to/mechanism.toml --fmi 3 --output DIR\n"
         "\n"
         "How to write a mechanism: README.md, docs/mechanism-file.md.\n";
}

}  // namespace mechfmu
