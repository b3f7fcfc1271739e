// Tests the command line, and how a mechanism is found.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

#include "tool/model_files.hpp"
#include "tool/options.hpp"

using namespace mechfmu;

TEST_CASE("options are understood in any order, with = or without") {
  const Options options = parse_options({"--fmi", "3", "four_bar", "--output=some where", "--run"});
  CHECK(options.model == "four_bar");
  CHECK_FALSE(options.fmi2);
  CHECK(options.fmi3);
  CHECK(options.output == "some where");
  CHECK(options.run);
  CHECK_FALSE(options.verbose);

  const Options defaults = parse_options({"four_bar"});
  CHECK((defaults.fmi2 && defaults.fmi3));
  CHECK(defaults.output == "fmus");
  CHECK(parse_options({}).help);
}

TEST_CASE("the host's platform is always among those asked for, each is once") {
  const auto names = [](const std::vector<std::string>& arguments) {
    std::vector<std::string> result;
    for (const Platform* platform : parse_options(arguments).platforms) result.push_back(platform->name);
    return result;
  };
  const std::string host = host_platform().name;
  CHECK(names({"a"}) == std::vector<std::string>{host});
  CHECK(names({"a", "--platform", "win64,win64," + host}) == std::vector<std::string>{host, "win64"});
  CHECK_THROWS_WITH(parse_options({"a", "--platform", "win64,macos"}),
                    Catch::Matchers::Contains("unknown platform 'macos'"));
  CHECK(parse_options({"a"}).sources);
  CHECK_FALSE(parse_options({"a", "--no-sources"}).sources);
  CHECK(parse_options({"a", "--arrays"}).arrays);
}

TEST_CASE("every platform is told by help, built by its script and run by its tests") {
  const auto text_of = [](const std::string& name) {
    std::ifstream file(std::string(MECHFMU_SOURCE_DIR) + "/" + name);
    REQUIRE(file);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string script = text_of("scripts/build_platform.sh"), tests = text_of("tests/platforms/test_platforms.py");
  for (const std::string& name : platform_names()) {
    INFO("platform " << name << ": tell it in the help of --platform (exporter/options.cpp)");
    CHECK(help_text().find(name) != std::string::npos);
    INFO("platform " << name << ": say in scripts/build_platform.sh which compiler makes it");
    CHECK(script.find("\n  " + name + ") ") != std::string::npos);
    INFO("platform " << name << ": say in PLATFORMS of tests/platforms/test_platforms.py how its programs run");
    CHECK(tests.find("\n    \"" + name + "\": (") != std::string::npos);
  }
}

TEST_CASE("parameters are set in the order given") {
  const Options options = parse_options({"four_bar", "--set", "N=40", "--set=m=2*rho == 1", "--set", "k=-1"});
  REQUIRE(options.settings.size() == 3);
  CHECK(options.settings[0].name == "N");
  CHECK(options.settings[0].value == "40");
  CHECK(options.settings[1].name == "m");
  CHECK(options.settings[1].value == "2*rho == 1");
  CHECK(options.settings[2].value == "-1");
}

TEST_CASE("what is not understood is said") {
  CHECK_THROWS_WITH(parse_options({"--verbos", "a"}), "unknown option '--verbos'; did you mean '--verbose'?");
  CHECK_THROWS_WITH(parse_options({"a", "--fmi", "1"}), "--fmi takes 2 or 3, not '1'");
  CHECK_THROWS_WITH(parse_options({"a", "--fmi"}), "--fmi needs 2|3");
  CHECK_THROWS_WITH(parse_options({"a", "--run=yes"}), "--run takes no value");
  CHECK_THROWS_WITH(parse_options({"a", "b"}), "one mechanism at a time: 'a' or 'b'");
  for (const char* setting : {"N", "N=", "=40"})
    CHECK_THROWS_WITH(parse_options({"a", "--set", setting}),
                      "--set takes NAME=VALUE, such as --set N=40, not '" + std::string(setting) + "'");
  CHECK_THROWS_WITH(parse_options({"a", "--set"}), "--set needs NAME=VALUE");
  CHECK_THROWS_AS(parse_options({"--check"}), UsageError);
}

TEST_CASE("mechanisms are found by name, folder and file") {
  const std::filesystem::path models = MECHFMU_SOURCE_DIR "/models";
  const auto by_name = find_model("guided_pendulum", models);
  CHECK(std::filesystem::equivalent(by_name, models / "guided_pendulum" / "mechanism.toml"));
  CHECK(find_model((models / "guided_pendulum").string(), models) == models / "guided_pendulum" / "mechanism.toml");
  CHECK(std::filesystem::equivalent(find_model(by_name.string(), models), by_name));
  CHECK_THROWS_WITH(find_model("guided_pendulm", models), Catch::Matchers::Contains("did you mean 'guided_pendulum'?"));
  CHECK_THROWS_WITH(find_model((models / "..").string(), models), Catch::Matchers::Contains("has no mechanism.toml"));
}
