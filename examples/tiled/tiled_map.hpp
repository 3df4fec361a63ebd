// SPDX-License-Identifier: MIT
// TiledMap: loads maps made with Tiled (mapeditor.org).
//
// load_json reads Tiled's .tmj files and .json exports (if nlohmann/json is installed), load_csv
// its .csv exports. y grows upwards here, while Tiled's rows count downwards. A finite map extends
// from (0, 0), its lower left corner, to (width, height); an infinite one keeps Tiled's origin, so
// that everything above Tiled's row 0 has y >= 0. Lengths are in tiles: pixels divided by the size
// of a tile. A bad map throws a std::runtime_error that says where, which value, and what was
// expected.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <phys2d/shapes/aabb.hpp>
#include <phys2d/terrain/tile_grid.hpp>

#if __has_include(<nlohmann/json.hpp>)
#define TILED_MAP_READS_JSON 1
#include <nlohmann/json.hpp>
#else
#define TILED_MAP_READS_JSON 0
#endif

namespace tiled {

using phys2d::AABB;
using phys2d::TileGrid;
using phys2d::TileRect;
using phys2d::Vec2;

/// Files, colours and enumerations are strings, ids of objects are integers, classes are JSON text.
using Property = std::variant<bool, std::int64_t, double, std::string>;
using Properties = std::map<std::string, Property>;

/// The value of a property, or `fallback` if there is none of that name and type.
template <class T>
[[nodiscard]] T property_or(const Properties& properties, const std::string& name, T fallback) {
    const auto found = properties.find(name);
    if (found == properties.end()) return fallback;
    const T* value = std::get_if<T>(&found->second);
    return value != nullptr ? *value : fallback;
}

/// How a tile is turned, as bits; Tiled turns diagonally (swaps x and y) first.
enum Flip : std::uint8_t { flip_x = 8, flip_y = 4, flip_diagonally = 2, flip_hexagonal = 1 };

/// One tile of a layer: 0 is empty, others are found by `find_tileset`.
struct Cell {
    std::uint32_t gid = 0;
    std::uint8_t flips = 0;  ///< bits of Flip

