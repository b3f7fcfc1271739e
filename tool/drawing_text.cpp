// Draws a mechanism at its start.
#include "drawing_text.hpp"

#include "preparation/assembly_checks.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Returns "[a, b, c]" of the elements' texts.
template <class Elements, class ToText>
std::string list(const Elements& elements, const ToText& text) {
  std::string result;
  for (const auto& element : elements) result += (result.empty() ? "" : ", ") + text(element);
  return "[" + result + "]";
}

}  // namespace

std::string drawing_text(const Prepared& prepared) {
  const Equations& equations = prepared.derivation.equations;
  const FoundStart& start = prepared.start;
  const auto zeros = [](const SX& symbols) {
    return std::vector<double>(static_cast<std::size_t>(symbols.numel()), 0);
  };
  const Assembled at{start.parameters, equations.input_values,          start.q,
                     start.v,          zeros(equations.symbols.angles), zeros(equations.symbols.loads)};
  const Drawing& drawing = equations.drawing;
  std::vector<SX> places{SX(0, 1)};  // are in the order in which they are written
  for (const DrawnLine& line : drawing.lines) places.insert(places.end(), line.begin(), line.end());
  places.insert(places.end(), drawing.ground.begin(), drawing.ground.end());
  for (const DrawnWheel& wheel : drawing.wheels) places.insert(places.end(), {wheel.center, wheel.axis, wheel.radius});
  const std::vector<double> values = numbers(SX::vertcat(places), equations, at);

  auto next = values.begin();
  const auto number = [&next] { return to_text(*next++); };
  const auto point = [&](const SX& place) {
    return list(std::vector<int>(static_cast<std::size_t>(place.numel())), [&](int) { return number(); });
  };
  const auto line = [&](const DrawnLine& points) { return list(points, point); };
  const auto wheel = [&](const DrawnWheel& drawn) {
    const std::string center = point(drawn.center), axis = point(drawn.axis);
    return "{\"center\": " + center + ", \"axis\": " + axis + ", \"radius\": " + number() + "}";
  };
  const std::string lines = list(drawing.lines, line), ground = list(drawing.ground, point),
                    wheels = list(drawing.wheels, wheel);
  return "{\"name\": \"" + prepared.description.name + "\",\n\"lines\": " + lines + ",\n\"ground\": " + ground +
         ",\n\"wheels\": " + wheels + "}\n";
}

}  // namespace mechfmu
