// Has mechanisms written for tests, as text.
#include "mechanisms.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include <cmath>
#include <random>
#include <sstream>
#include <vector>

namespace mechfmu::testing {

std::string text_of_model(const std::string& name) {
  std::ifstream file(std::string(MECHFMU_SOURCE_DIR) + "/models/" + name + "/mechanism.toml");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  INFO(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

namespace {

/// Writes Σ a_i q_i + amplitude sin(Σ b_i q_i + c), with its value at a start.
struct RandomFunction {
  std::vector<double> a, b;
  double c = 0, amplitude = 0.3;
  bool moves = false;

  RandomFunction(std::mt19937& random, int n, bool moves_with_time) : moves(moves_with_time) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < n; ++i) a.push_back(uniform(random));
    for (int i = 0; i < n; ++i) b.push_back(uniform(random));
    c = uniform(random);
  }
  std::string text() const {
    std::ostringstream out;
    out.precision(17);
    const auto sum = [&](const std::vector<double>& weights) {
      for (std::size_t i = 0; i < weights.size(); ++i) out << (i ? " + " : "") << "(" << weights[i] << ")*q" << i;
    };
    sum(a);
    out << " + " << amplitude << "*sin(";
    sum(b);
    out << " + (" << c << "))";
    if (moves) out << " + 0.2*sin(w*time)";
    return out.str();
  }
  double value(const std::vector<double>& q) const {
    double linear = 0, inside = c;
    for (std::size_t i = 0; i < q.size(); ++i) {
      linear += a[i] * q[i];
      inside += b[i] * q[i];
    }
    return linear + amplitude * std::sin(inside);
  }
};

}  // namespace

std::string random_mechanism(unsigned seed, const Shape& shape) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = shape.coordinates;
  std::vector<double> q(n);
  for (double& value : q) value = uniform(random);
  std::ostringstream out;
  out.precision(17);
  out << "[mechanism]\nname = \"Random\"\n[parameters]\nJ = { value = 1, unit = \"kg.m2\" }\n"
      << "w = { value = 1.3, unit = \"rad/s\" }\nD = { value = 0.3, unit = \"N.m.s/rad\" }\n"
      << "K = { value = 1, unit = \"N.m\" }\n[coordinates]\n";
  for (int i = 0; i < n; ++i) {
    out << "q" << i << " = { unit = \"rad\", start = " << q[i] << ", rate_start = " << uniform(random) << " }\n";
  }
  out << "[definitions]\n";
  for (int l = 0; l < n; ++l) out << "r" << l << " = \"" << RandomFunction(random, n, shape.rheonomic).text() << "\"\n";
  out << "[dynamics]\nkinetic_energy = \"J/2*(";
  for (int l = 0; l < n; ++l) out << (l ? " + " : "") << "der(r" << l << ")^2 + 0.5*der(q" << l << ")^2";
  out << ")\"\npotential_energy = \"K*(";
  for (int l = 0; l < n; ++l) out << (l ? " + " : "") << "cos(q" << l << ")";
  out << ")\"\n[dynamics.forces]\nq0 = \"-D*der(q0) + K*sin(w*time)\"\n";

  std::vector<RandomFunction> rows;
  for (int i = 0; i < shape.position_rows; ++i) rows.emplace_back(random, n, shape.rheonomic);
  const auto formula = [&](int i) {
    std::ostringstream text;
    text.precision(17);
    text << "(" << rows[i].text() << ") - (" << rows[i].value(q) << ")";
    return text.str();
  };
  std::string sum, solver;
  for (int i = 0; i < shape.position_rows; ++i) {
    std::string text = formula(i);
    if (shape.nearly_dependent > 0 && i > 0 && i == shape.position_rows - 1) {
      std::ostringstream scaled;
      scaled.precision(17);
      scaled << formula(0) << " + " << shape.nearly_dependent << "*(" << text << ")";
      text = scaled.str();
    }
    sum += (i ? " + " : "") + text;
    out << "[constraints.p" << i << "]\nposition = \"" << text << "\"\n";
  }
  if (shape.nearly_dependent > 0) solver = "[solver]\nclosure_tolerance = 0\n";  // This is meant and no rounding.
  if (shape.redundant) out << "[constraints.sum]\nposition = \"" << sum << "\"\n";
  for (int i = 0; i < shape.velocity_rows; ++i) {
    out << "[constraints.v" << i << "]\nvelocity = \"";
    for (int j = 0; j < n; ++j) {
      out << (j ? " + " : "") << "(" << uniform(random) << " + 0.5*cos(q" << (j + i + 1) % n << "))*der(q" << j << ")";
    }
    if (shape.rheonomic) out << " + 0.4*w*cos(w*time)";
    out << "\"\n";
  }
  out << solver;
  return out.str();
}

