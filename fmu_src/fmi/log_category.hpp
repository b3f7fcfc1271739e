// The FMU's log categories, as declared in modelDescription.xml and passed with every message: one for each status that
// has something to say.
#pragma once

namespace mechfmu {

/// Statuses in the order that both standards give them.
enum class Status { ok, warning, discard, error, fatal };

struct LogCategory {
  const char* name;
  const char* description;
  Status status;  ///< status of the category's messages
};

inline constexpr LogCategory log_categories[] = {
    {"logStatusError", "what went wrong, where and when; told whether logging is on or off", Status::error},
    {"logStatusWarning",
     "what to know about the results, such as reactions that redundant constraints share; told "
     "whether logging is on or off where a call returns it as its status",
     Status::warning},
    {"logStatusDiscard", "why there are no values in one place, while there may be in another", Status::discard},
};
inline constexpr int log_category_count = sizeof log_categories / sizeof *log_categories;

/// Returns the index of a message's category.
constexpr int category_of(Status status) {
  int index = 0;
  while (index + 1 < log_category_count && log_categories[index].status != status) ++index;
  return index;
}

}  // namespace mechfmu
