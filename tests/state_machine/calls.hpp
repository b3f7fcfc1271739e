// Makes the calls that are equal in both versions.
#pragma once

#include "expectations.hpp"

namespace mechfmu::importer::calls {

/// A call that needs neither its name nor arguments.
template <class Work>
Call of_session(Work work) {
  return [=](Session& session, const Arguments&, const char*) { return work(session); };
}

/// A call that needs arguments.
template <class Work>
Call of_arguments(Work work) {
  return [=](Session& session, const Arguments& arguments, const char*) { return work(session, arguments); };
}

inline int step(Session& session) { return session.step(); }
inline int update_discrete_states(Session& session) { return session.update_discrete_states(); }
inline int complete_step(Session& session) { return session.complete_step(); }
inline int set_time(Session& session) { return session.set_time(session.time); }

inline int read(Session& session, const Arguments& arguments) {
  double value;
  return session.get(arguments.readable, value);
}

inline int set_states(Session& session, const Arguments& arguments) {
  return session.set_states(arguments.states.data(), arguments.states.size());
}

/// Calls Session::get_states, Session::get_state_derivatives or Session::get_nominals.
template <auto question>
int of_states(Session& session, const Arguments& arguments) {
  std::vector<double> values(arguments.states.size());
  return (session.*question)(values.data(), values.size());
}

inline int get_event_indicators(Session& session, const Arguments& arguments) {
  std::vector<double> values(arguments.indicators);
  return session.get_event_indicators(values.data(), values.size());
}

/// A state is saved, or made from bytes, and freed again.
inline int save(Session& session) {
  void* state = nullptr;
  const int status = session.save(&state);
  if (status == ok) session.free_state(&state);
  return status;
}

inline int deserialize(Session& session, const Arguments& arguments) {
  void* state = nullptr;
  const int status = session.deserialize(arguments.bytes.data(), arguments.bytes.size(), &state);
  if (status == ok) session.free_state(&state);
  return status;
}

inline int restore(Session& session, const Arguments& arguments) { return session.restore(arguments.state); }

inline int free_no_state(Session& session) {
  void* none = nullptr;
  return session.free_state(&none);
}

inline int serialized_size(Session& session, const Arguments& arguments) {
  std::size_t size;
  return session.serialized_size(arguments.state, &size);
}

inline int serialize(Session& session, const Arguments& arguments) {
  std::string bytes = arguments.bytes;
  return session.serialize(arguments.state, bytes.data(), bytes.size());
}

}  // namespace mechfmu::importer::calls
