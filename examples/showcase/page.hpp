// SPDX-License-Identifier: MIT
// page: writes the page that plays the runs back: player.html with the recordings in it. The JSON
// is written by hand: it consists of numbers, base64 and a few captions from this folder, none of
// which needs escaping.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "acts.hpp"
#include "base64.hpp"
#include "figures.hpp"
#include "motion.hpp"
#include "recorder.hpp"

namespace showcase {

/// Half extents, radius and kind (0 dynamic, 1 kinematic, 2 static) of each body, as float bytes.
inline std::vector<std::uint8_t> shape_bytes(const Recorder& recorder) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < recorder.body_count(); ++i) {
        const phys2d::Shape& shape = recorder.shapes()[i];
        const int kind =
            static_cast<int>(phys2d::BodyType::Dynamic) - static_cast<int>(recorder.types()[i]);
        numbers.insert(numbers.end(), {shape.half_extents.x, shape.half_extents.y, shape.radius,
                                       static_cast<float>(kind)});
    }
    std::vector<std::uint8_t> bytes(numbers.size() * sizeof(float));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

inline std::string json(phys2d::Vec2 v) {
    return '[' + std::to_string(v.x) + ',' + std::to_string(v.y) + ']';
}

inline std::string json(const std::vector<Kick>& kicks) {
    std::ostringstream out;
    for (const Kick& kick : kicks) {
        out << (out.tellp() > 0 ? "," : "") << "{\"frame\":" << kick.frame
            << ",\"body\":" << kick.body << ",\"x\":" << kick.impulse.x
            << ",\"y\":" << kick.impulse.y << '}';
    }
    return '[' + out.str() + ']';
}

inline std::string json(const Figures& figures) {
    std::ostringstream out;
    out << "\"bodies\":" << figures.bodies << ",\"contacts\":" << figures.contacts
        << ",\"ms_step\":" << figures.median_ms << ",\"ms_worst\":" << figures.worst_ms
        << ",\"hash\":\"" << hexadecimal(figures.hash) << '"';
    return out.str();
}

/// One scene of the recording.
inline std::string json(const Act& act, const Recorder& recorder, const Figures& figures) {
    const float step = size(act.view).y / 6000.0f;  // a small part of a pixel
    const PackedMotion motion = pack_motion(recorder.positions(), recorder.body_count(), step);
    std::ostringstream out;
    out << "{\"name\":\"" << act.scene.name << "\",\"caption\":\"" << act.caption
        << "\",\"steps_per_second\":60,\"frame_step\":" << recorder.steps_per_frame()
        << ",\"view\":[" << act.view.min.x << ',' << act.view.min.y << ',' << act.view.max.x << ','
        << act.view.max.y << "]," << json(figures) << ",\"kicks\":" << json(recorder.kicks())
        << ",\"shapes\":\"" << base64(shape_bytes(recorder))
        << "\",\"frame_count\":" << recorder.frame_count() << ",\"scale\":" << json(motion.scale)
        << ",\"offset\":" << json(motion.offset) << ",\"motion\":\"" << base64(motion.bytes)
        << "\"}";
    return out.str();
}

/// `player` with the scenes in the place that it keeps for them.
inline std::string fill_page(std::string_view player, const std::vector<std::string>& scenes) {
    constexpr std::string_view place = "/*PHYS2D_RECORDING*/";
    std::string recording =
        "{\"title\":\"phys2d showcase\",\"version\":\"" PHYS2D_VERSION_STRING "\",\"scenes\":[";
    for (std::size_t i = 0; i < scenes.size(); ++i) recording += (i > 0 ? ",\n" : "\n") + scenes[i];
    recording += "]}";
    std::string page(player);
    return page.replace(page.find(place), place.size(), recording);
}

/// Returns whether the whole of it has been written.
inline bool write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    return file.good();
}

}  // namespace showcase
