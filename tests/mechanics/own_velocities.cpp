// Tests mechanisms in velocities of the file's own against the same mechanisms of bodies: one is written by hand in
// Euler's angles and components of the angular velocity, the other has a unit quaternion and comes from joints.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "assembled.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

std::string model(const std::string& name) {
  std::ifstream file(std::filesystem::path(MECHFMU_SOURCE_DIR) / "models" / name / "mechanism.toml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Matrix3d orientation(const Assembled& a, const std::string& joint) {
  const auto part = [&](const char* name) { return a[joint + ".orientation." + name]; };
  return Quaterniond(part("w"), part("x"), part("y"), part("z")).toRotationMatrix();
}

Matrix3d turned(double angle, const Vector3d& axis) { return AngleAxisd(angle, axis).toRotationMatrix(); }

void check_equal(const Vector3d& found, const Vector3d& expected, double size) {
  INFO(found.transpose() << " and " << expected.transpose());
  CHECK((found - expected).norm() <= 1e-7 * size);
}

}  // namespace

TEST_CASE("Euler's equations in the file's velocities move as a body on a spherical joint", "[velocities]") {
  Assembled by_hand(replaced(model("euler_top"), "start = 0, description = \"on the body",
                             "start = 0.3, description = \"on the body"));
  // At the start phi = 0, theta = atan2(I1 a, I3 c) = atan(1.5/4.4) and psi = pi/2, about z, x and z in turn.
  const Quaterniond start(turned(std::atan2(1.5, 4.4), Vector3d::UnitX()) * turned(M_PI / 2, Vector3d::UnitZ()));
  std::ostringstream text;
  text.precision(17);
  text << R"toml(
[mechanism]
name = "Body"
dimension = "spatial"
[inputs]
torque = { unit = "N.m", start = 0.3 }
[bodies.top]
mass = 1
inertia = [1.0, 1.6, 2.2]
[joints.O]
type = "spherical"
parent = "ground"
child = "top"
orientation = { start = { quaternion = [)toml"
       << start.w() << ", " << start.x() << ", " << start.y() << ", " << start.z() << R"toml(] }, fixed = true }
angular_velocity = { start = [1.5, 0, 2.0], fixed = true, frame = "child" }
[forces.hand]
type = "torque"
on = "top"
value = [0, 0, "torque"]
frame = "top"
)toml";
  Assembled of_bodies(text.str());
  by_hand.start();
  of_bodies.start();
  for (const double time : {0.0, 0.5, 2.0, 5.0}) {
    INFO("at " << time);
    if (time > 0) by_hand.advance(time), of_bodies.advance(time);
    const Matrix3d R = orientation(of_bodies, "O");
    const Vector3d omega(by_hand["omega_1"], by_hand["omega_2"], by_hand["omega_3"]);
    // Both are in the body's axes.
    check_equal(of_bodies.vector("top.angular_velocity"), omega, 3);
    const Matrix3d by_angles = turned(by_hand["phi"], Vector3d::UnitZ()) * turned(by_hand["theta"], Vector3d::UnitX()) *
                               turned(by_hand["psi"], Vector3d::UnitZ());
    CHECK((R - by_angles).norm() <= 1e-7);
  }
  CHECK(by_hand["omega_3"] > 2.2);  // The torque has changed the motion.
}

TEST_CASE("a disk that rolls in the file's velocities moves as a rolling joint moves it", "[velocities]") {
  // h is the heading, n to its left; b is the disk's axis, n leaning by theta about h, and u = h x b points from the
  // contact to the centre. With the angular velocity w_h h + w_b b + w_u u the disk's lowest point slips with
  // s_h h + s_n n, its centre moves with (s_h + r w_b) h + s_n n - r w_h b, and the contact (x, y) with
  // (s_h + r psi') h + s_n n.
  Assembled by_hand(R"toml(
[mechanism]
name = "Disk"
[parameters]
g = { value = 9.81, unit = "m/s2" }
m = { value = 1.0, unit = "kg" }
r = { value = 0.3, unit = "m" }
lean = { value = 20, unit = "deg" }
Omega = { value = 1.5, unit = "rad/s" }
A = { value = "m*r^2/4", unit = "kg.m2" }
C = { value = "m*r^2/2", unit = "kg.m2" }
spin = { value = "(m*g*r*sin(lean) - A*Omega^2*sin(lean)*cos(lean))/((C + m*r^2)*Omega*cos(lean))", unit = "rad/s" }
[inputs]
steering = { unit = "N.m", start = 0.05 }
[coordinates]
x = { unit = "m", start = 0, fixed = true }
y = { unit = "m", start = 0, fixed = true }
phi = { unit = "rad", start = 0, fixed = true }
theta = { unit = "rad", start = "-lean", fixed = true }
psi = { unit = "rad", start = 0, fixed = true }
[velocities]
w_h = { unit = "rad/s", start = 0, fixed = true }
w_b = { unit = "rad/s", start = "spin", fixed = true }
w_u = { unit = "rad/s", start = "Omega*cos(lean)", fixed = true }
s_h = { unit = "m/s" }
s_n = { unit = "m/s" }
[velocities.rate]
phi = "w_u/cos(theta)"
theta = "w_h"
psi = "w_b - w_u*tan(theta)"
x = "(s_h + r*(w_b - w_u*tan(theta)))*cos(phi) - s_n*sin(phi)"
y = "(s_h + r*(w_b - w_u*tan(theta)))*sin(phi) + s_n*cos(phi)"
[dynamics]
kinetic_energy = "m/2*((s_h + r*w_b)^2 + s_n^2 - 2*s_n*r*w_h*cos(theta) + r^2*w_h^2) + (A*(w_h^2 + w_u^2) + C*w_b^2)/2"
potential_energy = "m*g*r*cos(theta)"
[dynamics.forces]
w_b = "steering*sin(theta)"
w_u = "steering*cos(theta)"
[constraints.forward]
velocity = "s_h"
[constraints.sideways]
velocity = "s_n"
)toml");
  Assembled of_bodies(
      replaced(model("rolling_disk"), "start = 0, description = \"torque", "start = 0.05, description = \"torque"));
  by_hand.start();
  of_bodies.start();
  CHECK(by_hand.degrees_of_freedom() == 3);
  CHECK(of_bodies.degrees_of_freedom() == 3);
  for (const double time : {0.0, 0.3, 1.0, 2.0}) {
    INFO("at " << time);
    if (time > 0) by_hand.advance(time), of_bodies.advance(time);
    const double phi = by_hand["phi"], theta = by_hand["theta"];
    const Vector3d h(std::cos(phi), std::sin(phi), 0), n(-h.y(), h.x(), 0), up = Vector3d::UnitZ();
    const Vector3d b = std::cos(theta) * n + std::sin(theta) * up, u = h.cross(b);
    const double r = 0.3;
    const Vector3d contact(by_hand["x"], by_hand["y"], 0);
    check_equal(of_bodies.vector("disk.position"), contact + r * u, 5);
    const Matrix3d R = turned(phi, up) * turned(theta, Vector3d::UnitX()) * turned(by_hand["psi"], Vector3d::UnitY());
    CHECK((orientation(of_bodies, "contact") - R).norm() <= 1e-6);
    const Vector3d omega = by_hand["w_h"] * h + by_hand["w_b"] * b + by_hand["w_u"] * u;
    check_equal(R * of_bodies.vector("disk.angular_velocity"), omega, 15);
    // The multipliers are the friction along the slips.
    const Vector3d force = of_bodies.vector("contact.reaction.force");
    CHECK(force.dot(h) == Approx(by_hand["constraint.forward.multiplier"]).epsilon(1e-6).margin(1e-7));
    CHECK(force.dot(n) == Approx(by_hand["constraint.sideways.multiplier"]).epsilon(1e-6).margin(1e-7));
  }
  CHECK(std::fabs(by_hand["theta"] + 20 * M_PI / 180) > 0.01);  // It has left the steady circle.
}

}  // namespace mechfmu::testing