std::string parallelogram(const Parallelogram& p) {
  std::ostringstream out;
  out.precision(17);
  out << R"toml(
[mechanism]
name = "Parallelogram"
[parameters]
l = { value = 1, unit = "m" }
d = { value = 2, unit = "m" }
m = { value = )toml"
      << Parallelogram::m_crank << R"toml(, unit = "kg" }
mc = { value = )toml"
      << Parallelogram::m_coupler << R"toml(, unit = "kg" }
g = { value = )toml"
      << p.gravity << R"toml(, unit = "m/s2" }
[coordinates]
a = { unit = "rad", start = )toml"
      << p.angle << R"toml(, fixed = true, rate_fixed = true, rate_start = )toml" << p.rate << R"toml( }
c = { unit = "rad", start = 0 }
b = { unit = "rad", start = )toml"
      << p.angle << R"toml( }
[definitions]
xc = "l*cos(a) + d/2*cos(c)"
yc = "l*sin(a) + d/2*sin(c)"
[dynamics]
kinetic_energy = "m*l^2/6*(der(a)^2 + der(b)^2) + mc*(der(xc)^2 + der(yc)^2)/2 + mc*d^2/24*der(c)^2"
potential_energy = "g*(m*l/2*(sin(a) + sin(b)) + mc*yc)"
[constraints.closure_x]
position = "l*cos(a) + d*cos(c) - l*cos(b) - d"
[constraints.closure_y]
position = "l*sin(a) + d*sin(c) - l*sin(b)"
)toml";
  return out.str();
}

std::string three_motor_robot() {
  return R"toml(
[mechanism]
name = "ThreeMotorRobot"
[parameters]
l1 = { value = 0.5, unit = "m" }
l2 = { value = 0.6, unit = "m" }
m1 = { value = 1, unit = "kg" }
m2 = { value = 0.8, unit = "kg" }
mp = { value = 2, unit = "kg" }
Jp = { value = 0.02, unit = "kg.m2" }
base = { value = 1.0, unit = "m" }
side = { value = 0.25, unit = "m" }
torque = { value = 3, unit = "N.m" }
w = { value = 3, unit = "rad/s" }
D = { value = 0.1, unit = "N.m.s/rad" }
[coordinates]
A1 = { unit = "rad", start = 1.92, rate_start = 0.4 }
B1 = { unit = "rad", start = -0.44 }
A2 = { unit = "rad", start = 4.0, rate_start = 0.1 }
B2 = { unit = "rad", start = 1.66 }
A3 = { unit = "rad", start = -0.18, rate_start = -0.2 }
B3 = { unit = "rad", start = -2.53 }
C  = { unit = "rad", start = 0 }
[definitions]
xt1 = "l1*cos(A1) + l2*cos(B1)"
yt1 = "l1*sin(A1) + l2*sin(B1)"
xt2 = "base + l1*cos(A2) + l2*cos(B2)"
yt2 = "l1*sin(A2) + l2*sin(B2)"
xt3 = "base/2 + l1*cos(A3) + l2*cos(B3)"
yt3 = "sqrt(3)/2*base + l1*sin(A3) + l2*sin(B3)"
xm1 = "l1*cos(A1) + l2/2*cos(B1)"
ym1 = "l1*sin(A1) + l2/2*sin(B1)"
xm2 = "base + l1*cos(A2) + l2/2*cos(B2)"
ym2 = "l1*sin(A2) + l2/2*sin(B2)"
xm3 = "base/2 + l1*cos(A3) + l2/2*cos(B3)"
ym3 = "sqrt(3)/2*base + l1*sin(A3) + l2/2*sin(B3)"
xp = "xt1 + side/sqrt(3)*cos(C + pi/6)"
yp = "yt1 + side/sqrt(3)*sin(C + pi/6)"
T1 = "m1*l1^2/6*(der(A1)^2 + der(A2)^2 + der(A3)^2)"
T2 = "m2*(der(xm1)^2 + der(ym1)^2 + der(xm2)^2 + der(ym2)^2 + der(xm3)^2 + der(ym3)^2)/2"
T3 = "m2*l2^2/24*(der(B1)^2 + der(B2)^2 + der(B3)^2)"
T4 = "mp*(der(xp)^2 + der(yp)^2)/2 + Jp*der(C)^2/2"
[dynamics]
kinetic_energy = "T1 + T2 + T3 + T4"
[dynamics.forces]
A1 = "torque*cos(w*time) - D*der(A1)"
A2 = "torque*sin(1.3*w*time) - D*der(A2)"
A3 = "-torque*cos(0.7*w*time) - D*der(A3)"
[constraints.tip2_x]
position = "xt1 + side*cos(C) - xt2"
[constraints.tip2_y]
position = "yt1 + side*sin(C) - yt2"
[constraints.tip3_x]
position = "xt1 + side*cos(C + pi/3) - xt3"
[constraints.tip3_y]
position = "yt1 + side*sin(C + pi/3) - yt3"
)toml";
}

