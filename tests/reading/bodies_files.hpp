// Has two right files of bodies, one in the plane and one in space, that use every key once.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "modelDescription/reading/read.hpp"

namespace bodies_files {

inline mechfmu::Description read(const std::string& text) {
  const mechfmu::ReadResult result = mechfmu::read_mechanism_text(text, "f.toml");
  for (const mechfmu::Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(result.description);
  return *result.description;
}

template <class Item>
const Item& named(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  INFO(name);
  REQUIRE(found != items.end());
  return *found;
}

inline const std::string planar = R"toml(
[mechanism]
name = "Press"
description = "a press"
dimension = "planar"
gravity = [0, -9.81]
coordinates = "absolute"
start = "equilibrium"

[parameters]
l = { value = 500, unit = "mm" }
m = { value = 2, unit = "kg" }
k = { value = 100, unit = "N/m" }
omega = { value = 3, unit = "rad/s" }
stroke = { value = 0.1, unit = "m" }
c = { value = 5, unit = "N.s/m" }
d = { value = 2, unit = "N.m.s/rad" }

[inputs]
u = { unit = "rad" }
du = { unit = "rad/s" }
ddu = { unit = "rad/s2" }
push = { unit = "N" }

[ground.points]
Q = { at = [1, "l"], rotation = "pi/2" }

[bodies.crank]
description = "turns"
mass = "m"
center_of_mass = ["l/2", 0]
inertia = "m*l^2/12"
rotation = 0.25
line = ["O", "B"]
[bodies.crank.points]
B = ["l", 0]

[bodies.rod]
mass = 1
points.C = [0.5, 0.25]
shape = { box = [1, 0.5, 0.2], at = [0.1, 0] }

[bodies.slider]
mass = 1

[bodies.wheel]
mass = 1
inertia = 1

[joints.A]
type = "revolute"
parent = "ground.Q"
child = "crank"
angle = { motion = "u", rate = "du", acceleration = "ddu", unit = "deg" }

[joints.B]
type = "revolute"
parent = "crank.B"
child = "rod"
angle = { start = 90, rate_start = 180, fixed = true, unit = "deg" }

[joints.C]
type = "revolute"
parent = "rod.C"
child = "slider"
cut = true

[joints.D]
type = "prismatic"
parent = "ground"
child = "slider"
axis = ["O", "Q"]
position = { start = "l/2" }

[joints.E]
type = "rolling"
parent = "ground"
child = "wheel"
axis = ["cos(0.1)", "sin(0.1)"]
radius = "l"
angle = { motion = "sin(omega*time)", filter = 0.01 }

[joints.F]
type = "distance"
parent = "slider"
child = "wheel"
length = { motion = "l + stroke*sin(omega*time)" }

[joints.G]
type = "distance"
parent = "ground.Q"
child = "rod.C"
length = "2*l"

[forces.motor]
type = "joint_force"
coordinate = "B.angle"
value = "-d*(der(B.angle) - omega*gap.angle) - k*cylinder.length*der(gap.distance)/omega"

[forces.cylinder]
type = "line_force"
from = "ground.Q"
to = "rod.C"
value = "k*(cylinder.length - l) + c*der(cylinder.length)"

[forces.wind]
type = "force"
at = "rod.C"
value = ["push", 0]
frame = "rod"

[forces.twist]
type = "torque"
on = "rod"
value = 3

[forces.spring]
type = "joint_spring_damper"
coordinate = "D.position"
stiffness = "k"
preload = 2

[forces.rubbing]
type = "friction"
coordinate = "B.angle"
coulomb = 0.1
radius = 0.02
stick_speed = 0.001

[couplings.pair]
type = "gear"
first = "B.angle"
second = "C.angle"
ratio = -2

[couplings.rack]
type = "rack"
first = "A.angle"
second = "D.position"
radius = "l"

[couplings.together]
type = "linear"
sum = { A.angle = "l", "D.position" = 1 }
constant = 0.5

[couplings.teeth]
type = "mesh"
first = "A"
second = "E"
radius_first = 0.1
radius_second = -0.3

[sensors.gap]
from = "crank.B"
to = "ground.Q"

[constraints.guide]
position = "gap.x - D.position"
[constraints.held]
velocity = "der(B.angle) - omega"
realised_by = { B.angle = 1 }

[definitions]
speed = "der(gap.distance)"

[outputs]
tip = { position = "rod.C", unit = "mm", frame = "crank" }
fall = { velocity = "rod.C", component = "y" }
turn = { angular_velocity = "rod", unit = "rpm" }
pin = { value = "sqrt(C.reaction.force.x^2 + C.reaction.force.y^2)", unit = "kN" }
rod_pull = "F.tension + cylinder.force + rubbing.normal_force + constraint.guide.multiplier"
moment = "A.angle.drive + motor.torque + coupling.pair.multiplier + constraint.held.multiplier"
rise = "speed + der(D.position) + tip.x*omega"
power = "cylinder.power + motor.power"
)toml";

inline const std::string spatial = R"toml(
[mechanism]
name = "Arm"
dimension = "spatial"

[parameters]
a = { value = 0.5, unit = "m" }
c = { value = 0.5, unit = "N.m.s" }

[bodies.frame]
mass = 1
inertia = [1, 1, 1]
points.P = { at = [0, 0, "a"], rotation = { rpy = [0, 0.5, 0] } }

[bodies.arm]
inertia = [0.2, 0.2, 0.3, 0.01, 0, 0]
rotation = { axis = [0, 0, 2], angle = "pi/3" }
points.Q = ["a", 0, 0]

[bodies.disk]
mass = 1
shape = { cylinder = [0.2, 0.05] }

[joints.base]
type = "free"
parent = "ground"
child = "frame"
x = { start = 2 }
orientation = { start = { quaternion = [2, 0, 0, 0] }, fixed = true }
angular_velocity = { start = [0, 0, 10], fixed = true, frame = "parent" }

[joints.hinge]
type = "universal"
parent = "frame.P"
child = "arm"
axes = [["O", "P"], [1, 0, 0]]

[joints.screw]
type = "screw"
parent = "arm.Q"
child = "disk"
axis = ["a", 0, "2*a"]
lead = 0.004

[joints.floor]
type = "rolling"
parent = "ground"
child = "disk"
axis = [0, 1, 0]
normal = [0, 0, 1]
radius = 0.2
side_slip = true

[forces.pull]
type = "force"
at = "arm.Q"
value = [1, 0, 0]

[forces.damper]
type = "torque"
on = "arm"
frame = "arm"
value = ["-c*base.angular_velocity.x", 0, 0]

[sensors.pose]
to = "arm.Q"
axes = "frame"

[constraints.spin]
velocity = "base.angular_velocity.z - 10"

[outputs]
tip = { acceleration = "arm.Q" }
attitude = { orientation = "arm" }
w = { orientation = "arm", component = "w" }
spin_up = "der(base.angular_velocity.z)"
lean = { value = "der(der(pose.roll))", unit = "deg/s2" }
)toml";

}  // namespace bodies_files
