// SPDX-License-Identifier: MIT
// Span: a view of consecutive values owned by someone else.
// The essentials of std::span, which it converts to and from. Including <span> and instantiating it
// a few times costs a translation unit as much as all of phys2d.
#pragma once

#include <cstddef>
#include <type_traits>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

template <class Container, class T>
concept HasValues = requires(Container& c, T*& data) {
    data = c.data(), c.size();
};

}  // namespace detail

/// `size()` values from `data()` on; valid while their owner keeps them in place.
template <class T>
class Span {
public:
    constexpr Span() = default;
    constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
    template <std::size_t Size>
    constexpr Span(T (&values)[Size]) : data_(values), size_(Size) {}
    /// From a vector, an array, a std::span: any container with data() and size().
    template <class Container>
    requires detail::HasValues<Container, T>
    constexpr Span(Container& container) : data_(container.data()), size_(container.size()) {}
    template <class Container>
    requires detail::HasValues<const Container, T>
    constexpr Span(const Container& container) : data_(container.data()), size_(container.size()) {}

    /// To a std::span of the same elements, which by itself does not accept writable temporaries.
    template <class View>
    requires(!std::is_const_v<T> && std::is_same_v<typename View::element_type, T>) constexpr
    operator View() && {
        return View(data_, size_);
    }

    [[nodiscard]] constexpr T* data() const { return data_; }
    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr T* begin() const { return data_; }
    [[nodiscard]] constexpr T* end() const { return data_ + size_; }
    /// Pre: not empty().
    [[nodiscard]] constexpr T& front() const { return data_[0]; }
    [[nodiscard]] constexpr T& back() const { return data_[size_ - 1]; }
    /// Pre: 0 <= i < size(), an integer of any type.
    template <class Index>
    [[nodiscard]] constexpr T& operator[](Index i) const {
        return data_[static_cast<std::size_t>(i)];
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI
