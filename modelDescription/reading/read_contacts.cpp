// Reads the section on contacts.
#include "modelDescription/formulas/expression.hpp"
#include "read_sections.hpp"
#include "read_surface.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

constexpr double largest_exponent = 10;  ///< A larger one is a mistake.

/// Reads one contact of the section.
class ContactReader {
 public:
  ContactReader(const TomlNode::Entry& entry, Reading& reading)
      : entry_(entry), reading_(reading), what_("the contact " + in_quotes(entry.key)),
        table_(entry.value, entry.place, what_,
               {"gap", "slip", "first", "second", "friction", "static", "restitution", "stiffness", "exponent",
                "damping", "description"},
               reading.diagnostics) {}

  Contact read() {
    Contact contact;
    contact.name = entry_.key;
    contact.place = entry_.place;
    contact.description = table_.text("description");
    contact.has_friction = table_.find("friction");
    const bool of_surfaces = table_.find("first") || table_.find("second");
    if (of_surfaces) read_surfaces(contact);
    else read_formulas(contact);
    contact.friction = coefficient("friction").value_or(number_expression(0, entry_.place));
    contact.static_friction = coefficient("static");
    contact.restitution = coefficient("restitution").value_or(number_expression(0, entry_.place));
    read_compliance(contact);
    for (const char* key : {"friction", "static"})
      if (const TomlNode::Entry* given = table_.find(key); given && !of_surfaces && !table_.find("slip"))
        reading_.diagnostics.add(given->place, what_ + " has " + key + " but no slip, against which friction acts",
                                 "write slip = \"…\", its speed along the surface, or remove " + std::string(key));
    if (const TomlNode::Entry* given = table_.find("static"); given && !table_.find("friction"))
      reading_.diagnostics.add(given->place, what_ + " has static but no friction",
                               "write friction = …, the coefficient while it slides");
    return contact;
  }

 private:
  void read_formulas(Contact& contact) {
    contact.gap = table_.formula("gap");
    if (!table_.find("gap") && entry_.value.kind == TomlNode::Kind::table)
      reading_.diagnostics.add(
          entry_.place, what_ + " has no gap",
          std::string("write gap = \"…\", a formula of coordinates that is positive where nothing touches") +
              (reading_.of_bodies ? ", or first = { … } and second = { … }, two surfaces" : ""));
    if (const TomlNode::Entry* slip = table_.find("slip")) contact.slips = slips(slip->value);
  }

  void read_compliance(Contact& contact) {
    const TomlNode::Entry *stiffness = table_.find("stiffness"), *exponent = table_.find("exponent"),
                          *damping = table_.find("damping");
    if (!stiffness) {
      for (const TomlNode::Entry* given : {exponent, damping})
        if (given)
          reading_.diagnostics.add(given->place, what_ + " has " + given->key + " but no stiffness to belong to",
                                   "write stiffness = …, or remove " + given->key);
      return;
    }
    if (const TomlNode::Entry* given = table_.find("restitution"))
      reading_.diagnostics.add(given->place, what_ + " has restitution beside stiffness: what gives way has no impacts",
                               "remove restitution; damping takes energy from a rebound");
    // Their dimensions are checked when that of the gap is known.
    const auto formula = [&](const TomlNode::Entry& entry) {
      return read_value(entry.value, Unit{}, in_quotes(entry.key) + " of " + what_, reading_.diagnostics).expression;
    };
    contact.compliance = ContactCompliance{formula(*stiffness), number_expression(0, entry_.place)};
    if (damping) contact.compliance->damping = formula(*damping);
    if (!exponent) return;
    const Expression number = formula(*exponent);
    contact.compliance->exponent = number.number;
    if (number.kind != Expression::Kind::number || !(number.number >= 1) || !(number.number <= largest_exponent))
      reading_.diagnostics.add(exponent->value.place, "'exponent' of " + what_ + " is no number from 1 to 10",
                               "write 1 for a linear spring, 1.5 for a sphere on a plane after Hertz");
  }

  void read_surfaces(Contact& contact) {
    const TomlNode::Entry *first = table_.find("first"), *second = table_.find("second");
    if (!reading_.of_bodies) {
      reading_.diagnostics.add((first ? first : second)->place, what_ + " is between surfaces, which only bodies have",
                               "write gap = \"…\" and slip = \"…\", or describe the mechanism by bodies and joints");
      return;
    }
    for (const char* key : {"gap", "slip"})
      if (const TomlNode::Entry* given = table_.find(key))
        reading_.diagnostics.add(given->place,
                                 what_ + " has " + key + " beside first and second, from which it follows",
                                 "remove " + std::string(key) + ", or first and second");
    for (const auto& [surface, key] : {std::pair(first, "first"), {second, "second"}})
      if (!surface)
        reading_.diagnostics.add(entry_.place, what_ + " has no " + key,
                                 std::string("write ") + key + " = { body = \"…\", … }, a surface of another body");
    std::optional<Surface> a, b;
    if (first) a = read_surface(*first, "'first' of " + what_, reading_);
    if (second) b = read_surface(*second, "'second' of " + what_, reading_);
    if (!a || !b) return;
    check_surfaces(*a, *b, what_, reading_);
    contact.surfaces = {*std::move(a), *std::move(b)};
  }

  std::vector<Expression> slips(const TomlNode& node) {
    const std::string what = "the slip of " + what_;
    const auto formula = [&](const TomlNode& one) {
      return read_value(one, Unit{}, what, reading_.diagnostics).expression;
    };
    if (node.kind != TomlNode::Kind::array) return {formula(node)};
    if (node.items.size() != 2) {
      reading_.diagnostics.add(node.place, what + " is a list of " + std::to_string(node.items.size()) + ", not of two",
                               "write slip = \"…\", or [\"…\", \"…\"] along two directions that are perpendicular");
      return {};
    }
    return {formula(node.items[0]), formula(node.items[1])};
  }

  std::optional<Expression> coefficient(const std::string& key) {
    const TomlNode::Entry* entry = table_.find(key);
    if (!entry) return std::nullopt;
    return read_number(entry->value, Measure::quantity({}), contact_force_usage(in_quotes(key) + " of " + what_),
                       reading_);
  }

  const TomlNode::Entry& entry_;
  Reading& reading_;
  const std::string what_;
  const TableReader table_;
};

}  // namespace

void read_contacts(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::size_t errors = reading.diagnostics.size();
    reading.description.contacts.push_back(ContactReader(entry, reading).read());
    Name name{NameKind::contact, reading.description.contacts.size() - 1, entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
  }
}

}  // namespace mechfmu
