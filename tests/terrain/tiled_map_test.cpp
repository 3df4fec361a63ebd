// SPDX-License-Identifier: MIT
// Is what Tiled has written read as it was meant, and is nothing else read?
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../examples/tiled/tiled_map.hpp"

#include "../support/random.hpp"

namespace tiled_map_test {

using namespace tiled;

namespace {

/// The sentence with which a call refuses what it is given; empty if it does not.
template <class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

std::vector<std::uint32_t> gids(const Chunk& chunk) {
    std::vector<std::uint32_t> gids;
    for (const Cell& cell : chunk.cells) gids.push_back(cell.gid);
    return gids;
}

using Gids = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("CSV is read from the top, -1 is empty, ids begin at 1") {
    const Layer layer = load_csv("-1,0,1\r\n5, 6 ,7\n\n");
    REQUIRE(layer.chunks.size() == 1);
    CHECK(layer.chunks[0].rect == TileRect{{0, 0}, {2, 1}});
    CHECK(gids(layer.chunks[0]) == Gids{6, 7, 8, 0, 1, 2});
    CHECK(gids(load_csv("3").chunks[0]) == Gids{4});
    const Layer flipped = load_csv("2147483649");
    CHECK(flipped.chunks[0].cells[0] == Cell{2, flip_x});
}

TEST_CASE("CSV that is none is refused by a sentence") {
    const auto refusal_of = [](std::string_view text) {
        return refusal([&] { static_cast<void>(load_csv(text)); });
    };
    CHECK(refusal_of("") == "tiled map: the text is empty, expected lines of numbers");
    CHECK(refusal_of("1,2\n3") == "tiled map: line 2 has 1 numbers, expected 2 as in line 1");
    CHECK(refusal_of("1,2\n3,lava") ==
          "tiled map: line 2, column 2 is \"lava\", expected a number from -1 to 4294967295");
    for (const char* bad : {"1,", ",", "1,,2", "-2", "4294967296", "1 2", "0x1", "1.5", "\n1", ";",
                            "99999999999999999999999", "1\n\n1"}) {
        CAPTURE(bad);
        CHECK(refusal_of(bad).size() > 20);
    }
}

TEST_CASE("a layer of a map is put into a grid") {
    TileGrid grid;
    place(load_csv("-1,4\n4,-1"), grid,
          [](const Cell& cell) { return static_cast<std::uint16_t>(cell.gid == 5 ? 1 : 0); });
    CHECK(grid.tile_count() == 2);
    CHECK(grid.at({0, 0}) == 1);
    CHECK(grid.at({1, 1}) == 1);
}

#if TILED_MAP_READS_JSON

namespace {

/// Three by two tiles of 16 x 8 pixels; gid 2147483650 is 2, flipped in x.
const std::string finite_map = R"({
 "type": "map", "orientation": "orthogonal", "infinite": false, "version": "1.10",
 "width": 3, "height": 2, "tilewidth": 16, "tileheight": 8,
 "properties": [{"name": "gravity", "type": "float", "value": -30},
                {"name": "theme", "type": "string", "value": "caf\u00e9"}],
 "layers": [
  {"type": "tilelayer", "name": "ground", "id": 1, "width": 3, "height": 2, "x": 0, "y": 0,
   "visible": false, "opacity": 1, "data": [0, 1, 2147483650, 3, 4, 0],
   "properties": [{"name": "solid", "type": "bool", "value": true}]},
  {"type": "imagelayer", "name": "sky", "image": "sky.png"},
  {"type": "group", "name": "things", "offsetx": 16, "layers": [
   {"type": "objectgroup", "name": "places", "offsety": -8, "objects": [
    {"id": 1, "name": "start", "type": "spawn", "point": true, "x": 8, "y": 16, "width": 0,
     "height": 0, "rotation": 0, "visible": true,
     "properties": [{"name": "lives", "type": "int", "value": 3}]},
    {"id": 2, "name": "door", "class": "exit", "x": 16, "y": 8, "width": 32, "height": 12},
    {"id": 3, "name": "box", "gid": 1073741825, "x": 0, "y": 16, "width": 16, "height": 8},
    {"id": 4, "name": "way", "x": 16, "y": 8, "polyline": [{"x": 0, "y": 0}, {"x": 8, "y": -4}]}
   ]}]}],
 "tilesets": [
  {"firstgid": 1, "name": "stones", "tilecount": 2, "tiles": [
   {"id": 1, "type": "ice", "properties": [{"name": "friction", "type": "float", "value": 0.5}]}]},
  {"firstgid": 3, "source": "more.tsj"}]
})";

const std::string infinite_map = R"({
 "type": "map", "orientation": "orthogonal", "infinite": true,
 "width": 0, "height": 0, "tilewidth": 16, "tileheight": 16, "tilesets": [],
 "layers": [{"type": "tilelayer", "name": "ground", "startx": -2, "starty": -2, "chunks": [
   {"x": -2, "y": -2, "width": 2, "height": 2, "data": [1, 2, 3, 4]},
   {"x": 0, "y": 0, "width": 2, "height": 1, "data": [5, 6]}]},
  {"type": "objectgroup", "name": "places", "objects": [
   {"id": 1, "point": true, "x": 8, "y": 8}]}]
})";

