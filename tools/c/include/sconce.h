/* The C interface of Sconce's runtime: docs/c.md has its rules. Made by `cargo xtask c-header`; do not edit. */

#ifndef SCONCE_H
#define SCONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* dlpack.h of DLPack has them. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/**
 * The interface that this header describes. It is counted up when one of the structures of operators changes; libraries of another number are refused.
 */
#define SCONCE_OPERATORS_VERSION 1

/**
 * How a call went. Numbers are never used again for something else; later versions may have more of them.
 */
enum SconceStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It did what was asked.
     */
    SCONCE_STATUS_OK = 0,
    /**
     * The caller broke a rule of this interface: NULL where something is needed, an index out of range, a value of another kind, text that is not UTF-8.
     */
    SCONCE_STATUS_MISUSE = 1,
    /**
     * A file that cannot be read.
     */
    SCONCE_STATUS_IO = 2,
    /**
     * A file or bytes that hold no program, are damaged, or hold what is not supported.
     */
    SCONCE_STATUS_LOAD = 3,
    /**
     * Source or graph text that is wrong or not supported.
     */
    SCONCE_STATUS_SOURCE = 4,
    /**
     * Arguments that do not fit the method, or elements that no tensor can have.
     */
    SCONCE_STATUS_ARGUMENT = 5,
    /**
     * The program has nothing of that name.
     */
    SCONCE_STATUS_NOT_FOUND = 6,
    /**
     * The program raised an exception: the error has class, message and traceback, as of every run that ended early.
     */
    SCONCE_STATUS_RAISED = 7,
    /**
     * An operator refused its inputs, or there was no memory for its result.
     */
    SCONCE_STATUS_OPERATOR = 8,
    /**
     * The program calls an operator that this library does not have.
     */
    SCONCE_STATUS_MISSING_OPERATOR = 9,
    /**
     * The call wanted more than its limits allow: fuel or depth.
     */
    SCONCE_STATUS_LIMIT = 10,
    /**
     * The call was stopped, since its time was over.
     */
    SCONCE_STATUS_CANCELLED = 11,
    /**
     * Every task of the program waits for another.
     */
    SCONCE_STATUS_DEADLOCK = 12,
    /**
     * Something that only a compiler can do.
     */
    SCONCE_STATUS_NO_COMPILER = 13,
    /**
     * A compiler refused, failed, or answered something else.
     */
    SCONCE_STATUS_COMPILE = 14,
    /**
     * The program has no such thing, or it cannot be written so.
     */
    SCONCE_STATUS_UNSUPPORTED = 15,
    /**
     * Something else, which the message says.
     */
    SCONCE_STATUS_OTHER = 16,
    /**
     * A mistake in the library. Handles stay usable; please report it.
     */
    SCONCE_STATUS_INTERNAL = 17,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum SconceStatus SconceStatus;
#else
typedef int32_t SconceStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a value is.
 */
enum SconceKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * No value: the kind of NULL.
     */
    SCONCE_KIND_NOTHING = -1,
    SCONCE_KIND_NONE = 0,
    SCONCE_KIND_BOOL = 1,
    SCONCE_KIND_INT = 2,
    SCONCE_KIND_DOUBLE = 3,
    SCONCE_KIND_COMPLEX = 4,
    SCONCE_KIND_TENSOR = 5,
    SCONCE_KIND_STRING = 6,
    SCONCE_KIND_LIST = 7,
    SCONCE_KIND_DICT = 8,
    /**
     * Also a named tuple.
     */
    SCONCE_KIND_TUPLE = 9,
    SCONCE_KIND_DEVICE = 10,
    /**
     * An instance of a class of the program's.
     */
    SCONCE_KIND_OBJECT = 11,
    /**
     * A member of an enumeration of the program's.
     */
    SCONCE_KIND_ENUM = 12,
    SCONCE_KIND_FUTURE = 13,
    SCONCE_KIND_GENERATOR = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum SconceKind SconceKind;
#else
typedef int32_t SconceKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An element type. The discriminant is PyTorch's `c10::ScalarType` number, which is what TorchScript programs see as `int`.
 */