    friend bool operator==(const Cell& a, const Cell& b) = default;
};

/// The cells of a rectangle: row by row from below, each from left to right.
struct Chunk {
    TileRect rect;
    std::vector<Cell> cells;
};

struct Layer {
    std::string name;
    bool is_visible = true;     ///< and so are the groups that it is in
    Vec2 offset;                ///< by which Tiled shows it shifted; the rectangles below are not
    std::vector<Chunk> chunks;  ///< one if the map is finite
    Properties properties;
};

enum class ObjectKind { Rectangle, Point, Ellipse, Polygon, Polyline, Tile, Text };

struct Object {
    std::int64_t id = 0;
    std::string name;
    std::string type;   ///< what Tiled calls type or class
    std::string layer;  ///< the name of its layer
    ObjectKind kind = ObjectKind::Rectangle;
    /// Before it is turned; min == max for points, polygons and polylines. Tiles have their position
    /// at their lower left corner: the alignments of tilesets are not read.
    AABB box;
    std::vector<Vec2> points;  ///< of a polygon or polyline, in the plane of the map
    double rotation = 0.0;  ///< clockwise [degrees], about the corner that Tiled calls its position
    Cell tile;              ///< of an object that shows a tile
    bool is_visible = true;  ///< and so are its layer and the groups that it is in
    Properties properties;
};

/// What a tileset says about one of its tiles.
struct TileInfo {
    std::string type;
    Properties properties;
};

struct Tileset {
    std::uint32_t first_gid = 1;
    std::string name;
    std::string source;  ///< the file that it is in, if not in the map: see `load_tileset_json`
    std::map<std::uint32_t, TileInfo>
        tiles;  ///< by gid - first_gid; only those with something to say
    Properties properties;
};

struct TiledMap {
    bool is_infinite = false;
    std::int32_t width = 0;  ///< [tiles]
    std::int32_t height = 0;
    double tile_width = 0.0;  ///< [pixels]
    double tile_height = 0.0;
    std::vector<Layer> layers;  ///< of tiles; those in groups come where their group is
    std::vector<Object> objects;
    std::vector<Tileset> tilesets;
    Properties properties;
};

/// The layer of a name, or null.
[[nodiscard]] inline const Layer* find_layer(const TiledMap& map, std::string_view name) {
    for (const Layer& layer : map.layers) {
        if (layer.name == name) return &layer;
    }
    return nullptr;
}

/// The tileset that a tile is from, or null.
[[nodiscard]] inline const Tileset* find_tileset(const TiledMap& map, std::uint32_t gid) {
    const Tileset* found = nullptr;
    for (const Tileset& tileset : map.tilesets) {
        if (tileset.first_gid > gid) continue;
        if (found == nullptr || tileset.first_gid > found->first_gid) found = &tileset;
    }
    return found;
}

/// What its tileset says about a tile; nothing if it says nothing.
[[nodiscard]] inline TileInfo tile_info(const TiledMap& map, std::uint32_t gid) {
    const Tileset* tileset = find_tileset(map, gid);
    if (tileset == nullptr) return {};
    const auto found = tileset->tiles.find(gid - tileset->first_gid);
    return found != tileset->tiles.end() ? found->second : TileInfo{};
}

/// Puts the tiles of a layer into a grid, with the ids that id_of(Cell) returns; called for empty
/// cells too.
template <class IdOf>
void place(const Layer& layer, TileGrid& grid, IdOf id_of) {
    for (const Chunk& chunk : layer.chunks) {
        std::vector<std::uint16_t> ids;
        ids.reserve(chunk.cells.size());
        for (const Cell& cell : chunk.cells) ids.push_back(id_of(cell));
        grid.load(chunk.rect, ids);
    }
}

namespace detail {

[[noreturn]] inline void refuse(const std::string& sentence) {
    throw std::runtime_error("tiled map: " + sentence);
}

/// Splits off what Tiled puts into the uppermost bits.
[[nodiscard]] inline Cell cell_from(std::uint32_t bits) {
    return {bits & 0x0FFFFFFFu, static_cast<std::uint8_t>(bits >> 28)};
}

/// What stands before the next `separator`, which is taken away with it.
[[nodiscard]] inline std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// A cell of a CSV export: -1 is empty, others are ids within a tileset.
[[nodiscard]] inline Cell csv_cell(std::string_view text, std::size_t row, std::size_t column) {
    constexpr std::int64_t largest = 0xFFFFFFFF;
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end || value < -1 || value > largest) {
        refuse("line " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) +
               " is \"" + std::string(text.substr(0, 40)) + "\", expected a number from -1 to " +
               std::to_string(largest));
    }
    if (value == -1) return {};
    Cell cell = cell_from(static_cast<std::uint32_t>(value));
    ++cell.gid;
    return cell;
}

[[nodiscard]] inline std::vector<Cell> csv_row(std::string_view line, std::size_t row) {
    std::vector<Cell> cells;
    for (bool is_last = false; !is_last;) {
        is_last = line.find(',') == std::string_view::npos;
        cells.push_back(csv_cell(trimmed(take_until(line, ',')), row, cells.size()));
    }
    return cells;
}

}  // namespace detail

/// A layer that Tiled has exported as CSV: lines with equally many numbers, from the top. -1 is
/// empty; other numbers count the tiles of a tileset from 0, and become gids from 1 on. Its lower
/// left cell is (0, 0).
[[nodiscard]] inline Layer load_csv(std::string_view text) {
    std::vector<std::vector<Cell>> rows;
    while (!text.empty()) {
        const std::string_view line = detail::trimmed(detail::take_until(text, '\n'));
        if (line.empty() && detail::trimmed(text).empty()) break;
        rows.push_back(detail::csv_row(line, rows.size()));
        if (rows.back().size() != rows.front().size()) {
            detail::refuse("line " + std::to_string(rows.size()) + " has " +
                           std::to_string(rows.back().size()) + " numbers, expected " +
                           std::to_string(rows.front().size()) + " as in line 1");
        }
    }
    if (rows.empty()) detail::refuse("the text is empty, expected lines of numbers");
    Chunk chunk{{{0, 0}, {}}, {}};
    chunk.rect.max.x = static_cast<std::int32_t>(rows.front().size()) - 1;
    chunk.rect.max.y = static_cast<std::int32_t>(rows.size()) - 1;
    for (std::size_t row = rows.size(); row-- > 0;) {
        chunk.cells.insert(chunk.cells.end(), rows[row].begin(), rows[row].end());
    }
    return {"csv", true, {}, {chunk}, {}};
}

#if TILED_MAP_READS_JSON

namespace detail {

using Json = nlohmann::json;

/// A value and where it stands, for the sentence in which it may be refused.
struct Place {
    const Json& value;
    std::string path;

