// SPDX-License-Identifier: MIT
// A complete game of the platformer, from start to goal, as frames and the keys held in them: l
// left, r right, j jump, d down, s slow motion.
#pragma once

#include <string_view>

namespace games {

struct Stretch {
    int frames;
    const char* keys;
};

inline constexpr Stretch recording[] = {
    {20, ""},   {67, "r"},  {8, "rj"}, {49, "r"},  {4, "rj"},  {32, "r"},   {10, ""},   {12, "j"},
    {19, ""},   {12, "j"},  {19, ""},  {8, "r"},   {23, "rj"}, {43, "r"},   {23, "l"},  {20, ""},
    {17, "dj"}, {19, ""},   {61, "r"}, {108, ""},  {16, "rj"}, {8, "r"},    {43, ""},   {11, "j"},
    {37, ""},   {24, "rj"}, {31, ""},  {139, "r"}, {17, "l"},  {14, ""},    {23, "rj"}, {35, ""},
    {25, "rj"}, {14, "r"},  {7, "j"},  {29, ""},   {96, "r"},  {96, "rjs"}, {31, "rj"}, {13, "r"},
    {197, ""},  {23, "r"},  {156, ""}, {61, "r"},  {5, "rj"},  {27, "r"},
};

/// Whether a key is held in a frame; none is after the end.
constexpr bool is_held(char key, int frame) {
    for (const Stretch& stretch : recording) {
        if (frame < stretch.frames)
            return std::string_view(stretch.keys).find(key) != std::string_view::npos;
        frame -= stretch.frames;
    }
    return false;
}

}  // namespace games
