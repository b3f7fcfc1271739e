// The FMU's log categories, as declared in modelDescription.xml and passed with every message.
#pragma once

namespace mechfmu {

inline constexpr const char* error_category = "logStatusError";
inline constexpr const char* warning_category = "logStatusWarning";

struct LogCategory {
  const char* name;
  const char* description;
};

inline constexpr LogCategory log_categories[] = {
    {error_category, "what went wrong, where and when; told whether logging is on or off"},
    {warning_category, "what to know about the results, such as reactions that redundant constraints share"},
};

}  // namespace mechfmu
