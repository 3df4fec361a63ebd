// SPDX-License-Identifier: MIT
// SvgSink: draws a world as an SVG picture, which any browser shows.
#pragma once

#include <cstdio>
#include <string>

#include <phys2d/world/debug_draw.hpp>

namespace svg {

/// A sink of phys2d::debug_draw. Lengths are metres, so the picture can be measured.
class SvgSink {
public:
    /// The part of the world to show, and how wide the picture is [px].
    explicit SvgSink(const phys2d::AABB& view, float width = 960.0f) : view_(view) {
        const phys2d::Vec2 size = view.max - view.min;
        metre_ = width / size.x;
        add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g">)"
            "\n",
            width, size.y * metre_, width, size.y * metre_);
        picture_ += R"(<rect width="100%" height="100%" fill="#10121c"/>)"
                    "\n";
    }

    void shape(const phys2d::Shape& shape, phys2d::DebugRole role) {
        const phys2d::AABB box = bounds(shape);
        add(R"(<rect x="%g" y="%g" width="%g" height="%g" rx="%g" %s/>)"
            "\n",
            x(box.min), y(box.max), (box.max.x - box.min.x) * metre_,
            (box.max.y - box.min.y) * metre_, shape.radius * metre_, style(role));
    }
    void segment(phys2d::Vec2 from, phys2d::Vec2 to, phys2d::DebugRole role) {
        add(R"(<line x1="%g" y1="%g" x2="%g" y2="%g" %s/>)"
            "\n",
            x(from), y(from), x(to), y(to), style(role));
    }
    void point(phys2d::Vec2 point, phys2d::DebugRole role) {
        add(R"(<circle cx="%g" cy="%g" r="2" %s/>)"
            "\n",
            x(point), y(point), style(role));
    }
    /// `text` must not contain < or &.
    void text(phys2d::Vec2 point, const char* text, phys2d::DebugRole role) {
        add(R"(<text x="%g" y="%g" font-size="11" text-anchor="middle" font-family="sans-serif" %s>)",
            x(point), y(point) + 4.0f, style(role));
        picture_ += text;
        picture_ += "</text>\n";
    }

    [[nodiscard]] std::string picture() const { return picture_ + "</svg>\n"; }

    /// Returns whether it could be written.
    [[nodiscard]] bool save(const char* file) const {
        std::FILE* out = std::fopen(file, "w");
        if (out == nullptr) return false;
        const std::string whole = picture();
        const bool is_written = std::fwrite(whole.data(), 1, whole.size(), out) == whole.size();
        return std::fclose(out) == 0 && is_written;
    }

private:
    [[nodiscard]] float x(phys2d::Vec2 point) const { return (point.x - view_.min.x) * metre_; }
    [[nodiscard]] float y(phys2d::Vec2 point) const { return (view_.max.y - point.y) * metre_; }

    template <class... Values>
    void add(const char* format, Values... values) {
        char text[512];
        std::snprintf(text, sizeof text, format, values...);
        picture_ += text;
    }

    [[nodiscard]] static const char* style(phys2d::DebugRole role) {
        switch (role) {
            case phys2d::DebugRole::Static: return R"(fill="#464c66" stroke="#7880a0")";
            case phys2d::DebugRole::Kinematic: return R"(fill="#6a4f8c" stroke="#b490e0")";
            case phys2d::DebugRole::Dynamic: return R"(fill="#2c5f8a" stroke="#74b8f0")";
            case phys2d::DebugRole::Asleep: return R"(fill="#2f3a46" stroke="#5f7388")";
            case phys2d::DebugRole::Sensor:
                return R"(fill="#6ed28222" stroke="#6ed282" stroke-dasharray="4 3")";
            case phys2d::DebugRole::Bounds: return R"(fill="none" stroke="#e9c858")";
            case phys2d::DebugRole::Range:
                return R"(fill="none" stroke="#e9c85866" stroke-dasharray="2 3")";
            case phys2d::DebugRole::Contact: return R"(fill="#ff8f6b")";
            case phys2d::DebugRole::Normal: return R"(stroke="#ff8f6b")";
            case phys2d::DebugRole::Impulse: return R"(stroke="#ff4f7b" stroke-width="2")";
            case phys2d::DebugRole::Velocity: return R"(stroke="#f4f7ff")";
            case phys2d::DebugRole::Island: return R"(stroke="#7ad0b0")";
            case phys2d::DebugRole::Ray: return R"(stroke="#ff5a5a")";
            case phys2d::DebugRole::Name: return R"(fill="#f4f7ff")";
        }
        return "";
    }

    phys2d::AABB view_;
    float metre_ = 1.0f;  // [px]
    std::string picture_;
};

}  // namespace svg
