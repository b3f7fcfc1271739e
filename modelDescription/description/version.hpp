// Tells which program made an FMU, a page or a message.
#pragma once

namespace mechfmu {

/// Returns the program's name and version, such as "mechfmu 1.2.3". The file VERSION holds the number.
const char* name_and_version();

}  // namespace mechfmu