enum SconceDtype
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    SCONCE_DTYPE_U8 = 0,
    SCONCE_DTYPE_I8 = 1,
    SCONCE_DTYPE_I16 = 2,
    SCONCE_DTYPE_I32 = 3,
    SCONCE_DTYPE_I64 = 4,
    SCONCE_DTYPE_F16 = 5,
    SCONCE_DTYPE_F32 = 6,
    SCONCE_DTYPE_F64 = 7,
    SCONCE_DTYPE_C32 = 8,
    SCONCE_DTYPE_C64 = 9,
    SCONCE_DTYPE_C128 = 10,
    SCONCE_DTYPE_BOOL = 11,
    SCONCE_DTYPE_QI8 = 12,
    SCONCE_DTYPE_QU8 = 13,
    SCONCE_DTYPE_QI32 = 14,
    SCONCE_DTYPE_BF16 = 15,
    SCONCE_DTYPE_QU4X2 = 16,
    SCONCE_DTYPE_QU2X4 = 17,
    SCONCE_DTYPE_BITS1X8 = 18,
    SCONCE_DTYPE_BITS2X4 = 19,
    SCONCE_DTYPE_BITS4X2 = 20,
    SCONCE_DTYPE_BITS8 = 21,
    SCONCE_DTYPE_BITS16 = 22,
    SCONCE_DTYPE_F8E5M2 = 23,
    SCONCE_DTYPE_F8E4M3FN = 24,
    SCONCE_DTYPE_F8E5M2FNUZ = 25,
    SCONCE_DTYPE_F8E4M3FNUZ = 26,
    SCONCE_DTYPE_U16 = 27,
    SCONCE_DTYPE_U32 = 28,
    SCONCE_DTYPE_U64 = 29,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum SconceDtype SconceDtype;
#else
typedef uint8_t SconceDtype;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a call failed. It is the caller's, who frees it with sconce_error_free. Any number of threads may read it.
 */
typedef struct SconceError SconceError;

/**
 * A method of a model, or a function of a program. Any number of threads may use one handle at once.
 */
typedef struct SconceMethod SconceMethod;

/**
 * A loaded program. Any number of threads may use one handle at once, also to call its methods; what a method writes to the module's state the others see.
 */
typedef struct SconceModel SconceModel;

/**
 * How programs are loaded, and what their calls may use. One thread at a time may change it; a model keeps a copy.
 */
typedef struct SconceOptions SconceOptions;

/**
 * A tensor. Its dtype, sizes and strides stay what they are; what a program writes to its elements is seen, since a program's tensor and this one share memory.
 * Any number of threads may read one handle at once. Who writes elements while a call in another thread reads them has a race of their own.
 */
typedef struct SconceTensor SconceTensor;

/**
 * Text that the library made.
 */
typedef struct SconceText SconceText;

/**
 * A value of a program. Plain values and strings never change. A tensor shares its memory, and a list or dictionary is the program's own where a program has it:
 * one that was an argument or a result shows what the program does to it later. Any number of threads may read one handle at once.
 */
typedef struct SconceValue SconceValue;

/**
 * Arguments of a call; arrays without entries may be NULL. Handles stay the caller's. No member is ever added.
 */
typedef struct {
    /**
     * Those by position.
     */
    const SconceValue *const *positional;
    size_t positional_count;
    /**
     * Names of those by name.
     */
    const char *const *names;
    /**
     * As many values.
     */
    const SconceValue *const *named;
    size_t named_count;
} SconceArguments;

/**
 * Elements in the caller's memory. No member is ever added.
 */
typedef struct {
    /**
     * A SconceDtype.
     */
    int32_t dtype;
    /**
     * How many dimensions there are, at most 64.
     */
    size_t rank;
    /**
     * One a dimension.
     */
    const int64_t *sizes;
    /**
     * In elements, one a dimension and not negative; NULL where the elements lie row by row.
     */
    const int64_t *strides;
    /**
     * The first element.
     */
    const void *data;
    /**
     * How much memory there is from the first element on.
     */
    size_t bytes;
} SconceElements;

/**
 * A tensor of a call of an operator. It is the call's: all of it stays what it is until the operator returns.
 */
typedef struct {
    /**
     * A SconceDtype.
     */
    int32_t dtype;
    /**
     * How many dimensions there are.
     */
    size_t rank;
    /**
     * One a dimension.
     */
    const int64_t *sizes;
    /**
     * In elements, one a dimension and not negative.
     */
    const int64_t *strides;
    /**
     * The first element. Of an argument the elements may be written only if the schema says so (`Tensor(a!)`); of a tensor without elements it points to nothing.
     */
    void *data;
} SconceOperatorTensor;