std::string spring_pendulum(double stiffness, double damping, bool polar) {
  std::ostringstream out;
  out << R"toml(
[mechanism]
name = "SpringPendulum"
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
K = { value = )toml"
      << stiffness << R"toml(, unit = "N/m" }
C = { value = )toml"
      << damping << R"toml(, unit = "N.s/m" }
)toml";
  out << (polar ? R"toml(
[coordinates]
a = { unit = "rad", start = 0.6435011087932844, fixed = true, rate_start = 3.75, rate_fixed = true }
l = { unit = "m", start = 0.5, fixed = true, rate_fixed = true }
[definitions]
x = "l*sin(a)"
y = "-l*cos(a)"
[dynamics.forces]
l = "-C*der(l)"
)toml"
                : R"toml(
[coordinates]
x = { unit = "m", start = 0.3, fixed = true, rate_start = 1.5, rate_fixed = true }
y = { unit = "m", start = -0.4, fixed = true, rate_start = 1.125, rate_fixed = true }
[definitions]
l = "sqrt(x^2 + y^2)"
[dynamics.forces]
x = "-C*der(l)*x/l"
y = "-C*der(l)*y/l"
)toml")
      << R"toml(
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y + K*(l - L)^2/2"
)toml";
  return out.str();
}

std::string flyball_governor() {
  return R"toml(
[mechanism]
name = "FlyballGovernor"
[parameters]
m_rod    = { value = 0.3, unit = "kg" }
m_ball   = { value = 5, unit = "kg" }
m_slider = { value = 3, unit = "kg" }
J        = { value = 0.005005, unit = "kg.m2", description = "shaft and slider" }
L        = { value = 1, unit = "m", description = "length of the rods" }
w        = { value = 0.01, unit = "m", description = "thickness of the rods" }
e        = { value = 0.05, unit = "m", description = "hinges from the axis" }
H        = { value = 1, unit = "m", description = "height of the hinges" }
K        = { value = 8e5, unit = "N/m" }
C        = { value = 4e4, unit = "N.s/m" }
l0       = { value = 0.5, unit = "m" }
g        = { value = 9.81, unit = "m/s2" }
[coordinates]
psi  = { unit = "rad", start = 0, fixed = true, rate_start = 6.283185307179586, rate_fixed = true }
beta = { unit = "rad", start = 0.5235987755982989, fixed = true, rate_start = 0, rate_fixed = true }
s    = { unit = "m", start = 0.5, fixed = true, rate_start = 0, rate_fixed = true }
[definitions]
l = "sqrt((L/2*cos(beta))^2 + (H - L/2*sin(beta) - s)^2)"
I_rod = "m_rod*(e^2 + e*L*cos(beta) + L^2*cos(beta)^2/3 + w^2/12*(1 + sin(beta)^2))"
I_ball = "m_ball*(e + L*cos(beta))^2"
[dynamics]
kinetic_energy = """
  (I_rod + I_ball + J/2)*der(psi)^2 + (m_rod*(L^2/3 + w^2/12) + m_ball*L^2)*der(beta)^2 + m_slider*der(s)^2/2"""
potential_energy = "m_slider*g*s - (m_rod + 2*m_ball)*g*L*sin(beta) + K*(l - l0)^2"
[dynamics.forces]
beta = "C*der(l)*L*cos(beta)*(H - s)/l"
s = "2*C*der(l)*(H - L/2*sin(beta) - s)/l"
)toml";
}

