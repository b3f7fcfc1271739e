// A program as C++ functions, one for each stage, in chunks that a compiler digests.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "derivation/program.hpp"

namespace mechfmu {

/// An array that a function fills, and what its elements are.
struct ResultArray {
  std::string name;
  std::function<std::string(int)> meaning;  ///< of an element, for a comment
};

/// Writes the functions of one program. Values that a later stage or chunk needs are kept in an array `work`.
class FunctionWriter {
 public:
  /// `results`: one array for each output of the program.
  /// `unhurried`: not called in steps, so that the compiler need not make it fast where that would take it long.
  FunctionWriter(const Program& program, Staging staging, std::vector<ResultArray> results, int chunk_size,
                 bool unhurried = false);

  /// Defines the function of a stage, `void name(const Point& point, double* first result, …)`, preceded by its chunks.
  std::string function(int stage, const std::string& name) const;

  /// Length of `work`: of Point::work if there are several stages, else of a local array.
  int work_size() const { return work_size_; }

 private:
  /// Where a value is computed or used.
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
  std::vector<int> last_chunk_;  ///< of each stage
  std::vector<int> name_;        ///< number in the name of a value
  std::vector<int> slot_;        ///< in work, or -1
  std::vector<int> local_uses_, result_uses_;
  int work_size_ = 0;
  const char* attribute_;
};

}  // namespace mechfmu
