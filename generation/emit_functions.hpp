// Writes a program as C++ functions, one for each stage, in chunks that are small enough for a compiler.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "derivation/program/program.hpp"

namespace mechfmu {

/// Is an array that a function fills, with the meaning of its elements.
struct ResultArray {
  std::string name;
  std::function<std::string(int)> meaning;  ///< returns the meaning of an element, for a comment
};

/// Writes the functions of one program. Values that a later stage or chunk needs are kept in an array `work`.
class FunctionWriter {
 public:
  /// `results` has one array for each output of the program. `unhurried` is true if steps do not call the program, so
  /// that the compiler may save its own time.
  FunctionWriter(const Program& program, Staging staging, std::vector<ResultArray> results, int chunk_size,
                 bool unhurried = false);

  /// Defines the function of a stage, `void name(const Point& point, double* first result, …)`, with its chunks before
  /// it.
  std::string function(int stage, const std::string& name) const;

  /// Returns the length of `work`: of Point::work if there are several stages, else of a local array.
  int work_size() const { return work_size_; }

 private:
  /// Says where a value is computed or used.
  struct Spot {
    int stage = -1, chunk = -1;
    bool operator==(const Spot&) const = default;
  };

  void place_values(int chunk_size);
  Spot spot_of_result(const Result& result) const;
  void find_crossings();
  void note_use(int value, const Spot& spot);
  std::string operand(int value, const Spot& spot) const;
  std::string expression(int value, const Spot& spot) const;
  std::set<int> inputs_of(const Spot& spot) const;
  std::string chunk_text(const Spot& spot) const;
  std::string parameters(int stage, const std::string& body, bool with_types) const;

  const Program& program_;
  Staging staging_;
  std::vector<ResultArray> results_;
  std::vector<int> stage_;
  std::vector<Spot> spot_;
  std::vector<int> last_chunk_;  ///< last chunk of each stage
  std::vector<int> name_;        ///< number in the name of each value
  std::vector<int> slot_;        ///< position in `work`, or -1
  std::vector<int> local_uses_, result_uses_;
  int work_size_ = 0;
  const char* attribute_;
};

}  // namespace mechfmu
