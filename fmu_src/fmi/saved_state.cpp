// The FMU's state: mode, what the importer set, and the simulation's state, as one block of bytes. In memory and
// serialised it is the same block; the checksum is filled in when it leaves as bytes and tested when it comes back.
// The stop time is not in it: a state may be continued in a run that ends elsewhere.
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "instance.hpp"

namespace mechfmu {

namespace {

constexpr char saved_mark[8] = {'m', 'e', 'c', 'h', 'f', 'm', 'u', '\5'};  ///< the last byte is the layout's version

/// Returns the hash FNV-1a, 64 bits.
std::uint64_t hash(const void* bytes, std::size_t size, std::uint64_t value = 14695981039346656037u) {
  const unsigned char* byte = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) value = (value ^ byte[i]) * 1099511628211u;
  return value;
}

}  // namespace

struct SavedState {
  char mark[sizeof saved_mark];
  std::uint64_t size;      ///< bytes in the whole block
  std::uint64_t model;     ///< token and FMI version
  std::uint64_t checksum;  ///< hash of all bytes behind it
  std::uint8_t mode, set_up, consistent, staged, tolerance_was_set, model_exchange, states_jumped, unused[1];
  double setup_tolerance, start_time, earliest_time, completed_time;

  // Behind it: the values set, row by row of what can be set, then the simulation's state.
  double* values() { return reinterpret_cast<double*>(this + 1); }
  const double* values() const { return reinterpret_cast<const double*>(this + 1); }
  std::uint64_t sum() const {
    const std::size_t head = offsetof(SavedState, checksum) + sizeof checksum;
    return hash(reinterpret_cast<const char*>(this) + head, size - head);
  }
};

namespace {

std::uint64_t model_hash(const VariableTable& variables, Instance::Standard standard) {
  const char digit = standard == Instance::Standard::fmi2 ? '2' : '3';
  return hash(&digit, 1, hash(variables.token, std::strlen(variables.token)));
}

}  // namespace

std::size_t Instance::saved_size() const {
  return sizeof(SavedState) + sizeof(double) * static_cast<std::size_t>(settable_count_ + simulation_.state_size());
}

/// Returns the block if it is a state of this model, otherwise nullptr; the log says what is wrong with it.
const SavedState* Instance::recognise(const void* state) {
  const SavedState* saved = static_cast<const SavedState*>(state);
  if (saved == nullptr) {
    fail("the state is NULL");
  } else if (std::memcmp(saved->mark, saved_mark, sizeof saved_mark) != 0) {
    fail("this is not a state of this version of the program");
  } else if (saved->model != model_hash(variables_, standard_) || saved->size != saved_size()) {
    fail("this is a state of another model");
  } else {
    return saved;
  }
  return nullptr;
}

Status Instance::save(void** state) {
  if (state == nullptr) return fail("there is no place for the state: the pointer is NULL");
  if (*state != nullptr && recognise(*state) == nullptr) return Status::error;  // a state given is used again
  if (*state == nullptr) *state = std::malloc(saved_size());
  if (*state == nullptr) return fail("out of memory");
  SavedState& saved = *static_cast<SavedState*>(*state);
  saved = SavedState{};
  std::memcpy(saved.mark, saved_mark, sizeof saved_mark);
  saved.size = saved_size();
  saved.model = model_hash(variables_, standard_);
  saved.mode = static_cast<std::uint8_t>(mode_);
  saved.set_up = set_up_;
  saved.consistent = consistent_;
  saved.staged = staged_;
  saved.tolerance_was_set = tolerance_was_set_;
  saved.model_exchange = wishes_.model_exchange;
  saved.states_jumped = states_jumped_;
  saved.setup_tolerance = setup_tolerance_;
  saved.start_time = start_time_;
  saved.earliest_time = earliest_time_;
  saved.completed_time = completed_time_;
  double* values = saved.values();
  for (int i = 0; i < settable_count_; ++i) *values++ = set_values_[settable_[i]];
  std::memcpy(values, simulation_.state(), sizeof(double) * static_cast<std::size_t>(simulation_.state_size()));
  return Status::ok;
}

Status Instance::restore(const void* state) {
  const SavedState* saved = recognise(state);
  if (saved == nullptr) return Status::error;
  if ((saved->model_exchange != 0) != wishes_.model_exchange) {
    return fail("the state is one of an instance for %s", saved->model_exchange ? "model exchange" : "co-simulation");
  }
  if (static_cast<Mode>(saved->mode) == Mode::event && !wishes_.event_mode) {
    return fail("the state was saved in event mode, but this instance was made with eventModeUsed = false");
  }
  mode_ = static_cast<Mode>(saved->mode);
  set_up_ = saved->set_up != 0;
  consistent_ = saved->consistent != 0;
  staged_ = saved->staged != 0;
  tolerance_was_set_ = saved->tolerance_was_set != 0;
  states_jumped_ = saved->states_jumped != 0;
  setup_tolerance_ = saved->setup_tolerance;
  start_time_ = saved->start_time;
  earliest_time_ = saved->earliest_time;
  completed_time_ = saved->completed_time;
  const double* values = saved->values();
  for (int i = 0; i < settable_count_; ++i) set_values_[settable_[i]] = *values++;
  simulation_.restore(values);
  return Status::ok;
}

Status Instance::discard(void** state) {
  if (state == nullptr || *state == nullptr) return Status::ok;
  if (recognise(*state) == nullptr) return Status::error;
  std::free(*state);
  *state = nullptr;
  return Status::ok;
}

Status Instance::serialized_size(const void* state, std::size_t* size) {
  if (size == nullptr) return fail("there is no place for the size: the pointer is NULL");
  const SavedState* saved = recognise(state);
  if (saved == nullptr) return Status::error;
  *size = saved->size;
  return Status::ok;
}

Status Instance::serialize(const void* state, void* bytes, std::size_t size) {
  const SavedState* saved = recognise(state);
  if (saved == nullptr) return Status::error;
  if (bytes == nullptr || size < saved->size) {
    return fail("the state needs %zu bytes, but there are %zu", static_cast<std::size_t>(saved->size),
                bytes == nullptr ? 0 : size);
  }
  const std::uint64_t checksum = saved->sum();
  std::memcpy(bytes, saved, saved->size);
  std::memcpy(static_cast<char*>(bytes) + offsetof(SavedState, checksum), &checksum, sizeof checksum);
  return Status::ok;
}

Status Instance::deserialize(const void* bytes, std::size_t size, void** state) {
  if (bytes == nullptr || state == nullptr) return fail("a pointer is NULL");
  if (size != saved_size()) {
    return fail("a serialised state of this model has %zu bytes, not %zu", saved_size(), size);
  }
  if (*state != nullptr && recognise(*state) == nullptr) return Status::error;
  void* copy = std::malloc(size);
  if (copy == nullptr) return fail("out of memory");
  std::memcpy(copy, bytes, size);
  const SavedState* saved = recognise(copy);
  if (saved == nullptr || saved->sum() != saved->checksum) {
    if (saved != nullptr) fail("the serialised state is damaged: its checksum is wrong");
    std::free(copy);
    return Status::error;
  }
  std::free(*state);
  *state = copy;
  return Status::ok;
}

}  // namespace mechfmu