/**
 * What a value of an operator holds, by its kind.
 */
typedef union {
    /**
     * Of an int; of a bool, 0 or 1.
     */
    int64_t integer;
    /**
     * Of a float.
     */
    double number;
    /**
     * Of a complex number: its real part, then the other.
     */
    double parts[2];
    /**
     * Of a string: its bytes, UTF-8 without a 0 at the end.
     */
    const char *text;
    /**
     * Of a tensor.
     */
    const SconceOperatorTensor *tensor;
    /**
     * Of a list or tuple: its items, each a SconceOperatorValue, one after the other.
     */
    const void *items;
} SconceOperatorData;

/**
 * An argument or result of an operator.
 */
typedef struct {
    /**
     * A SconceKind: none, bool, int, double, complex, tensor, string, list or tuple.
     */
    int32_t kind;
    /**
     * Of a string its bytes, of a list or tuple its items; else 0.
     */
    size_t count;
    SconceOperatorData data;
} SconceOperatorValue;

/**
 * A call of an operator. Nothing of it outlives the call: what is to stay is copied.
 */
typedef struct {
    /**
     * What SconceOperator.context was.
     */
    void *context;
    /**
     * As many as the schema has, those that the program leaves out with their defaults; each is of the type that the schema says.
     */
    const SconceOperatorValue *arguments;
    size_t argument_count;
    /**
     * Where results go, as many as the schema has, each of the type that it says; none of them is set at first. A tensor is one of new_tensor, or of the arguments
     * where the schema says that the result may be it (`Tensor(a)`).
     */
    SconceOperatorValue *results;
    size_t result_count;
    /**
     * Makes a tensor whose elements are 0 and lie row by row. NULL if there is none of this dtype or these sizes, or no memory: then return -1, and the call fails
     * with the reason. `host` is the call's.
     */
    const SconceOperatorTensor *(*new_tensor)(void *host, int32_t dtype, size_t rank, const int64_t *sizes);
    /**
     * Gives memory that lives until the end of the call and is all 0: for the items of a list that is a result, or the bytes of a string. NULL if there is not so
     * much; then return -1.
     */
    void *(*allocate)(void *host, size_t bytes);
    /**
     * Says why the call fails, in UTF-8 that ends with a 0, and gives -1: `return call->fail(call->host, "x must be a matrix");`
     */
    int32_t (*fail)(void *host, const char *message);
    /**
     * The process's own, which the functions above are given: by the thread that the operator was called in, one at a time.
     */
    void *host;
} SconceOperatorCall;

/**
 * An operator that a library adds.
 */
typedef struct {
    /**
     * SCONCE_OPERATORS_VERSION, of the header that the library was compiled with.
     */
    uint32_t version;
    /**
     * As PyTorch writes it: `mine::scale(Tensor x, float by=1.0) -> Tensor`. What it does not say the operator does not do: one that writes to an argument, or may
     * give it back, says so by `(a!)` and `(a)`. It is copied.
     */
    const char *schema;
    /**
     * What the operator does: it reads its arguments, sets its results, and returns 0; something else when it failed. It is called from any thread, also from several at
     * once. It must neither throw nor call longjmp.
     */
    int32_t (*function)(SconceOperatorCall *call);
    /**
     * What calls find as their context; it stays what it is as long as the process lives. May be NULL.
     */
    void *context;
} SconceOperator;

/**
 * Where a library adds its operators.
 */
typedef struct {
    /**
     * The SCONCE_OPERATORS_VERSION of the process.
     */
    uint32_t version;
    /**
     * Adds an operator, and gives 0; something else when it was refused. The process says why, and takes none of the library's operators.
     */
    int32_t (*add)(void *host, const SconceOperator *added);
    /**
     * The process's own, which `add` is given.
     */
    void *host;
} SconceOperatorRegistry;

/**
 * The one function that a library of operators has for others, called `sconce_register_operators`. It is called once, when the library is loaded, adds the
 * library's operators, and returns 0; something else when it failed.
 */
typedef int32_t (*SconceRegisterOperators)(const SconceOperatorRegistry *registry);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, such as `0.1.0`. The text lives as long as the process.
 */
const char *sconce_version(void);

/**
 * How many threads one operator may use (`torch.get_num_threads`).
 */
size_t sconce_num_threads(void);

