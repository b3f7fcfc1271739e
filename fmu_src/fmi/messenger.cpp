// Tells the importer about an instance.
#include "messenger.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

#include "mechanism/message.hpp"

namespace mechfmu {

Messenger::Messenger(Arena&& memory, const char* name, const Log& log)
    : memory_(std::move(memory)), name_(memory_, static_cast<int>(std::strlen(name)) + 1), log_(log) {
  if (memory_.ok()) std::strcpy(name_.data(), name);
}

void Messenger::tell(Status status, const char* text) {
  if (status == Status::error || log_.on[category_of(status)]) write(status, text);
}

void Messenger::write(Status status, const char* text) {
  if (log_.write != nullptr) log_.write(log_, name_.data(), status, text);
}

Status Messenger::tell(Status status, const char* format, std::va_list arguments) {
  Message message;
  message.add("%s: ", call_);
  char text[sizeof message.text];
  std::vsnprintf(text, sizeof text, format, arguments);
  message.add("%s", text);
  tell(status, message.text);
  return status;
}

Status Messenger::fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const Status status = tell(Status::error, format, arguments);
  va_end(arguments);
  return status;
}

Status Messenger::refrain(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const Status status = tell(Status::discard, format, arguments);
  va_end(arguments);
  return status;
}

void Messenger::warn(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  tell(Status::warning, format, arguments);
  va_end(arguments);
}

Status Messenger::set_logging(bool on, std::size_t count, const char* const* categories) {
  if (count > 0 && categories == nullptr) return fail("the categories are NULL");
  const auto index_of = [](const char* name) {
    int index = 0;
    const auto is_other = [&] { return name == nullptr || std::strcmp(name, log_categories[index].name) != 0; };
    while (index < log_category_count && is_other()) ++index;
    return index;
  };
  if (count == 0) log_.turn_all(on);
  Message unknown;
  for (std::size_t i = 0; i < count; ++i) {
    const int index = index_of(categories[i]);
    if (index < log_category_count) log_.on[index] = on;
    else unknown.add(" \"%s\"", categories[i] == nullptr ? "NULL" : categories[i]);
  }
  if (unknown.empty()) return Status::ok;
  Message message;  // whatever is turned on, since it is about the log
  message.add("%s: there is no log category%s, which is ignored; there are", call_, unknown.text);
  for (const LogCategory& category : log_categories) message.add(" \"%s\"", category.name);
  write(Status::warning, message.text);
  return Status::ok;
}

}  // namespace mechfmu
