// C++17 over sconce.h: handles that free themselves, exceptions in place of statuses. Header-only; nothing but the standard library.
#ifndef SCONCE_HPP
#define SCONCE_HPP

#include "sconce.h"

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sconce {

/// A function of the program that was running when a run failed.
struct Frame {
    std::string function;
    /// Empty where the program does not say.
    std::string file;
    /// From 1; 0 where the program does not say.
    std::uint32_t line;
};

/// A call that failed. what() is all there is to say, with the traceback.
class Error : public std::runtime_error {
public:
    Error(SconceStatus status, std::string text, std::string message, std::string class_name, std::vector<Frame> traceback)
        : std::runtime_error(std::move(text)), status_(status), message_(std::move(message)),
          class_name_(std::move(class_name)), traceback_(std::move(traceback)) {}

    SconceStatus status() const noexcept { return status_; }
    /// Without the traceback.
    const std::string &message() const noexcept { return message_; }
    /// Of a run that failed the class of its exception, else empty.
    const std::string &class_name() const noexcept { return class_name_; }
    /// Of a run that failed, the outermost function first.
    const std::vector<Frame> &traceback() const noexcept { return traceback_; }

private:
    SconceStatus status_;
    std::string message_;
    std::string class_name_;
    std::vector<Frame> traceback_;
};

namespace detail {

template <typename Handle, void (*release)(Handle *)> struct Free {
    void operator()(Handle *handle) const noexcept { release(handle); }
};

template <typename Handle, void (*release)(Handle *)> using Owned = std::unique_ptr<Handle, Free<Handle, release>>;

inline std::string text_of(const char *text) { return text ? text : ""; }

/// Throws what a call that failed left.
inline void check(SconceStatus status, SconceError *error) {
    if (status == SCONCE_STATUS_OK) {
        return;
    }
    Owned<SconceError, sconce_error_free> owned(error);
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < sconce_error_frame_count(error); ++i) {
        frames.push_back({text_of(sconce_error_frame_function(error, i)), text_of(sconce_error_frame_file(error, i)),
                          sconce_error_frame_line(error, i)});
    }
    throw Error(status, text_of(sconce_error_text(error)), text_of(sconce_error_message(error)),
                text_of(sconce_error_class(error)), std::move(frames));
}

/// Calls a function whose last parameter is an error's place.
template <typename Function, typename... Arguments> void call(Function function, Arguments... arguments) {
    SconceError *error = nullptr;
    const SconceStatus status = function(arguments..., &error);
    check(status, error);
}

template <typename T> constexpr bool is_dtype = false;
template <typename T> constexpr SconceDtype dtype = SconceDtype{};
#define SCONCE_DTYPE(type, number)                                                                                     \
    template <> inline constexpr bool is_dtype<type> = true;                                                           \
    template <> inline constexpr SconceDtype dtype<type> = number;
SCONCE_DTYPE(std::uint8_t, SCONCE_DTYPE_U8)
SCONCE_DTYPE(std::int8_t, SCONCE_DTYPE_I8)
SCONCE_DTYPE(std::int16_t, SCONCE_DTYPE_I16)
SCONCE_DTYPE(std::int32_t, SCONCE_DTYPE_I32)
SCONCE_DTYPE(std::int64_t, SCONCE_DTYPE_I64)
SCONCE_DTYPE(std::uint16_t, SCONCE_DTYPE_U16)
SCONCE_DTYPE(std::uint32_t, SCONCE_DTYPE_U32)
SCONCE_DTYPE(std::uint64_t, SCONCE_DTYPE_U64)
SCONCE_DTYPE(float, SCONCE_DTYPE_F32)
SCONCE_DTYPE(double, SCONCE_DTYPE_F64)
SCONCE_DTYPE(std::complex<float>, SCONCE_DTYPE_C64)
SCONCE_DTYPE(std::complex<double>, SCONCE_DTYPE_C128)
SCONCE_DTYPE(bool, SCONCE_DTYPE_BOOL)
#undef SCONCE_DTYPE

} // namespace detail

/// The library's version.
inline std::string version() { return detail::text_of(sconce_version()); }

/// Bounds the threads that one operator may use, for the whole process.
inline void set_num_threads(std::size_t threads) { detail::call(sconce_set_num_threads, threads); }

/// Loads a shared library that has operators, for the whole process: programs that are loaded from now on may call them.
inline void load_operators(const std::string &path) { detail::call(sconce_load_operators, path.c_str()); }

/// A tensor: a handle, whose copies have the same elements.
class Tensor {
public:
    /// Takes a handle over.
    explicit Tensor(SconceTensor *handle) : handle_(handle, sconce_tensor_free) {}

