// SPDX-License-Identifier: MIT
// SavedBytes: a world or a mover as bytes, to be written to a file or to be sent.
//
// They are its members in the order of their lists (core/archive.hpp), between what it is and a
// sum. Equal ones are the same bytes on every machine of one byte order: pointers, temporary data,
// the sizes of memory, and what lies in gaps between members are left out.
#pragma once

#include <phys2d/core/archive.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/core/version.hpp>
#include <phys2d/world/state_hash.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The contents of any container of bytes.
template <class Bytes>
[[nodiscard]] Span<const unsigned char> contents_of(const Bytes& bytes) {
    static_assert(sizeof(*bytes.data()) == 1, "expected a container of bytes");
    return {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

/// A sum of bytes that tells damaged ones. Four sums of every fourth word, which do not wait for
/// each other.
[[nodiscard]] inline std::uint64_t checksum(Span<const unsigned char> bytes) {
    std::uint64_t words[4];
    StateHash sums[4];
    const auto add_words = [&] {
        for (int k = 0; k < 4; ++k) sums[k].add(words[k]);
    };
    std::size_t i = 0;
    for (; bytes.size() - i >= sizeof words; i += sizeof words) {
        std::memcpy(words, bytes.data() + i, sizeof words);
        add_words();
    }
    std::memset(words, 0, sizeof words);
    std::memcpy(words, bytes.data() + i, bytes.size() - i);
    add_words();
    StateHash all;
    for (const StateHash& sum : sums) all.add(sum.value());
    return all.value();
}

/// What saved bytes begin with.
struct SavedBy {
    char mark[8];  ///< ends with the first letter of what it is
    std::int32_t version[3] = {PHYS2D_VERSION_MAJOR, PHYS2D_VERSION_MINOR, PHYS2D_VERSION_PATCH};
};
[[nodiscard]] inline SavedBy saved_by_this(const char* what) {
    return {.mark = {'p', 'h', 'y', 's', '2', 'd', ' ', what[0]}};
}

/// Writes an object, and what it is: "world" or "mover".
template <class Object>
void write(const char* what, Object& object, ByteWriter& writer) {
    SavedBy saved_by = saved_by_this(what);
    writer.add(saved_by);
    writer.add(object);
}

/// Replaces the contents of a container of bytes by those of an object.
template <class Bytes, class Object>
void save(const char* what, const Object& object, Bytes& out) {
    static_assert(
        sizeof(*out.data()) == 1 && requires { out.resize(0); },
        "expected a container of bytes that can be resized, as std::vector<std::byte>");
    auto& read_only = const_cast<Object&>(object);  // lists of members serve reading, too
    std::uint64_t sum = 0;
    ByteWriter counted(nullptr);
    write(what, read_only, counted);
    counted.add(sum);
    out.resize(counted.written());

    ByteWriter writer(reinterpret_cast<unsigned char*>(out.data()));
    write(what, read_only, writer);
    sum = checksum({contents_of(out).data(), writer.written()});
    writer.add(sum);
}

/// Reads the object that was saved as these bytes into a new one; all other bytes are an error.
template <class Object>
void load(const char* what, Span<const unsigned char> bytes, Object& object) {
    const SavedBy here = saved_by_this(what);
    SavedBy there{};
    std::uint64_t sum = 0;
    const bool may_be = bytes.size() >= sizeof there + sizeof sum;
    if (may_be) std::memcpy(&there, bytes.data(), sizeof there);
    require(std::memcmp(there.mark, here.mark, sizeof here.mark) == 0,
            "load: %llu bytes do not begin as a %s, expected what `save` has written",
            static_cast<unsigned long long>(bytes.size()), what);
    require(std::memcmp(there.version, here.version, sizeof here.version) == 0,
            "load: the %s is of phys2d %d.%d.%d, expected " PHYS2D_VERSION_STRING, what,
            there.version[0], there.version[1], there.version[2]);
    const Span<const unsigned char> summed{bytes.data(), bytes.size() - sizeof sum};
    std::memcpy(&sum, summed.end(), sizeof sum);
    require(sum == checksum(summed),
            "load: the sum of %llu bytes is not the one at their end, expected all bytes of the %s "
            "as they were saved",
            static_cast<unsigned long long>(bytes.size()), what);
    ByteReader reader({summed.data() + sizeof there, summed.size() - sizeof there});
    reader.add(object);
    reader.require_end();
}

}  // namespace phys2d::inline PHYS2D_ABI::detail