    [[noreturn]] void refuse_for(const std::string& expected) const {
        std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
        if (text.size() > 40) text = text.substr(0, 40) + "...";
        refuse(path + " is " + text + ", expected " + expected);
    }

    [[nodiscard]] bool has(const char* name) const { return value.contains(name); }
    [[nodiscard]] Place operator[](const char* name) const {
        if (!value.is_object()) refuse_for("an object");
        const std::string where = path == "the map" ? name : path + "." + name;
        const auto found = value.find(name);
        if (found == value.end()) refuse(where + " is missing");
        return {*found, where};
    }
    [[nodiscard]] Place element(std::size_t i) const {
        return {value[i], path + "[" + std::to_string(i) + "]"};
    }

    [[nodiscard]] const std::string& text() const {
        if (!value.is_string()) refuse_for("a string");
        return value.get_ref<const std::string&>();
    }
    [[nodiscard]] bool flag() const {
        if (!value.is_boolean()) refuse_for("true or false");
        return value.get<bool>();
    }
    /// Within ±1e9, so that no sum or difference of two is lost.
    [[nodiscard]] double number() const {
        constexpr double largest = 1e9;
        if (!value.is_number()) refuse_for("a number");
        const double x = value.get<double>();
        if (!(x >= -largest && x <= largest)) refuse_for("a number from -1e9 to 1e9");
        return x;
    }
    [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const {
        const bool is_large = value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0;
        const bool is_integer = value.is_number_integer() && !is_large;
        if (!is_integer || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
            refuse_for("an integer from " + std::to_string(low) + " to " + std::to_string(high));
        }
        return value.get<std::int64_t>();
    }
    [[nodiscard]] std::int32_t int32(std::int32_t low, std::int32_t high) const {
        return static_cast<std::int32_t>(integer(low, high));
    }
    [[nodiscard]] std::uint32_t uint32(std::uint32_t low = 0) const {
        return static_cast<std::uint32_t>(integer(low, 0xFFFFFFFF));
    }

    /// What a member that may be missing is then.
    [[nodiscard]] std::string text_or(const char* name, const char* fallback) const {
        return has(name) ? (*this)[name].text() : fallback;
    }
    [[nodiscard]] bool flag_or(const char* name, bool fallback) const {
        return has(name) ? (*this)[name].flag() : fallback;
    }
    [[nodiscard]] double number_or(const char* name, double fallback) const {
        return has(name) ? (*this)[name].number() : fallback;
    }
    [[nodiscard]] std::string type() const { return text_or(has("class") ? "class" : "type", ""); }

    /// Calls visit(Place) for each element of an array.
    template <class Visit>
    void for_each(Visit visit) const {
        if (!value.is_array()) refuse_for("an array");
        for (std::size_t i = 0; i < value.size(); ++i) visit(element(i));
    }
};

[[nodiscard]] inline Property property_from(const Place& place) {
    const Json& value = place.value;
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) {
        constexpr std::int64_t exact = std::int64_t{1} << 53;
        return place.integer(-exact, exact);
    }
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

[[nodiscard]] inline Properties properties_of(const Place& owner) {
    Properties properties;
    if (!owner.has("properties")) return properties;
    owner["properties"].for_each([&](const Place& property) {
        Property value = property_from(property["value"]);
        const bool is_float = property.text_or("type", "string") == "float";
        if (is_float && std::holds_alternative<std::int64_t>(value)) {
            value = static_cast<double>(std::get<std::int64_t>(value));
        }
        properties[property["name"].text()] = value;
    });
    return properties;
}

inline void read_tiles(const Place& place, Tileset& tileset) {
    if (place.has("tiles")) {
        place["tiles"].for_each([&](const Place& tile) {
            tileset.tiles[tile["id"].uint32()] = {tile.type(), properties_of(tile)};
        });
    }
    tileset.name = place.text_or("name", "");
    tileset.properties = properties_of(place);
}

[[nodiscard]] inline Tileset tileset_from(const Place& place) {
    Tileset tileset;
    tileset.first_gid = place["firstgid"].uint32(1);
    tileset.source = place.text_or("source", "");
    if (tileset.source.empty()) read_tiles(place, tileset);
    return tileset;
}

/// Reads what a map holds, layer by layer.
class MapReader {
public:
    explicit MapReader(const Place& place) {
        if (!place.value.is_object()) place.refuse_for("an object");
        if (place.text_or("type", "map") != "map") place["type"].refuse_for("\"map\"");
        if (place.text_or("orientation", "orthogonal") != "orthogonal") {
            place["orientation"].refuse_for("\"orthogonal\"");
        }
        map.is_infinite = place.flag_or("infinite", false);
        map.width = place["width"].int32(0, farthest);
        map.height = place["height"].int32(0, farthest);
        map.tile_width = tile_size(place["tilewidth"]);
        map.tile_height = tile_size(place["tileheight"]);
        map.properties = properties_of(place);
        if (place.has("tilesets")) {
            place["tilesets"].for_each(
                [&](const Place& tileset) { map.tilesets.push_back(tileset_from(tileset)); });
        }
        read_layers(place["layers"], {});
    }

