#include "contact_efforts.hpp"

#include "columns.hpp"

namespace mechfmu {

using casadi::SX;

void make_contact_symbols(ContactEquation& contact) {
  std::vector<std::string> multipliers, slides;
  for (std::size_t i = 0; i < contact.rows(); ++i) {
    const std::string row = contact.name + ".row" + std::to_string(i + 1);
    multipliers.push_back(row + ".multiplier");
    slides.push_back(row + ".slide");
  }
  contact.multipliers = column_of_symbols(multipliers);
  contact.slide = column_of_symbols(slides);
}

std::vector<SX> slip_directions(const ContactEquation& contact) {
  if (contact.slips.empty()) return {};
  const auto first = static_cast<casadi_int>(contact.rows() - contact.slips.size());
  if (contact.slips.size() == 1) return {contact.slide(first)};
  // Within a step a slip may pass zero, where the event is found: its friction goes on as before until then.
  std::vector<SX> speeds;
  SX squares = 0, slides = 0, forward = 0;
  const auto own = [&](std::size_t i) { return SX(contact.slide(first + static_cast<casadi_int>(i))); };
  for (std::size_t i = 0; i < contact.slips.size(); ++i) forward += contact.slips[i] * own(i);
  const SX side = SX::if_else(forward < 0, -1, 1);
  for (std::size_t i = 0; i < contact.slips.size(); ++i) {
    speeds.push_back(side * contact.slips[i] + own(i));
    squares += SX::sq(speeds.back());
    slides += SX::sq(own(i));
  }
  // The length is 1 where nothing slides, so that nothing is divided by zero.
  const SX slips = slides > 0, length = SX::sqrt(SX::if_else(slips, squares, 1));
  for (SX& speed : speeds) speed = SX::if_else_zero(slips, speed / length);
  return speeds;
}

std::vector<SX> contact_efforts(const ContactEquation& contact) {
  std::vector<SX> efforts;
  for (casadi_int i = 0; i < contact.multipliers.numel(); ++i) efforts.push_back(contact.multipliers(i));
  const std::vector<SX> directions = slip_directions(contact);
  const std::size_t tangent = contact.rows() - contact.slips.size();
  const SX friction = tangent > 0 ? contact.friction * efforts[0] : contact.capacity;
  for (std::size_t i = 0; i < directions.size(); ++i) efforts[tangent + i] -= friction * directions[i];
  return efforts;
}

}  // namespace mechfmu
