// Preloaded into a process under test: makes the n-th call of a kind fail, as a full disk, a dying disk or a machine
// without memory would.
//
//   trust_arm(kind, n, error)   the n-th call from now on fails with `error`, and so do all later ones if n < 0
//   trust_also(kind)            every call of this kind fails too, until trust_disarm
//   trust_disarm()              returns how many calls of the kind there were
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

enum Kind { kNothing, kWrite, kShortWrite, kSync, kRename, kOpen, kMode, kClose, kUnlink, kAllocation };

std::atomic<int> armed{kNothing};
std::atomic<int> also{kNothing};
std::atomic<long> calls{0};
long failing = 0;
int failure = 0;

// Whether this call must fail.
bool strikes(int kind) {
    if (also.load(std::memory_order_relaxed) == kind) return true;
    if (armed.load(std::memory_order_relaxed) != kind) return false;
    const long n = calls.fetch_add(1) + 1;
    return failing < 0 ? n >= -failing : n == failing;
}

bool refuses(int kind) {
    if (!strikes(kind)) return false;
    errno = failure;
    return true;
}

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void trust_arm(int kind, long n, int error) {
    failing = n, failure = error, calls = 0;
    armed = kind;
}

void trust_also(int kind) { also = kind; }

long trust_disarm() {
    armed = also = kNothing;
    return calls;
}

ssize_t write(int fd, const void* data, size_t n) {
    static const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
    if (fd > 2) {
        if (refuses(kWrite)) return -1;
        if (n > 1 && strikes(kShortWrite)) return call(fd, data, n / 2);
    }
    return call(fd, data, n);
}

int fsync(int fd) {
    static const auto call = real<int (*)(int)>("fsync");
    return refuses(kSync) ? -1 : call(fd);
}

int rename(const char* from, const char* to) {
    static const auto call = real<int (*)(const char*, const char*)>("rename");
    return refuses(kRename) ? -1 : call(from, to);
}

int chmod(const char* path, mode_t mode) {
    static const auto call = real<int (*)(const char*, mode_t)>("chmod");
    return refuses(kMode) ? -1 : call(path, mode);
}

int unlink(const char* path) {
    static const auto call = real<int (*)(const char*)>("unlink");
    return refuses(kUnlink) ? -1 : call(path);
}

int close(int fd) {
    static const auto call = real<int (*)(int)>("close");
    const int result = call(fd);
    return refuses(kClose) ? -1 : result;  // as NFS does: the descriptor is gone, and so is the data
}

int open64(const char* path, int flags, ...) {
    static const auto call = real<int (*)(const char*, int, mode_t)>("open64");
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return refuses(kOpen) ? -1 : call(path, flags, mode);
}

int open(const char* path, int flags, ...) {
    static const auto call = real<int (*)(const char*, int, mode_t)>("open");
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return refuses(kOpen) ? -1 : call(path, flags, mode);
}

}  // extern "C"

void* operator new(std::size_t n) {
    if (strikes(kAllocation)) throw std::bad_alloc();
    void* memory = std::malloc(n ? n : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}
void* operator new[](std::size_t n) { return operator new(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
    return strikes(kAllocation) ? nullptr : std::malloc(n ? n : 1);
}
void* operator new[](std::size_t n, const std::nothrow_t& t) noexcept { return operator new(n, t); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