std::string bar_pendulum(const std::string& more_constraints, const std::string& more_parameters) {
  return R"toml(
[mechanism]
name = "BarPendulum"
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
)toml" + more_parameters +
         R"toml(
[coordinates]
x = { unit = "m", start = 0.3, fixed = true, rate_start = 1.5, rate_fixed = true }
y = { unit = "m", start = -0.3 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y"
[constraints.bar]
position = "(x^2 + y^2 - L^2)/(2*L)"
)toml" + more_constraints;
}

std::string unknown_everywhere(bool realised) {
  return std::string(R"toml(
[mechanism]
name = "UnknownEverywhere"
[parameters]
m  = { value = 2, unit = "kg" }
m0 = { value = 1, unit = "kg" }
k  = { value = 30, unit = "N/m" }
d  = { value = 0.8, unit = "N.s/m" }
F  = { value = 10, unit = "N" }
L  = { value = 1.5, unit = "m" }
a  = { value = 0.7, unit = "m/s2" }
c  = { value = 0.02, unit = "kg.s2/m" }
[inputs]
push = { unit = "N", start = 2 }
[coordinates]
x = { unit = "m", start = 0.4, rate_start = 0.3, fixed = true, rate_fixed = true }
y = { unit = "m", start = 0, rate_start = -0.2, fixed = true, rate_fixed = true }
z = { unit = "m", start = 0.1 }
[unknowns]
p = { unit = "kg", start = "m0", equation = "p - m0 + (p/m0)^3*m0/10 - m0*tanh(constraint.tie.multiplier/F)/5 - c*der(der(x))" }
[dynamics]
mass_matrix = [["m + p", 0, 0], [0, "m", 0], [0, 0, "m"]]
[dynamics.forces]
x = "push - k*x - d*der(x)*(p/m0)^2"
z = "F*sin(3*x/L)"
[constraints.link]
position = "z - x^2/L"
[constraints.tie]
acceleration = "der(der(y)) - p/m0*der(der(x)) + a"
)toml") + (realised ? "realised_by = { x = \"p/m0\", y = -0.5 }\n" : "");
}

namespace {

/// Returns a model's text with other whole numbers as the values of parameters.
std::string resized(const std::string& model, const std::vector<std::pair<std::string, int>>& counts) {
  std::string text = text_of_model(model);
  for (const auto& [name, count] : counts) {
    const std::size_t line = text.find("\n" + name + " ");
    REQUIRE(line != std::string::npos);
    const std::size_t value = text.find("value = ", line) + std::string("value = ").size();
    text.replace(value, text.find(',', value) - value, std::to_string(count));
  }
  return text;
}

}  // namespace

