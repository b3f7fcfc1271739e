// Makes a mechanism without a compiler: CasADi's own evaluator fills the core's table.
#pragma once

#include <memory>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Owns what the table points to. Points passed to the table's functions need `context`, and every value that the
/// equations contain, in each call. Evaluation allocates nothing; one thread at a time.
class InterpretedMechanism {
 public:
  explicit InterpretedMechanism(const Derivation& derivation);
  ~InterpretedMechanism();
  InterpretedMechanism(InterpretedMechanism&&) noexcept;
  InterpretedMechanism& operator=(InterpretedMechanism&&) noexcept;

  const Mechanism& table() const;
  /// Returns the value for Point::context.
  const void* context() const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace mechfmu