/// The finite map with one piece of its text replaced.
std::string finite_with(const std::string& piece, const std::string& other) {
    std::string text = finite_map;
    const std::size_t place = text.find(piece);
    REQUIRE(place != std::string::npos);
    return text.replace(place, piece.size(), other);
}

std::string refusal_of(const std::string& text) {
    return refusal([&] { static_cast<void>(load_json(text)); });
}

}  // namespace

TEST_CASE("a finite map lies on the origin, its last row lowest, flips beside the gids") {
    const TiledMap map = load_json(finite_map);
    CHECK(map.width == 3);
    CHECK(map.height == 2);
    CHECK(map.tile_width == 16.0);
    CHECK(map.tile_height == 8.0);
    CHECK(property_or(map.properties, "gravity", 0.0) == -30.0);
    CHECK(property_or(map.properties, "theme", std::string()) == "caf\xC3\xA9");
    REQUIRE(map.layers.size() == 1);
    const Layer& ground = *find_layer(map, "ground");
    CHECK_FALSE(ground.is_visible);
    CHECK(property_or(ground.properties, "solid", false));
    REQUIRE(ground.chunks.size() == 1);
    CHECK(ground.chunks[0].rect == TileRect{{0, 0}, {2, 1}});
    CHECK(gids(ground.chunks[0]) == Gids{3, 4, 0, 0, 1, 2});
    CHECK(ground.chunks[0].cells[5] == Cell{2, flip_x});
    CHECK(find_layer(map, "sky") == nullptr);
}