    TiledMap map;

private:
    static constexpr std::int32_t farthest = 1 << 24;  // such numbers of tiles are exact as floats
    static constexpr int deepest = 64;                 // groups within groups

    struct Offset {
        double x = 0.0, y = 0.0;  // [pixels], y down
    };
    /// What layers hand on to what is in them.
    struct Group {
        Offset offset{};
        bool is_visible = true;
        int depth = 0;
    };

    [[nodiscard]] static double tile_size(const Place& place) {
        return static_cast<double>(place.integer(1, 65'536));
    }
    /// Where Tiled's y of 0 is.
    [[nodiscard]] std::int32_t top() const { return map.is_infinite ? 0 : map.height; }

    void read_layers(const Place& layers, const Group& group) {
        if (group.depth > deepest) {
            refuse(layers.path + " is too deep, expected at most 64 groups");
        }
        layers.for_each([&](const Place& layer) {
            const Group inner{{group.offset.x + layer.number_or("offsetx", 0.0),
                               group.offset.y + layer.number_or("offsety", 0.0)},
                              layer.flag_or("visible", true) && group.is_visible,
                              group.depth + 1};
            const std::string& type = layer["type"].text();
            if (type == "tilelayer") read_tile_layer(layer, inner);
            if (type == "objectgroup") read_objects(layer, inner);
            if (type == "group") read_layers(layer["layers"], inner);
        });
    }

    void read_tile_layer(const Place& place, const Group& group) {
        Layer layer{
            place.text_or("name", ""),
            group.is_visible,
            {in_tiles(group.offset.x, map.tile_width), in_tiles(-group.offset.y, map.tile_height)},
            {},
            properties_of(place)};
        if (place.has("chunks")) {
            place["chunks"].for_each([&](const Place& chunk) { add_chunk(chunk, layer); });
        } else {
            add_chunk(place, layer);
        }
        map.layers.push_back(std::move(layer));
    }

    /// The cells of a chunk or of a whole layer, which have the same members.
    void add_chunk(const Place& place, Layer& layer) const {
        const std::int32_t width = place["width"].int32(0, farthest);
        const std::int32_t height = place["height"].int32(0, farthest);
        const std::int32_t x = place.has("x") ? place["x"].int32(-farthest, farthest) : 0;
        const std::int32_t y = place.has("y") ? place["y"].int32(-farthest, farthest) : 0;
        const Place data = place["data"];
        require_numbers(data, std::int64_t{width} * height);
        if (width == 0 || height == 0) return;
        const std::int32_t bottom = top() - y - height;
        layer.chunks.push_back({{{x, bottom}, {x + width - 1, bottom + height - 1}},
                                cells_from_below(data, static_cast<std::size_t>(width))});
    }
    static void require_numbers(const Place& data, std::int64_t count) {
        if (data.value.is_string()) {
            data.refuse_for("an array of numbers: set Tile Layer Format to CSV in Map Properties");
        }
        if (!data.value.is_array()) data.refuse_for("an array of numbers");
        if (data.value.size() == static_cast<std::size_t>(count)) return;
        refuse(data.path + " has " + std::to_string(data.value.size()) +
               " numbers, expected width x height = " + std::to_string(count));
    }
    [[nodiscard]] static std::vector<Cell> cells_from_below(const Place& data, std::size_t width) {
        std::vector<Cell> cells;
        cells.reserve(data.value.size());
        for (std::size_t row = data.value.size(); row > 0; row -= width) {
            for (std::size_t i = row - width; i < row; ++i) {
                const Json& value = data.value[i];
                const bool fits =
                    value.is_number_unsigned() && value.get<std::uint64_t>() >> 32 == 0;
                cells.push_back(cell_from(fits ? value.get<std::uint32_t>()  //
                                               : data.element(i).uint32()));
            }
        }
        return cells;
    }

    void read_objects(const Place& layer, const Group& group) {
        const std::string name = layer.text_or("name", "");
        layer["objects"].for_each([&](const Place& place) {
            if (place.has("template")) {
                place["template"].refuse_for("none: detach templates when exporting");
            }
            Object object;
            object.id = place.has("id") ? place["id"].integer(0, INT64_MAX) : 0;
            object.name = place.text_or("name", "");
            object.type = place.type();
            object.layer = name;
            object.rotation = place.number_or("rotation", 0.0);
            object.is_visible = place.flag_or("visible", true) && group.is_visible;
            object.properties = properties_of(place);
            read_shape(place, group.offset, object);
            map.objects.push_back(std::move(object));
        });
    }

    void read_shape(const Place& place, Offset offset, Object& object) const {
        const Offset at{offset.x + place["x"].number(), offset.y + place["y"].number()};
        object.kind = kind_of(place);
        object.box = {position(at), position(at)};
        if (object.kind == ObjectKind::Point) return;
        if (object.kind == ObjectKind::Polygon || object.kind == ObjectKind::Polyline) {
            const bool is_closed = object.kind == ObjectKind::Polygon;
            place[is_closed ? "polygon" : "polyline"].for_each([&](const Place& point) {
                const Offset corner{at.x + point["x"].number(), at.y + point["y"].number()};
                object.points.push_back(position(corner));
            });
            return;
        }
        const double width = size(place, "width"), height = size(place, "height");
        const bool stands =
            object.kind == ObjectKind::Tile;  // on its position; others hang from it
        if (stands) object.tile = cell_from(place["gid"].uint32());
        object.box = {position({at.x, at.y + (stands ? 0.0 : height)}),
                      position({at.x + width, at.y - (stands ? height : 0.0)})};
    }
    [[nodiscard]] static ObjectKind kind_of(const Place& place) {
        if (place.flag_or("point", false)) return ObjectKind::Point;
        if (place.flag_or("ellipse", false)) return ObjectKind::Ellipse;
        if (place.has("polygon")) return ObjectKind::Polygon;
        if (place.has("polyline")) return ObjectKind::Polyline;
        if (place.has("gid")) return ObjectKind::Tile;
        return place.has("text") ? ObjectKind::Text : ObjectKind::Rectangle;
    }
    [[nodiscard]] static double size(const Place& place, const char* name) {
        const double size = place.number_or(name, 0.0);
        if (size < 0.0) place[name].refuse_for("a number >= 0");
        return size;
    }
    /// Of Tiled's pixels.
    [[nodiscard]] Vec2 position(Offset pixels) const {
        return {in_tiles(pixels.x, map.tile_width),
                in_tiles(top() * map.tile_height - pixels.y, map.tile_height)};
    }
    [[nodiscard]] static float in_tiles(double pixels, double size) {
        return static_cast<float>(pixels / size);
    }
};

[[nodiscard]] inline Json parsed(std::string_view text) {
    constexpr int deepest = 500;  // what is nested is printed by recursion
    const auto limit = [](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest)
            refuse("the text is too deep, expected at most 500 brackets in each other");
        return true;
    };
    try {
        return Json::parse(text.begin(), text.end(), limit);
    } catch (const Json::parse_error& error) {
        refuse("byte " + std::to_string(error.byte) + " is not what JSON allows there");
    } catch (const Json::exception& error) {
        refuse(std::string("the text is no JSON: ") + error.what());
    }
}

}  // namespace detail

/// A map that Tiled has saved as .tmj or exported as .json: orthogonal, with its layers as CSV
/// (plain numbers). Image layers are left out.
[[nodiscard]] inline TiledMap load_json(std::string_view text) {
    const detail::Json json = detail::parsed(text);
    return detail::MapReader({json, "the map"}).map;
}

/// Adds to a tileset what is in its file (.tsj, or exported as .json), whose name is its `source`.
inline void load_tileset_json(std::string_view text, Tileset& tileset) {
    const detail::Json json = detail::parsed(text);
    detail::Place place{json, "the tileset"};
    if (!json.is_object()) place.refuse_for("an object");
    Tileset read = tileset;
    detail::read_tiles(place, read);
    tileset = std::move(read);
}

#endif

}  // namespace tiled
