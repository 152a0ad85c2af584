/* NVTX's marks for C++. As with nvToolsExt.h there is no profiler here to see them, so that only the names are left. */
#ifndef WARPLINE_NVTX3_HPP
#define WARPLINE_NVTX3_HPP
#include "nvToolsExt.h"
#include <cstdint>
#include <string>
namespace nvtx3 {
struct domain {
    struct global {};
};
/* What a mark or a range is told: its text, colour, number and kind, in any order. */
struct rgb {
    constexpr rgb(std::uint8_t, std::uint8_t, std::uint8_t) noexcept {}
};
struct argb {
    constexpr argb(std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t) noexcept {}
};
struct color {
    constexpr explicit color(std::uint32_t) noexcept {}
    constexpr color(argb) noexcept {}
    constexpr color(rgb) noexcept {}
};
struct category {
    typedef std::uint32_t id_type;
    constexpr explicit category(id_type) noexcept {}
};
template <class D = domain::global> struct named_category_in : category {
    template <class T> named_category_in(id_type id, T &&) noexcept : category(id) {}
    template <class C> static const named_category_in &get() noexcept
    {
        static const named_category_in one{C::id, C::name};
        return one;
    }
};
typedef named_category_in<> named_category;
template <class D = domain::global> struct registered_string_in {
    template <class T> explicit registered_string_in(const T &) noexcept {}
    template <class M> static const registered_string_in &get() noexcept
    {
        static const registered_string_in one{M::message};
        return one;
    }
};
typedef registered_string_in<> registered_string;
struct message {
    message(const char *) noexcept {}
    message(const wchar_t *) noexcept {}
    message(const std::string &) noexcept {}
    template <class D> message(const registered_string_in<D> &) noexcept {}
};
struct payload {
    template <class T> constexpr explicit payload(T) noexcept {}
};
struct event_attributes {
    template <class... A> event_attributes(const A &...) noexcept {}
};
struct range_handle {
    constexpr explicit operator bool() const noexcept { return true; }
};
/* Not movable and movable ranges; both have a destructor, lest a compiler warns of a variable that nobody uses. */
template <class D = domain::global> class scoped_range_in {
public:
    template <class... A> explicit scoped_range_in(const A &...) noexcept {}
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    ~scoped_range_in() {}
};
typedef scoped_range_in<> scoped_range;
template <class D = domain::global> class unique_range_in {
public:
    template <class... A> explicit unique_range_in(const A &...) noexcept {}
    unique_range_in(unique_range_in &&) noexcept {}
    unique_range_in &operator=(unique_range_in &&) noexcept { return *this; }
    ~unique_range_in() {}
};
typedef unique_range_in<> unique_range;
template <class D = domain::global, class... A> inline void mark_in(const A &...) noexcept {}
template <class... A> inline void mark(const A &...) noexcept {}
template <class D = domain::global, class... A> inline range_handle start_range_in(const A &...) noexcept { return {}; }
template <class... A> inline range_handle start_range(const A &...) noexcept { return {}; }
template <class D = domain::global> inline void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}
}
#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)
#define NVTX3_FUNC_RANGE_IF(condition) ((void)(condition))
#define NVTX3_FUNC_RANGE_IF_IN(domain, condition) ((void)(condition))
#endif