std::string arm_on_spring(const ArmOnSpring& arm) {
  const std::string offset = std::to_string(arm.turns) + "*2*pi";
  return R"toml([mechanism]
name = "Arm"
dimension = "planar"
gravity = [0, -9.81]
[bodies.arm]
mass = 1
inertia = 0.1
center_of_mass = [0.5, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "arm"
angle = { start = ")toml" +
         std::to_string(arm.angle) + " + " + offset + "\", fixed = true, rate_start = " + std::to_string(arm.rate) +
         R"toml(, rate_fixed = true }
[forces.spring]
type = "joint_spring_damper"
coordinate = "A.angle"
stiffness = )toml" +
         std::to_string(arm.stiffness) + "\ndamping = " + std::to_string(arm.damping) + "\nrest = \"" + offset + "\"\n";
}

std::string four_bar_windows(int count) { return resized("four_bar_windows", {{"N", count}}); }
std::string hanging_chain(int links) { return resized("hanging_chain", {{"N", links}}); }
std::string spring_net(int rows, int columns) { return resized("spring_net", {{"rows", rows}, {"columns", columns}}); }

std::string coupled_parallelograms(int count, double stiffness, double damping) {
  std::ostringstream text;
  text << R"toml([mechanism]
name = "CoupledParallelograms"
dimension = "planar"
gravity = [0, -9.81]
[ground.points]
D = [1, 0]
)toml";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), before = i == 0 ? "ground" : "crank_" + std::to_string(i - 1);
    for (const char* crank : {"crank_", "rocker_"}) {
      text << "[bodies." << crank << n
           << "]\nmass = 1\ninertia = 0.1\ncenter_of_mass = [0, 0.5]\npoints = { top = [0, 1] }\n";
    }
    text << "[bodies.coupler_" << n << "]\nmass = " << 1 + i
         << "\ninertia = 0.1\ncenter_of_mass = [0.5, 0]\npoints = { end = [1, 0] }\n"
         << "[joints.A" << n << "]\ntype = \"revolute\"\nparent = \"" << before << "\"\nchild = \"crank_" << n
         << "\"\nangle = { start = 0, fixed = true, rate_start = " << (i == 0 ? -1 : 0) << ", rate_fixed = true }\n"
         << "[joints.B" << n << "]\ntype = \"revolute\"\nparent = \"crank_" << n << ".top\"\nchild = \"coupler_" << n
         << "\"\n"
         << "[joints.C" << n << "]\ntype = \"revolute\"\nparent = \"coupler_" << n << ".end\"\nchild = \"rocker_" << n
         << ".top\"\n"
         << "[joints.D" << n << "]\ntype = \"revolute\"\nparent = \"ground.D\"\nchild = \"rocker_" << n << "\"\n";
    if (i == 0) continue;
    text << "[forces.coupling_" << n << "]\ntype = \"joint_spring_damper\"\ncoordinate = \"A" << n
         << ".angle\"\nstiffness = " << stiffness << "\ndamping = " << damping << "\n";
  }
  return text.str();
}

std::string chain_in_space(int links, bool absolute) {
  std::ostringstream text;
  text << "[mechanism]\nname = \"ChainInSpace\"\ndimension = \"spatial\"\ngravity = [0, 0, -9.81]\n"
       << (absolute ? "coordinates = \"absolute\"\n" : "");
  for (int i = 1; i <= links; ++i) {
    text << "[bodies.link_" << i << "]\nmass = 0.1\ncenter_of_mass = [0.1, 0.01, 0]\n"
         << "inertia = [4e-5, 3.3e-4, 3.2e-4]\npoints.end = [0.2, 0, 0]\n"
         << "[joints.hinge_" << i << "]\ntype = \"revolute\"\naxis = " << (i % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]")
         << "\nparent = \"" << (i == 1 ? "ground" : "link_" + std::to_string(i - 1) + ".end") << "\"\nchild = \"link_"
         << i << "\"\nangle = { start = " << 0.1 * (i % 3) << ", fixed = true, rate_start = " << 0.3 * (i % 4)
         << ", rate_fixed = true }\n";
  }
  return text.str();
}

