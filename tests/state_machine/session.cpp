// What sessions of both standards share.
#include "session.hpp"

#include <cmath>

namespace mechfmu::importer {

int Session::enter() { return enter(0, 0, std::nan("")); }

int Session::step() { return step(time, fmu.description.stop_time / 1000); }

std::string Session::log() const {
  std::string result;
  for (const Message& message : messages) result += message.category + ": " + message.text + "\n";
  return result;
}

std::unique_ptr<Session> make_session(const Fmu& fmu, Options options) {
  return fmu.description.fmi3 ? make_session3(fmu, std::move(options)) : make_session2(fmu, std::move(options));
}

}  // namespace mechfmu::importer