    /// Of a copy of elements that lie row by row. Throws Error where they are not as many as the sizes say.
    template <typename T> static Tensor copy(const T *data, std::size_t count, const std::vector<std::int64_t> &sizes) {
        SconceTensor *made = nullptr;
        const SconceElements elements = described(data, count, sizes);
        detail::call(sconce_tensor_copy, &elements, &made);
        return Tensor(made);
    }

    /// The same of a vector.
    template <typename T> static Tensor copy(const std::vector<T> &data, const std::vector<std::int64_t> &sizes) {
        return copy(data.data(), data.size(), sizes);
    }

    /// Over the vector's elements, which go with the last tensor over them.
    template <typename T> static Tensor take(std::vector<T> data, const std::vector<std::int64_t> &sizes) {
        static_assert(!std::is_same_v<T, bool>, "a std::vector<bool> has no elements in memory");
        auto *kept = new std::vector<T>(std::move(data));
        SconceTensor *made = nullptr;
        const SconceElements elements = described(kept->data(), kept->size(), sizes);
        void (*release)(void *) = [](void *context) { delete static_cast<std::vector<T> *>(context); };
        detail::call(sconce_tensor_borrow, &elements, release, static_cast<void *>(kept), &made);
        return Tensor(made);
    }

    SconceDtype dtype() const noexcept { return static_cast<SconceDtype>(sconce_tensor_dtype(get())); }
    std::size_t rank() const noexcept { return sconce_tensor_rank(get()); }
    std::size_t element_count() const noexcept { return sconce_tensor_element_count(get()); }
    bool is_contiguous() const noexcept { return sconce_tensor_is_contiguous(get()); }

    std::vector<std::int64_t> sizes() const {
        const std::int64_t *first = sconce_tensor_sizes(get());
        return {first, first + rank()};
    }

    /// In elements.
    std::vector<std::int64_t> strides() const {
        const std::int64_t *first = sconce_tensor_strides(get());
        return {first, first + rank()};
    }

    /// The first element; the others lie from there as the strides say. Throws std::invalid_argument where the tensor has another element type.
    template <typename T> T *data() const {
        static_assert(detail::is_dtype<T>, "no tensor has elements of this type");
        if (dtype() != detail::dtype<T>) {
            throw std::invalid_argument("the tensor has elements of " + detail::text_of(sconce_dtype_name(dtype())));
        }
        return static_cast<T *>(sconce_tensor_data(get()));
    }

    /// The same elements row by row: over the same memory where they lie so, else a copy.
    Tensor contiguous() const {
        SconceTensor *made = nullptr;
        detail::call(sconce_tensor_contiguous, get(), &made);
        return Tensor(made);
    }

    /// A copy of the elements, row by row.
    template <typename T> std::vector<T> to_vector() const {
        const Tensor rows = contiguous();
        const T *first = rows.data<T>();
        return {first, first + rows.element_count()};
    }

    /// As a structure of DLPack 1, which whoever takes it over frees by its deleter.
    struct DLManagedTensorVersioned *to_dlpack() const {
        struct DLManagedTensorVersioned *managed = nullptr;
        detail::call(sconce_tensor_to_dlpack, get(), &managed);
        return managed;
    }

    /// Of another library's structure of DLPack 1, which is taken over, also when this throws.
    static Tensor from_dlpack(struct DLManagedTensorVersioned *managed) {
        SconceTensor *made = nullptr;
        detail::call(sconce_tensor_from_dlpack, managed, &made);
        return Tensor(made);
    }

    const SconceTensor *get() const noexcept { return handle_.get(); }

private:
    template <typename T>
    static SconceElements described(const T *data, std::size_t count, const std::vector<std::int64_t> &sizes) {
        static_assert(detail::is_dtype<T>, "no tensor has elements of this type");
        SconceElements elements{};
        elements.dtype = detail::dtype<T>;
        elements.rank = sizes.size();
        elements.sizes = sizes.data();
        elements.data = data;
        elements.bytes = count * sizeof(T);
        return elements;
    }

    std::shared_ptr<SconceTensor> handle_;
};

/// A value of a program: a handle, whose copies are the same value.
class Value {
public:
    /// Takes a handle over.
    explicit Value(SconceValue *handle) : handle_(handle, sconce_value_free) {}

    /// `None`.
    Value() : Value(made(sconce_value_from_none)) {}
    Value(std::nullptr_t) : Value() {}
    Value(const Tensor &tensor) : Value(made(sconce_value_from_tensor, tensor.get())) {}
    Value(std::string_view text) : Value(made(sconce_value_from_string, text.data(), text.size())) {}
    Value(const std::string &text) : Value(std::string_view(text)) {}
    Value(const char *text) : Value(std::string_view(text)) {}
    Value(std::complex<double> number) : Value(made(sconce_value_from_complex, number.real(), number.imag())) {}

    /// A bool, an int or a float, by the number's type.
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> Value(T number) : Value(of_number(number)) {}

    static Value list(const std::vector<Value> &items) {
        const auto handles = handles_of(items);
        return Value(made(sconce_value_from_list, handles.data(), handles.size()));
    }

    static Value tuple(const std::vector<Value> &items) {
        const auto handles = handles_of(items);
        return Value(made(sconce_value_from_tuple, handles.data(), handles.size()));
    }

    static Value dict(const std::vector<std::pair<Value, Value>> &entries) {
        std::vector<const SconceValue *> keys, values;
        for (const auto &[key, value] : entries) {
            keys.push_back(key.get());
            values.push_back(value.get());
        }
        return Value(made(sconce_value_from_dict, keys.data(), values.data(), keys.size()));
    }

    SconceKind kind() const noexcept { return sconce_value_kind(get()); }
    bool is_none() const noexcept { return kind() == SCONCE_KIND_NONE; }
    bool as_bool() const { return read<bool>(sconce_value_as_bool); }
    std::int64_t as_int() const { return read<std::int64_t>(sconce_value_as_int); }
    double as_double() const { return read<double>(sconce_value_as_double); }

    std::complex<double> as_complex() const {
        double real = 0, imaginary = 0;
        detail::call(sconce_value_as_complex, get(), &real, &imaginary);
        return {real, imaginary};
    }

    std::string as_string() const {
        const char *text = nullptr;
        std::size_t length = 0;
        detail::call(sconce_value_as_string, get(), &text, &length);
        return {text, length};
    }

    Tensor as_tensor() const { return Tensor(read<SconceTensor *>(sconce_value_as_tensor)); }

    /// Items of a list, tuple or dictionary.
    std::size_t size() const { return read<std::size_t>(sconce_value_length); }

    /// An item of a list or tuple.
    Value operator[](std::size_t index) const { return Value(made(sconce_value_item, get(), index)); }

    /// An entry of a dictionary, in the order of insertion.
    std::pair<Value, Value> entry(std::size_t index) const {
        SconceValue *key = nullptr, *item = nullptr;
        detail::call(sconce_value_entry, get(), index, &key, &item);
        return {Value(key), Value(item)};
    }

    /// The item that a dictionary has for a key, if it has one.
    std::optional<Value> find(const Value &key) const {
        SconceValue *item = made(sconce_value_lookup, get(), key.get());
        return item ? std::optional<Value>(Value(item)) : std::nullopt;
    }

    /// As Python prints it.
    std::string to_text() const {
        const detail::Owned<SconceText, sconce_text_free> text(read<SconceText *>(sconce_value_to_text));
        return {sconce_text_data(text.get()), sconce_text_length(text.get())};
    }

    const SconceValue *get() const noexcept { return handle_.get(); }

private:
    template <typename Function, typename... Arguments>
    static SconceValue *made(Function function, Arguments... arguments) {
        SconceValue *value = nullptr;
        detail::call(function, arguments..., &value);
        return value;
    }

    template <typename T> static SconceValue *of_number(T number) {
        if constexpr (std::is_same_v<T, bool>) {
            return made(sconce_value_from_bool, number);
        } else if constexpr (std::is_integral_v<T>) {
            return made(sconce_value_from_int, static_cast<std::int64_t>(number));
        } else {
            return made(sconce_value_from_double, static_cast<double>(number));
        }
    }

    template <typename T, typename Function> T read(Function function) const {
        T read{};
        detail::call(function, get(), &read);
        return read;
    }

    static std::vector<const SconceValue *> handles_of(const std::vector<Value> &items) {
        std::vector<const SconceValue *> handles;
        for (const Value &item : items) {
            handles.push_back(item.get());
        }
        return handles;
    }

    std::shared_ptr<SconceValue> handle_;
};

/// A parameter of a method.
struct Parameter {
    std::string name;
    /// As TorchScript writes it: `Tensor`, `List[int]`.
    std::string type;
    bool has_default;
};

/// A method of a model. Any number of threads may call one at once.
class Method {
public:
    /// Takes a handle over.
    explicit Method(SconceMethod *handle) : handle_(handle, sconce_method_free) {}

    std::string name() const { return detail::text_of(sconce_method_name(get())); }

    std::vector<Parameter> parameters() const {
        std::vector<Parameter> parameters;
        for (std::size_t i = 0; i < sconce_method_parameter_count(get()); ++i) {
            parameters.push_back({detail::text_of(sconce_method_parameter_name(get(), i)),
                                  detail::text_of(sconce_method_parameter_type(get(), i)),
                                  sconce_method_parameter_has_default(get(), i)});
        }
        return parameters;
    }