/**
 * Bounds the threads that one operator may use, for the whole process (`torch.set_num_threads`). No result depends on it. With 1 a call stays on its caller's
 * thread, which is best where many threads call.
 *
 * `threads` is from 1 to 1024.
 */
SconceStatus sconce_set_num_threads(size_t threads,
                                    SconceError **error);

/**
 * Loads a shared library that has operators, and makes them known to the whole process: programs that are loaded from now on may call them. It stays loaded; the same
 * file again does nothing. How such a library is written SconceRegisterOperators says, and the structures of operators.
 *
 * `path` is of any bytes that end with a 0. The library's code runs in this process. A library one of whose operators is refused has none (SCONCE_STATUS_LOAD).
 */
SconceStatus sconce_load_operators(const char *path,
                                   SconceError **error);

/**
 * Seeds the generator that programs draw from where they name none, for the whole process (`torch.manual_seed`).
 */
void sconce_manual_seed(uint64_t seed);

/**
 * The status of the call that made the error; SCONCE_STATUS_OK of NULL.
 */
SconceStatus sconce_error_status(const SconceError *error);

/**
 * All that there is to say, as PyTorch's exceptions have it: of a run that failed with its traceback and the lines of the source. It lives as long as the error;
 * of NULL it is NULL.
 */
const char *sconce_error_text(const SconceError *error);

/**
 * The message alone: of a run that failed without its traceback and class. It lives as long as the error; of NULL it is NULL.
 */
const char *sconce_error_message(const SconceError *error);

/**
 * The class of the exception that ended a run, such as `RuntimeError` or `builtins.ValueError`; of other errors the empty text. It lives as long as the error;
 * of NULL it is NULL.
 */
const char *sconce_error_class(const SconceError *error);

/**
 * How many functions of the program were running when a run failed; 0 of other errors and of NULL.
 */
size_t sconce_error_frame_count(const SconceError *error);

/**
 * The name of a function that was running; 0 is the outermost. It lives as long as the error; NULL of an index out of range.
 */
const char *sconce_error_frame_function(const SconceError *error,
                                        size_t index);

/**
 * The file of the place where that function was. It lives as long as the error; NULL where the program does not say, and of an index out of range.
 */
const char *sconce_error_frame_file(const SconceError *error,
                                    size_t index);

/**
 * The line of the place where that function was, from 1; 0 where the program does not say, and of an index out of range.
 */
uint32_t sconce_error_frame_line(const SconceError *error,
                                 size_t index);

/**
 * Frees an error, and every text that it gave. NULL is nothing.
 */
void sconce_error_free(SconceError *error);

/**
 * Makes options that limit nothing but calls inside calls. On success `*options` is the caller's, freed by sconce_options_free.
 */
SconceStatus sconce_options_new(SconceOptions **options,
                                SconceError **error);

/**
 * Bounds the instructions of each call, by all tasks of the call together; docs/limits.md says what operators cost.
 */
SconceStatus sconce_options_set_fuel(SconceOptions *options, uint64_t instructions, SconceError **error);

/**
 * Bounds how deep calls may lie in each other inside each call; 1000 unless set.
 */
SconceStatus sconce_options_set_depth(SconceOptions *options, size_t calls, SconceError **error);

/**
 * Bounds the time of each call, in nanoseconds. It is looked at between instructions: an operator that runs is waited for.
 */
SconceStatus sconce_options_set_time(SconceOptions *options,
                                     uint64_t nanoseconds,
                                     SconceError **error);

/**
 * Bounds the memory of tensors, in bytes: of all tensors of the process, from the next load with these options on. What goes beyond fails as an operator does.
 */
SconceStatus sconce_options_set_memory(SconceOptions *options,
                                       size_t bytes,
                                       SconceError **error);

/**
 * Frees options; models that were loaded with them stay. NULL is nothing.
 */
void sconce_options_free(SconceOptions *options);

/**
 * Loads a program from a file: an archive of TorchScript, TorchScript source, graph text or a compiled `.sconce` program, by what is in it. The file may be
 * changed or removed afterwards.
 *
 * `options` may be NULL. On success `*model` is the caller's, freed by sconce_model_free.
 */
SconceStatus sconce_model_load(const char *path,
                               const SconceOptions *options,
                               SconceModel **model,
                               SconceError **error);

