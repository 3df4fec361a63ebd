// SPDX-License-Identifier: MIT
// Array: a std::vector for plain data, of which nearly everything in a World is made.
// Plain data (trivially copyable) makes this possible: storage starts on a cache line, so that
// batches of lanes never straddle two; copying a World is a few memcpys into existing storage; and
// a translation unit pays a tenth of what instantiating as many std::vectors would cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Slots and counts are signed 32-bit integers; sizes of memory are std::size_t.
constexpr std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

inline constexpr std::align_val_t cache_line{64};

/// New storage with the first `used` bytes of the old one, which is released.
PHYS2D_NOINLINE inline void* moved_to_new_storage(void* old, std::size_t used, std::size_t size) {
    void* grown = ::operator new(size, cache_line);
    if (used > 0) std::memcpy(grown, old, used);
    ::operator delete(old, cache_line);
    return grown;
}

template <class T>
class Array {
    static_assert(__is_trivially_copyable(T));

public:
    Array() = default;
    Array(const Array& other) { assign(other.data_, other.size_); }
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(const Array& other) {
        if (this != &other) assign(other.data_, other.size_);
        return *this;
    }
    Array& operator=(Array&& other) noexcept {
        swap(other);
        other.clear();
        return *this;
    }
    ~Array() { ::operator delete(data_, cache_line); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] T* begin() { return data_; }
    [[nodiscard]] T* end() { return data_ + size_; }
    [[nodiscard]] const T* begin() const { return data_; }
    [[nodiscard]] const T* end() const { return data_ + size_; }
    /// Slots, indices of ids and sizes are integers of different types; none is negative here.
    template <class Index>
    [[nodiscard]] T& operator[](Index i) {
        return data_[static_cast<std::size_t>(i)];
    }
    template <class Index>
    [[nodiscard]] const T& operator[](Index i) const {
        return data_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] T& back() { return data_[size_ - 1]; }

    void clear() { size_ = 0; }
    void pop_back() { --size_; }
    void push_back(const T& value) {
        const T copy = value;  // it may live in this array
        push_back_for_overwrite() = copy;
    }
    /// Adds an uninitialised element, to be written member by member without a copy.
    T& push_back_for_overwrite() {
        if (size_ == capacity_) reserve(size_ < 8 ? 16 : 2 * size_);
        return data_[size_++];
    }

    /// Appends the elements of another array.
    void append(const Array& other) {
        if (other.size_ == 0) return;
        const std::size_t before = size_;
        resize_for_overwrite(before + other.size_);
        std::memcpy(static_cast<void*>(data_ + before), other.data_, other.size_ * sizeof(T));
    }

    /// Keeps the contents.
    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        data_ =
            static_cast<T*>(moved_to_new_storage(data_, size_ * sizeof(T), capacity * sizeof(T)));
        capacity_ = capacity;
    }

    /// The same for twice as many, so that an array that grows by and by seldom allocates.
    void reserve_twice(std::size_t size) {
        if (size > capacity_) reserve(2 * size);
    }

    /// Clears, and reserves room to refill it with up to twice as many elements.
    void start_over() {
        const std::size_t before = size_;
        size_ = 0;
        if (2 * before > capacity_) reserve(4 * before);
    }

    /// New elements are zero bytes.
    void resize(std::size_t size) {
        const std::size_t before = size_;
        resize_for_overwrite(size);
        if (size > before) {
            std::memset(static_cast<void*>(data_ + before), 0, (size - before) * sizeof(T));
        }
    }

    /// Makes `index` valid; doubles the size if it is not. New elements are zero bytes.
    void grow_to_hold(std::size_t index) {
        if (index < size_) return;
        reserve(2 * (index + 1));
        resize(2 * (index + 1));
    }

    /// New elements are uninitialised.
    void resize_for_overwrite(std::size_t size) {
        reserve_twice(size);
        size_ = size;
    }

    void assign(std::size_t size, const T& value) {
        const T copy = value;
        size_ = 0;
        reserve_twice(size);
        size_ = size;
        for (T& element : *this) element = copy;
    }

    /// The first allocation fits exactly; later ones leave some headroom.
    void assign(const T* from, std::size_t size) {
        size_ = 0;
        if (size > capacity_) reserve(capacity_ == 0 ? size : size + size / 4 + 4);
        if (size > 0) std::memcpy(static_cast<void*>(data_), from, size * sizeof(T));
        size_ = size;
    }

    /// Removes the elements for which a test is true, tested in order; returns whether there were
    /// any. The test may change the element.
    bool remove_if(auto test) {
        std::size_t kept = 0;
        for (T& element : *this) {
            if (!test(element)) data_[kept++] = element;
        }
        const bool any = kept < size_;
        size_ = kept;
        return any;
    }

    /// Of equal elements side by side keeps the first.
    void remove_repeats() {
        std::size_t kept = 0;
        for (const T& element : *this) {
            if (kept == 0 || !(element == data_[kept - 1])) data_[kept++] = element;
        }
        size_ = kept;
    }

    void swap(Array& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// An Array of temporary data: copies leave its contents out, and assignment keeps its own.
template <class T>
class Scratch : public Array<T> {
public:
    Scratch() = default;
    Scratch(const Scratch& /*other*/) : Array<T>() {}
    Scratch(Scratch&&) noexcept = default;
    Scratch& operator=(const Scratch& /*other*/) { return *this; }
    Scratch& operator=(Scratch&&) noexcept = default;
    ~Scratch() = default;

    /// Makes room for `size` elements; may lose the contents. Grows to twice that, so that a world
    /// which has warmed up stops allocating.
    void make_room(std::size_t size) {
        if (size <= this->size()) return;
        this->clear();
        this->grow_to_hold(size - 1);
    }
};

/// An Array of what is kept to save work, and can be worked out again: copies are empty, and
/// assignment empties it.
template <class T>
class Cache : public Array<T> {
public:
    Cache() = default;
    Cache(const Cache& /*other*/) : Array<T>() {}
    Cache(Cache&&) noexcept = default;
    Cache& operator=(const Cache& /*other*/) {
        this->clear();
        return *this;
    }
    Cache& operator=(Cache&&) noexcept = default;
    ~Cache() = default;
};

/// Record i of `size` bytes becomes the former record order[i], for the first order.size() records.
PHYS2D_NOINLINE inline void reorder_records(void* records, std::size_t size,
                                            const Array<std::int32_t>& order,
                                            Scratch<unsigned char>& scratch) {
    auto* bytes = static_cast<unsigned char*>(records);
    scratch.make_room(order.size() * size);
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::memcpy(&scratch[i * size], bytes + at(order[i]) * size, size);
    }
    std::memcpy(bytes, scratch.data(), order.size() * size);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail
