// Starts build_fmu, after scripts/bootstrap.sh has prepared everything.
#include "command_line.hpp"

int main(int count, char** arguments) { return mechfmu::run_command_line({arguments + 1, arguments + count}); }