/**
 * The same from memory: `length` bytes, of which nothing is needed afterwards. `name` is for messages, and its ending tells texts apart: `model.py`, `relu.txt`.
 */
SconceStatus sconce_model_load_bytes(const char *name,
                                     const void *bytes,
                                     size_t length,
                                     const SconceOptions *options,
                                     SconceModel **model,
                                     SconceError **error);

/**
 * How many methods a module has; of a program without one, how many functions. 0 of NULL.
 */
size_t sconce_model_method_count(const SconceModel *model);

/**
 * The name of a method, from 0. It lives as long as the model; NULL of an index out of range.
 */
const char *sconce_model_method_name(const SconceModel *model, size_t index);

/**
 * Finds a method by its name, which may lead through submodules: `layers.0.forward`. `name` may be NULL: then it is `forward`; of a program without a module
 * the function that it was compiled for, else its first.
 *
 * On success `*method` is the caller's, freed by sconce_method_free; it outlives the model's handle.
 */
SconceStatus sconce_model_method(const SconceModel *model,
                                 const char *name,
                                 SconceMethod **method,
                                 SconceError **error);

/**
 * Frees a handle; methods that were found stay. NULL is nothing.
 */
void sconce_model_free(SconceModel *model);

/**
 * The name that the method was found by. It lives as long as the handle; NULL of NULL.
 */
const char *sconce_method_name(const SconceMethod *method);

/**
 * How many parameters it has, without the module itself; 0 of NULL.
 */
size_t sconce_method_parameter_count(const SconceMethod *method);

/**
 * The name of a parameter, from 0. It lives as long as the handle; NULL of an index out of range.
 */
const char *sconce_method_parameter_name(const SconceMethod *method, size_t index);

/**
 * The type of a parameter as TorchScript writes it: `Tensor`, `List[int]`. It lives as long as the handle; NULL of an index out of range.
 */
const char *sconce_method_parameter_type(const SconceMethod *method,
                                         size_t index);

/**
 * Whether a parameter may be left out, since the program declares a value for it; false of an index out of range.
 */
bool sconce_method_parameter_has_default(const SconceMethod *method, size_t index);

/**
 * How many results it gives; several come as a tuple. 0 of NULL.
 */
size_t sconce_method_result_count(const SconceMethod *method);

/**
 * The type of a result as TorchScript writes it, from 0. It lives as long as the handle; NULL of an index out of range.
 */
const char *sconce_method_result_type(const SconceMethod *method, size_t index);

/**
 * Calls a method; declared defaults stand for arguments that are not given. `arguments` may be NULL where there are none. Any number of threads may call at once,
 * as long as none writes to an argument that another uses.
 *
 * On success `*result` is the caller's, freed by sconce_value_free: `None` of a method that gives nothing, a tuple of one that gives several. The error of a
 * run that fails has a traceback. One that wants more than the model's options allow gives SCONCE_STATUS_LIMIT, and where its time is over SCONCE_STATUS_CANCELLED.
 * What the program prints goes to standard output.
 */
SconceStatus sconce_method_call(const SconceMethod *method,
                                const SconceArguments *arguments,
                                SconceValue **result,
                                SconceError **error);

/**
 * Frees a handle. NULL is nothing.
 */
void sconce_method_free(SconceMethod *method);

/**
 * The name of a dtype, such as `float32`, which lives as long as the process; NULL of a number that is none.
 */
const char *sconce_dtype_name(int32_t dtype);

/**
 * The bytes of one element of a dtype; 0 of a number that is none.
 */
size_t sconce_dtype_size(int32_t dtype);

/**
 * Makes a tensor of a copy of elements, which may be of any alignment. Nothing of them is needed afterwards. On success `*tensor` is the caller's, freed by
 * sconce_tensor_free.
 */
SconceStatus sconce_tensor_copy(const SconceElements *elements,
                                SconceTensor **tensor,
                                SconceError **error);

/**
 * Makes a tensor over the caller's memory, without a copy: what either writes the other sees. A program may write to its arguments, so the memory must be
 * writable, and aligned as elements of the dtype are; what may only be read is copied by sconce_tensor_copy.
 *
 * Memory and `context` stay the caller's until `release(context)` is called: exactly once, also when this function fails, and from whichever thread lets the last
 * tensor over the memory go; a module may keep it. It must neither throw nor call longjmp. `release` may be NULL where the memory outlives all tensors.
 * On success `*tensor` is the caller's, freed by sconce_tensor_free.
 */
