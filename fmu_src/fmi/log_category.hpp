// The FMU's only log category, as declared in modelDescription.xml and passed with every message.
#pragma once

namespace mechfmu {

inline constexpr const char* error_category = "logStatusError";

}  // namespace mechfmu
