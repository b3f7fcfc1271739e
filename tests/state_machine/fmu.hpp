// Holds an exported FMU as an importer does: unpacked, described, with its library loaded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "description.hpp"

namespace mechfmu::importer {

class Fmu {
 public:
  /// The FMU called so of a version, "2.0" or "3.0", from the folder of exports; the model's folder has another name.
  Fmu(const std::string& name, const std::string& model, const std::string& version);
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  /// Returns a function of the library. Fails the test if there is none.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }
  bool has_function(const char* name) const;

  const std::string name;  ///< contains the version
  Description description;

 private:
  void* symbol(const char* name) const;
  void* library_ = nullptr;  ///< stays loaded
};

/// The models that these tests run on: one by equations, one of planar and one of spatial bodies; all have inputs.
std::vector<const Fmu*> fmus(const std::string& version);

/// Is what most tests run on: an FMU, used as one kind.
struct Subject {
  const Fmu& fmu;
  Kind kind;

  std::string name() const { return fmu.name + (kind == Kind::co_simulation ? "" : ", model exchange"); }
  bool exchange() const { return kind == Kind::model_exchange; }
  bool has(const std::string& capability) const { return fmu.description.has(kind, capability); }
};

/// Returns these models as every kind that they offer; of both versions if none is given.
std::vector<Subject> subjects(const std::string& version = "");
const Fmu& first_fmu(const std::string& version);

/// Every function that a header of the standard declares: "fmi2Functions.h" or "fmi3Functions.h".
std::vector<std::string> functions_of_header(const std::string& header);

}  // namespace mechfmu::importer