SconceStatus sconce_tensor_borrow(const SconceElements *elements,
                                  void (*release)(void *context),
                                  void *context,
                                  SconceTensor **tensor,
                                  SconceError **error);

/**
 * The SconceDtype of a tensor's elements; -1 of NULL.
 */
int32_t sconce_tensor_dtype(const SconceTensor *tensor);

/**
 * How many dimensions a tensor has; 0 of NULL.
 */
size_t sconce_tensor_rank(const SconceTensor *tensor);

/**
 * The sizes of a tensor, one a dimension. They live as long as the handle; NULL of NULL.
 */
const int64_t *sconce_tensor_sizes(const SconceTensor *tensor);

/**
 * How many elements lie between neighbours of each dimension. They live as long as the handle; NULL of NULL.
 */
const int64_t *sconce_tensor_strides(const SconceTensor *tensor);

/**
 * How many elements a tensor has; 0 of NULL.
 */
size_t sconce_tensor_element_count(const SconceTensor *tensor);

/**
 * Whether the elements lie row by row without gaps; false of NULL.
 */
bool sconce_tensor_is_contiguous(const SconceTensor *tensor);

/**
 * The first element of a tensor; the others lie from there as the strides say. The memory lives, and stays where it is, as long as the handle; it may be written
 * while no call has the tensor. NULL of NULL; of a tensor without elements it points to nothing.
 */
void *sconce_tensor_data(const SconceTensor *tensor);

/**
 * The same elements row by row: over the same memory where they lie so, else a copy. On success `*contiguous` is the caller's, freed by sconce_tensor_free.
 */
SconceStatus sconce_tensor_contiguous(const SconceTensor *tensor,
                                      SconceTensor **contiguous,
                                      SconceError **error);

/**
 * Frees a handle. The memory goes with the last tensor over it. NULL is nothing.
 */
void sconce_tensor_free(SconceTensor *tensor);

/**
 * Gives a tensor to another library as a structure of DLPack 1 (dlpack.h), over the same memory. On success `*managed` is the caller's or whoever takes it over,
 * who calls its deleter once, from any thread; the memory lives at least until then. Fails for dtypes that DLPack does not have.
 */
SconceStatus sconce_tensor_to_dlpack(const SconceTensor *tensor,
                                     struct DLManagedTensorVersioned **managed,
                                     SconceError **error);

/**
 * The same as a structure of DLPack before version 1.
 */
SconceStatus sconce_tensor_to_dlpack_unversioned(const SconceTensor *tensor,
                                                 struct DLManagedTensor **managed,
                                                 SconceError **error);

/**
 * Makes a tensor of another library's, over the same memory; of a copy where that may only be read, is not aligned or has negative strides.
 *
 * The structure is taken over, also when this function fails: its deleter is called exactly once, when the last tensor over the memory goes, from whichever
 * thread lets it go. On success `*tensor` is the caller's, freed by sconce_tensor_free. Fails for memory that the processor does not read.
 */
SconceStatus sconce_tensor_from_dlpack(struct DLManagedTensorVersioned *managed,
                                       SconceTensor **tensor,
                                       SconceError **error);

/**
 * The same of a structure of DLPack before version 1.
 */
SconceStatus sconce_tensor_from_dlpack_unversioned(struct DLManagedTensor *managed,
                                                   SconceTensor **tensor,
                                                   SconceError **error);

/**
 * Makes `None`. As all values it is the caller's, freed by sconce_value_free.
 */
SconceStatus sconce_value_from_none(SconceValue **value, SconceError **error);

/**
 * Makes a bool.
 */
SconceStatus sconce_value_from_bool(bool from, SconceValue **value, SconceError **error);

/**
 * Makes an int. Where a parameter is a float or complex it becomes one.
 */
SconceStatus sconce_value_from_int(int64_t from, SconceValue **value, SconceError **error);

/**
 * Makes a float, which TorchScript keeps as a double.
 */
SconceStatus sconce_value_from_double(double from, SconceValue **value, SconceError **error);

/**
 * Makes a complex number.
 */
SconceStatus sconce_value_from_complex(double real, double imaginary, SconceValue **value, SconceError **error);

/**
 * Makes a string of a copy of `length` bytes, which must be UTF-8 and may have zeros inside.
 */
