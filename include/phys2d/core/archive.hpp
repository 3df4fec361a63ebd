// SPDX-License-Identifier: MIT
// Archive: all members of an object as bytes, one after the other, to be written or to be read.
//
// A class that is not plain data names its members, those of its bases first, in one function for
// both ways:
//     void list_members(auto& archive) { archive(*this, list_, is_in_); }
// One that forgets a member does not compile, unless that fits into a gap between others. Nor does
// plain data without a list that has gaps: what is in them differs from run to run. As in copies,
// temporary data (Scratch, Cache) is left out.
#pragma once

#include <cstring>
#include <type_traits>

#include <phys2d/core/array.hpp>
#include <phys2d/core/error.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/core/version.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether members of these types, one after the other, fill a class up.
template <class Class, class... Members>
[[nodiscard]] consteval bool are_all() {
    std::size_t end = 0;
    ((end = (end + alignof(Members) - 1) / alignof(Members) * alignof(Members) + sizeof(Members)),
     ...);
    return end + alignof(Class) > sizeof(Class);
}

/// Adds all bytes of an object up, which is a constant only if none of them lies in a gap between
/// members.
template <class T>
[[nodiscard]] consteval int sum_of_bytes() {
    struct Bytes {
        unsigned char all[sizeof(T)];
    };
    int sum = 0;
    for (const unsigned char byte : __builtin_bit_cast(Bytes, T{}).all) sum += byte;
    return sum;
}
template <class T>
[[nodiscard]] consteval bool has_gaps() {
#if defined(__GNUC__) && !defined(__clang__)
    return !requires { typename std::integral_constant<int, sum_of_bytes<T>()>; };
#else
    return false;  // some have no bytes of bit-fields in constants; g++ tells
#endif
}

/// A stream of bytes that derives from this has bytes(void* at, std::size_t size), which writes or
/// reads what is there, and count_of(std::size_t count, std::size_t record_size), which writes a
/// count and returns it, or returns the one that it reads. What is written stays untouched, not
/// even replaced by what it is: it may be constant, and several threads may save it at once.
template <class Stream>
class Archive {
public:
    /// For all members of an object.
    template <class Class, class... Members>
    void operator()(const Class& /*object*/, Members&... members) {
        static_assert(are_all<Class, Members...>(), "a member is missing in the list");
        (add(members), ...);
    }

    /// For one member.
    template <class T>
    void add(T& value) {
        if constexpr (has_list<T>()) {
            list(value);
        } else if constexpr (std::is_pointer_v<T>) {
            // belongs to the program, and stays
        } else if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) {
            auto wide = static_cast<std::int64_t>(value);  // std::size_t may be of 4 bytes
            stream().bytes(&wide, sizeof wide);
            const auto there = static_cast<T>(wide);
            if (there != value) value = there;
        } else {
            require_plain<T>();
            stream().bytes(&value, sizeof value);
        }
    }
    template <class T>
    void add(Scratch<T>& /*temporary*/) {}
    template <class T>
    void add(Cache<T>& /*may be lost*/) {}
    template <class T, std::size_t Size>
    void add(T (&values)[Size]) {
        for (T& value : values) add(value);
    }
    template <class T>
    void add(Array<T>& array) {
        static_assert(!std::is_pointer_v<T>);
        constexpr std::size_t record_size = has_list<T>() ? 0 : sizeof(T);
        const std::size_t count = stream().count_of(array.size(), record_size);
        if (count != array.size()) {
            array.reserve(count);  // no more than that
            array.resize_for_overwrite(count);
        }
        if constexpr (has_list<T>()) {
            for (T& value : array) list(value);
        } else {
            require_plain<T>();
            stream().bytes(array.data(), count * sizeof(T));
        }
    }

private:
    template <class T>
    static consteval void require_plain() {
        static_assert(std::is_trivially_copyable_v<T>);
        static_assert(!has_gaps<T>(), "there may be anything in its gaps: fill or list them");
    }
    template <class T>
    [[nodiscard]] static consteval bool has_list() {
        return requires(T & value, Stream & stream) { value.list_members(stream); }
        || requires(T & value, Stream & stream) { list_members(value, stream); };
    }
    template <class T>
    void list(T& value) {
        if constexpr (requires { value.list_members(stream()); }) {
            value.list_members(stream());
        } else {
            list_members(value, stream());
        }
    }

    [[nodiscard]] Stream& stream() { return static_cast<Stream&>(*this); }
};

/// Writes bytes to memory that has room for them; to null it only counts them.
class ByteWriter : public Archive<ByteWriter> {
public:
    explicit ByteWriter(unsigned char* to) : to_(to) {}

    void bytes(const void* from, std::size_t size) {
        if (to_ != nullptr && size > 0) std::memcpy(to_ + written_, from, size);
        written_ += size;
    }
    [[nodiscard]] std::size_t count_of(std::size_t count, std::size_t size) {
        add(size);
        add(count);
        return count;
    }
    [[nodiscard]] std::size_t written() const { return written_; }

private:
    unsigned char* to_;
    std::size_t written_ = 0;
};

/// Reads bytes. Those that hold something else are an error of `load`.
class ByteReader : public Archive<ByteReader> {
public:
    explicit ByteReader(Span<const unsigned char> from) : from_(from) {}

    void bytes(void* to, std::size_t size) {
        expect(size <= rest(), size, 1);
        if (size > 0) std::memcpy(to, from_.data() + place_, size);
        place_ += size;
    }
    [[nodiscard]] std::size_t count_of(std::size_t /*before*/, std::size_t size) {
        std::size_t size_there = 0;
        std::size_t count = 0;
        add(size_there);
        add(count);
        const std::size_t least = size == 0 ? 1 : size;
        expect(size_there == size && count <= rest() / least, count, size_there);
        return count;
    }
    void require_end() const { expect(rest() == 0, 0, 0); }

private:
    [[nodiscard]] std::size_t rest() const { return from_.size() - place_; }

    void expect(bool holds, std::size_t count, std::size_t size) const {
        require(holds,
                "load: at byte %llu of %llu are %llu records of %llu bytes, expected the members "
                "that phys2d " PHYS2D_VERSION_STRING " has",
                static_cast<unsigned long long>(place_),
                static_cast<unsigned long long>(from_.size()),
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(size));
    }

    Span<const unsigned char> from_;
    std::size_t place_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