    /// Types of its results.
    std::vector<std::string> results() const {
        std::vector<std::string> results;
        for (std::size_t i = 0; i < sconce_method_result_count(get()); ++i) {
            results.push_back(detail::text_of(sconce_method_result_type(get(), i)));
        }
        return results;
    }

    /// Calls it with arguments by position.
    template <typename... Arguments> Value operator()(const Arguments &...arguments) const {
        return call({Value(arguments)...});
    }

    /// Calls it with arguments by position and by name.
    Value call(const std::vector<Value> &positional,
               const std::vector<std::pair<std::string, Value>> &named = {}) const {
        std::vector<const SconceValue *> by_place, by_name;
        std::vector<const char *> names;
        for (const Value &value : positional) {
            by_place.push_back(value.get());
        }
        for (const auto &[name, value] : named) {
            names.push_back(name.c_str());
            by_name.push_back(value.get());
        }
        SconceArguments arguments{};
        arguments.positional = by_place.data();
        arguments.positional_count = by_place.size();
        arguments.names = names.data();
        arguments.named = by_name.data();
        arguments.named_count = by_name.size();
        SconceValue *result = nullptr;
        detail::call(sconce_method_call, get(), &arguments, &result);
        return Value(result);
    }

    const SconceMethod *get() const noexcept { return handle_.get(); }

private:
    std::shared_ptr<SconceMethod> handle_;
};

/// What the calls of a model may use; each limit is what sconce.h says of its function.
class Options {
public:
    Options() {
        SconceOptions *made = nullptr;
        detail::call(sconce_options_new, &made);
        handle_.reset(made);
    }

    Options &fuel(std::uint64_t instructions) { return set(sconce_options_set_fuel, instructions); }
    Options &depth(std::size_t calls) { return set(sconce_options_set_depth, calls); }
    Options &time_in_nanoseconds(std::uint64_t nanoseconds) { return set(sconce_options_set_time, nanoseconds); }
    Options &memory_in_bytes(std::size_t bytes) { return set(sconce_options_set_memory, bytes); }

    const SconceOptions *get() const noexcept { return handle_.get(); }

private:
    template <typename Function, typename T> Options &set(Function function, T value) {
        detail::call(function, handle_.get(), value);
        return *this;
    }

    detail::Owned<SconceOptions, sconce_options_free> handle_;
};

/// A loaded program. Any number of threads may use one at once.
class Model {
public:
    /// Takes a handle over.
    explicit Model(SconceModel *handle) : handle_(handle, sconce_model_free) {}

    static Model load(const std::string &path) { return load(path.c_str(), nullptr); }
    static Model load(const std::string &path, const Options &options) { return load(path.c_str(), options.get()); }

    /// From memory; the name is for messages, and its ending tells texts apart.
    static Model load_bytes(const std::string &name, std::string_view bytes) { return load_bytes(name, bytes, nullptr); }
    static Model load_bytes(const std::string &name, std::string_view bytes, const Options &options) {
        return load_bytes(name, bytes, options.get());
    }

    std::vector<std::string> method_names() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < sconce_model_method_count(get()); ++i) {
            names.push_back(detail::text_of(sconce_model_method_name(get(), i)));
        }
        return names;
    }

    /// The method of this name, which may lead through submodules: `layers.0.forward`.
    Method method(const std::string &name) const { return find(name.c_str()); }

    /// `forward`; of a program without a module the function that it was compiled for, else its first.
    Method method() const { return find(nullptr); }

    /// Calls `forward`. Who calls often keeps the method.
    template <typename... Arguments> Value operator()(const Arguments &...arguments) const {
        return method()(arguments...);
    }

    const SconceModel *get() const noexcept { return handle_.get(); }

private:
    static Model load(const char *path, const SconceOptions *options) {
        SconceModel *made = nullptr;
        detail::call(sconce_model_load, path, options, &made);
        return Model(made);
    }

    static Model load_bytes(const std::string &name, std::string_view bytes, const SconceOptions *options) {
        SconceModel *made = nullptr;
        const void *first = bytes.data();
        detail::call(sconce_model_load_bytes, name.c_str(), first, bytes.size(), options, &made);
        return Model(made);
    }

    Method find(const char *name) const {
        SconceMethod *made = nullptr;
        detail::call(sconce_model_method, get(), name, &made);
        return Method(made);
    }

    std::shared_ptr<SconceModel> handle_;
};

} // namespace sconce

#endif // SCONCE_HPP