SconceStatus sconce_value_from_string(const char *from, size_t length, SconceValue **value, SconceError **error);

/**
 * Makes a value of a tensor, over the same memory. The handle of the tensor stays the caller's.
 */
SconceStatus sconce_value_from_tensor(const SconceTensor *tensor, SconceValue **value, SconceError **error);

/**
 * Makes a list of `count` values, whose handles stay the caller's. Its elements have the type that the values have in common; an empty list is of whatever type
 * the parameter has that it is given to.
 */
SconceStatus sconce_value_from_list(const SconceValue *const *values,
                                    size_t count,
                                    SconceValue **value,
                                    SconceError **error);

/**
 * Makes a tuple of `count` values, whose handles stay the caller's.
 */
SconceStatus sconce_value_from_tuple(const SconceValue *const *values,
                                     size_t count,
                                     SconceValue **value,
                                     SconceError **error);

/**
 * Makes a dictionary of `count` keys and as many values, whose handles stay the caller's. Keys are strings, numbers, bools or tensors; of two equal ones the later
 * counts.
 */
SconceStatus sconce_value_from_dict(const SconceValue *const *keys,
                                    const SconceValue *const *values,
                                    size_t count,
                                    SconceValue **value,
                                    SconceError **error);

/**
 * What a value is; SCONCE_KIND_NOTHING of NULL.
 */
SconceKind sconce_value_kind(const SconceValue *value);

/**
 * Reads a bool.
 */
SconceStatus sconce_value_as_bool(const SconceValue *value, bool *to, SconceError **error);

/**
 * Reads an int.
 */
SconceStatus sconce_value_as_int(const SconceValue *value, int64_t *to, SconceError **error);

/**
 * Reads a float; an int or bool is converted.
 */
SconceStatus sconce_value_as_double(const SconceValue *value, double *to, SconceError **error);

/**
 * Reads a complex number.
 */
SconceStatus sconce_value_as_complex(const SconceValue *value, double *real, double *imaginary, SconceError **error);

/**
 * Reads a string: UTF-8 that ends with a 0 and may have others inside, and its bytes without that end; `length` may be NULL. It lives as long as the handle.
 */
SconceStatus sconce_value_as_string(const SconceValue *value,
                                    const char **to,
                                    size_t *length,
                                    SconceError **error);

/**
 * Reads a tensor, over the same memory. On success `*tensor` is the caller's, freed by sconce_tensor_free; it outlives the value.
 */
SconceStatus sconce_value_as_tensor(const SconceValue *value,
                                    SconceTensor **tensor,
                                    SconceError **error);

/**
 * How many items a list, tuple or dictionary has.
 */
SconceStatus sconce_value_length(const SconceValue *value, size_t *length, SconceError **error);

/**
 * Takes an item of a list or tuple, from 0. On success `*item` is the caller's, freed by sconce_value_free; it outlives the container.
 */
SconceStatus sconce_value_item(const SconceValue *value,
                               size_t index,
                               SconceValue **item,
                               SconceError **error);

/**
 * Takes an entry of a dictionary, from 0 in the order of insertion. On success `*key` and `*item` are the caller's, freed by sconce_value_free.
 */
SconceStatus sconce_value_entry(const SconceValue *value,
                                size_t index,
                                SconceValue **key,
                                SconceValue **item,
                                SconceError **error);

/**
 * Takes the item that a dictionary has for a key; `*item` is NULL where it has none. It is the caller's, freed by sconce_value_free.
 */
SconceStatus sconce_value_lookup(const SconceValue *value,
                                 const SconceValue *of,
                                 SconceValue **item,
                                 SconceError **error);

/**
 * A value as Python prints it. On success `*text` is the caller's, freed by sconce_text_free.
 */
SconceStatus sconce_value_to_text(const SconceValue *value, SconceText **text, SconceError **error);

/**
 * Frees a handle; other handles of what is in it stay. NULL is nothing.
 */
void sconce_value_free(SconceValue *value);

/**
 * The text: UTF-8 that ends with a 0. It lives as long as the handle; NULL of NULL.
 */
const char *sconce_text_data(const SconceText *text);

/**
 * The bytes of a text, without the 0 at its end; 0 of NULL.
 */
size_t sconce_text_length(const SconceText *text);

/**
 * Frees a text. NULL is nothing.
 */
void sconce_text_free(SconceText *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SCONCE_H */
