// Declares the functions that both files of FMI 3 entry points use.
#pragma once

#include "exported_model.hpp"

#include <fmi3Functions.h>

namespace mechfmu::fmi3 {

/// Runs `work` on the instance if the function is allowed now.
template <class Work>
fmi3Status guarded(fmi3Instance instance, const AllowedCall& row, Work&& work) {
  Instance* self = static_cast<Instance*>(instance);
  if (self == nullptr) return fmi3Error;
  return static_cast<fmi3Status>(self->guarded(row, [&] { return work(*self); }));
}

/// Returns the log that writes to an importer's messages.
Log log_of(fmi3InstanceEnvironment, fmi3LogMessageCallback);

/// Returns no instance, and tells the log why.
inline fmi3Instance refuse_instance(const Log& log, const char* why) {
  if (log.write != nullptr) log.write(log, "", Status::error, why);
  return nullptr;
}

}  // namespace mechfmu::fmi3