Loaded rough_mechanism(unsigned seed, bool rheonomic) {
  Shape shape;
  shape.coordinates = 6;
  shape.position_rows = 2;
  shape.velocity_rows = 1;
  shape.rheonomic = rheonomic;
  std::string text = random_mechanism(seed, shape);
  const auto fix = [&](const std::string& coordinate, const std::string& key) {
    const std::size_t line = text.find("\n" + coordinate + " = {");
    text.insert(text.find(" }", line), ", " + key + " = true");
  };
  fix("q1", "fixed");
  fix("q2", "rate_fixed");
  return Loaded::text(text);
}

std::string slider_cranks(int count, const std::string& a, const std::string& b, const std::string& d) {
  std::string coordinates, energy = "0*m*w^2", constraints;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    coordinates += "A" + n + " = { unit = \"rad\", " + a + " }\nB" + n + " = { unit = \"rad\", " + b + " }\nD" + n +
                   " = { unit = \"m\", " + d + " }\n";
    energy += " + (j*der(A" + n + ")^2 + k*der(B" + n + ")^2 + m*der(D" + n + ")^2)/2";
    constraints += "[constraints.x" + n + "]\nposition = \"r*cos(A" + n + ") + l*cos(A" + n + " + B" + n + ") - D" + n +
                   "\"\n[constraints.y" + n + "]\nposition = \"r*sin(A" + n + ") + l*sin(A" + n + " + B" + n + ")\"\n";
  }
  return "[mechanism]\nname = \"SliderCranks\"\n[parameters]\nr = { value = 0.08, unit = \"m\" }\n"
         "l = { value = 0.24, unit = \"m\" }\nm = { value = 0.5, unit = \"kg\" }\nj = { value = 0.03, unit = \"kg.m2\" }\n"
         "k = { value = 0.02, unit = \"kg.m2\" }\nw = { value = 1, unit = \"m/s\" }\n[coordinates]\n" +
         coordinates + "[dynamics]\nkinetic_energy = \"" + energy + "\"\n" + constraints;
}

std::string tilted_four_bar(const std::string& tilt, const std::string& solver) {
  const std::string text = text_of_model("four_bar_in_space");
  const std::string before = "child = \"rocker\"\naxis = ";
  const std::string result = replaced(text, before + "[0, 0, 1]", before + "[" + tilt + ", 0, 1]");
  return replaced(result, "[solver]\n", "[solver]\n" + solver);
}

std::string driven_four_bar() {
  return R"toml(
[mechanism]
name = "Driven"
dimension = "planar"
gravity = [0, -1]
[parameters]
R = { value = 0.8, unit = "Ohm" }
L = { value = 0.05, unit = "H" }
k = { value = 0.6, unit = "V.s" }
U = { value = 1, unit = "V" }
[states.current]
unit = "A"
start = 0.5
rate = "(U - R*current - k*der(A.angle))/L"
[states.supplied]
unit = "J"
rate = "U*current"
[states.heat]
unit = "J"
rate = "R*current^2"
[ground.points]
D = [0.3, 0]
[bodies.crank]
mass = 0.5
center_of_mass = [0.05, 0]
inertia = 0.1
[bodies.crank.points]
B = [0.1, 0]
[bodies.coupler]
mass = 0.4
center_of_mass = [0.125, 0]
inertia = 0.002
[bodies.coupler.points]
C = [0.25, 0]
[bodies.rocker]
mass = 0.3
center_of_mass = [0.1, 0]
inertia = 0.001
[bodies.rocker.points]
C = [0.2, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "crank"
angle = { unit = "deg", start = 60, fixed = true, rate_start = 20, rate_fixed = true }
[joints.B]
type = "revolute"
parent = "crank.B"
child = "coupler"
angle = { unit = "deg", start = -30 }
[joints.C]
type = "revolute"
parent = "coupler.C"
child = "rocker.C"
[joints.D]
type = "revolute"
parent = "ground.D"
child = "rocker"
angle = { unit = "deg", start = 100 }
[forces.motor]
type = "joint_force"
coordinate = "A.angle"
value = "k*current"
[solver]
stop_time = 1
)toml";
}

}  // namespace mechfmu::testing