TEST_CASE("what is in a hidden group or layer is hidden") {
    const std::string group = R"({"type": "group", "visible": )";
    const std::string layers = R"(, "layers": [
        {"type": "tilelayer", "width": 0, "height": 0, "data": []},
        {"type": "objectgroup", "visible": false, "objects": [{"point": true, "x": 0, "y": 0}]},
        {"type": "objectgroup", "objects": [{"point": true, "x": 0, "y": 0},
                                            {"point": true, "x": 0, "y": 0, "visible": false}]}]})";
    for (const bool is_visible : {false, true}) {
        const std::string inner = group + (is_visible ? "true" : "false") + layers;
        const TiledMap map = load_json(R"({"width": 1, "height": 1, "tilewidth": 1, "tileheight": 1,
            "layers": [{"type": "group", "layers": [)" +
                                       inner + "]}]}");
        REQUIRE(map.layers.size() == 1);
        CHECK(map.layers[0].is_visible == is_visible);
        REQUIRE(map.objects.size() == 3);
        CHECK_FALSE(map.objects[0].is_visible);
        CHECK(map.objects[1].is_visible == is_visible);
        CHECK_FALSE(map.objects[2].is_visible);
    }
}

TEST_CASE("objects are in tiles, up is up, and groups and layers shift them") {
    const TiledMap map = load_json(finite_map);
    REQUIRE(map.objects.size() == 4);
    const Object& start = map.objects[0];
    CHECK(start.kind == ObjectKind::Point);
    CHECK(start.name == "start");
    CHECK(start.type == "spawn");
    CHECK(start.layer == "places");
    CHECK(start.box == AABB{{1.5f, 1.0f}, {1.5f, 1.0f}});
    CHECK(property_or(start.properties, "lives", std::int64_t{0}) == 3);
    const Object& door = map.objects[1];
    CHECK(door.kind == ObjectKind::Rectangle);
    CHECK(door.type == "exit");
    CHECK(door.box == AABB{{2.0f, 0.5f}, {4.0f, 2.0f}});
    const Object& box = map.objects[2];
    CHECK(box.kind == ObjectKind::Tile);
    CHECK(box.tile == Cell{1, flip_y});
    CHECK(box.box == AABB{{1.0f, 1.0f}, {2.0f, 2.0f}});
    const Object& way = map.objects[3];
    CHECK(way.kind == ObjectKind::Polyline);
    CHECK(way.points == std::vector<Vec2>{{2.0f, 2.0f}, {2.5f, 2.5f}});
}

TEST_CASE("tiles have the properties of their tileset, in the map or in a file of its own") {
    TiledMap map = load_json(finite_map);
    CHECK(tile_info(map, 2).type == "ice");
    CHECK(property_or(tile_info(map, 2).properties, "friction", 0.0) == 0.5);
    CHECK(tile_info(map, 1).properties.empty());
    CHECK(find_tileset(map, 0) == nullptr);
    REQUIRE(find_tileset(map, 4) == &map.tilesets[1]);
    CHECK(map.tilesets[1].source == "more.tsj");
    load_tileset_json(R"({"name": "more", "tiles": [{"id": 1, "class": "lava"}]})",
                      map.tilesets[1]);
    CHECK(tile_info(map, 4).type == "lava");
}

TEST_CASE("an infinite map keeps Tiled's origin, chunk by chunk") {
    const TiledMap map = load_json(infinite_map);
    CHECK(map.is_infinite);
    REQUIRE(map.layers.size() == 1);
    REQUIRE(map.layers[0].chunks.size() == 2);
    CHECK(map.layers[0].chunks[0].rect == TileRect{{-2, 0}, {-1, 1}});
    CHECK(gids(map.layers[0].chunks[0]) == Gids{3, 4, 1, 2});
    CHECK(map.layers[0].chunks[1].rect == TileRect{{0, -1}, {1, -1}});
    CHECK(map.objects[0].box.min == Vec2{0.5f, -0.5f});
}

TEST_CASE(
    "a bad map is refused by a sentence that says what, where, which value, what was expected") {
    CHECK(refusal_of(finite_with("0, 1, 2147483650", "0, \"x\", 2147483650")) ==
          "tiled map: layers[0].data[1] is \"x\", expected an integer from 0 to 4294967295");
    CHECK(refusal_of(finite_with("0, 1, 2147483650", "0, 4294967296, 2")) ==
          "tiled map: layers[0].data[1] is 4294967296, expected an integer from 0 to 4294967295");
    CHECK(refusal_of(finite_with("3, 4, 0]", "3, 4]")) ==
          "tiled map: layers[0].data has 5 numbers, expected width x height = 6");
    CHECK(refusal_of(finite_with("\"tilewidth\": 16, ", "")) == "tiled map: tilewidth is missing");
    CHECK(refusal_of(finite_with("\"tilewidth\": 16", "\"tilewidth\": 0")) ==
          "tiled map: tilewidth is 0, expected an integer from 1 to 65536");
    CHECK(refusal_of(finite_with("\"orthogonal\"", "\"isometric\"")) ==
          "tiled map: orientation is \"isometric\", expected \"orthogonal\"");
    CHECK(refusal_of(finite_with("[0, 1, 2147483650, 3, 4, 0]", "\"eJxjYGBg\"")) ==
          "tiled map: layers[0].data is \"eJxjYGBg\", expected an array of numbers: set Tile Layer "
          "Format to CSV in Map Properties");
    CHECK(refusal_of(finite_with("\"y\": 16, \"width\": 0", "\"y\": null, \"width\": 0")) ==
          "tiled map: layers[2].layers[0].objects[0].y is null, expected a number");
    CHECK(
        refusal_of(finite_with("\"id\": 2, ", "\"template\": \"door.tj\", ")) ==
        "tiled map: layers[2].layers[0].objects[1].template is \"door.tj\", expected none: detach "
        "templates when exporting");
    CHECK(refusal_of("[]") == "tiled map: the map is [], expected an object");
    CHECK(refusal_of("{\"a\" 1}") == "tiled map: byte 6 is not what JSON allows there");
}

TEST_CASE("a map cut off anywhere is refused") {
    const std::string whole = finite_map.substr(0, finite_map.rfind('}') + 1);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(refusal_of(whole.substr(0, length)).substr(0, 16) == "tiled map: byte ");
    }
    CHECK(refusal_of(whole).empty());
}

TEST_CASE("a map with changed bytes is read or refused by a sentence, and nothing else happens") {
    test::Random random;
    int refused = 0;
    for (int i = 0; i < test::many / 50; ++i) {
        std::string text = random.one_in(2) ? finite_map : infinite_map;
        for (int changes = random.integer(1, 3); changes > 0; --changes) {
            char& byte = text[random.bits() % text.size()];
            if (random.one_in(2)) {
                byte = static_cast<char>(byte ^ 1 << random.integer(0, 7));
            } else {
                byte = "0123456789-e.,[]{}\"nt"[random.integer(0, 20)];
            }
        }
        const std::string sentence = refusal_of(text);
        if (!sentence.empty()) ++refused;
        CHECK(sentence.size() < 400);
    }
    CHECK(refused > test::many / 100);
    const std::string deep(100'000, '[');
    CHECK(refusal_of(deep).find("too deep") != std::string::npos);
    CHECK(refusal_of("{\"layers\": " + deep).find("too deep") != std::string::npos);
}

#endif

}  // namespace tiled_map_test
