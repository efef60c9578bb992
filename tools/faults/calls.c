/* Intercepts libc calls of a process and makes them fail, for tools/faults/interruptions.py. Load it with LD_PRELOAD.

Only calls on files below one folder count: those that write, create, sync, rename or delete. At the Nth of them, the
library kills the process or lets this call, or this and all later calls, fail. It can also write all calls to a log,
with their data. It runs only on Linux, because it reads the paths of descriptors from /proc/self/fd. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOTHING, KILL, FAIL_ONCE, FAIL_ON }; /* the action at the Nth call */

static char folder[4096];
static size_t folder_length;
static long count, nth, action;
static int error, log_file = -1;
static char failing[64]; /* the letters of the calls that fail, such as "wtomr" */

/* Start counting and intercepting the calls of this process. */
void fault_arm(const char *watched, const char *log, long n, int new_action, int code, const char *calls) {
    snprintf(folder, sizeof folder, "%s", watched);
    folder_length = strlen(folder);
    snprintf(failing, sizeof failing, "%s", calls);
    count = 0, nth = n, action = new_action, error = code;
    log_file = *log ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

/* Return the number of calls. */
long fault_count(void) { return count; }

static int in_folder(const char *path) {
    return folder_length && !strncmp(path, folder, folder_length) &&
           (path[folder_length] == '/' || !path[folder_length]);
}

/* Write the absolute path of a name relative to an open folder to `path`, without following links. Return whether the
 * path is in the watched folder. */
static int resolve_path(int at, const char *name, char *path, size_t size) {
    char base[4096], link[64];
    ssize_t length;
    if (!folder_length || !name) return 0;
    if (*name == '/') return snprintf(path, size, "%s", name), in_folder(path);
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    snprintf(path, size, "%s/%s", base, name);
    return in_folder(path);
}

static int path_of(int handle, char *path, size_t size) {
    char link[64];
    ssize_t length;
    if (!folder_length || handle < 3) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return in_folder(path);
}

static uint64_t inode_of(int handle) {
    struct stat status;
    return fstat(handle, &status) ? 0 : status.st_ino;
}

static void write_log(const void *data, size_t size) {
    const char *from = data;
    while (size) {
        ssize_t written = syscall(SYS_write, log_file, from, size);
        if (written <= 0) _exit(97); /* an incomplete log would be wrong */
        from += written, size -= written;
    }
}

/* Log a call: its letter, inode, offset, path with length, and data or second path with length. */
static void record(char call, uint64_t inode, int64_t offset, const char *path, const void *data, uint64_t size) {
    int saved = errno;
    uint64_t length = strlen(path);
    if (log_file >= 0) {
        write_log(&call, 1), write_log(&inode, 8), write_log(&offset, 8);
        write_log(&length, 8), write_log(path, length), write_log(&size, 8), write_log(data, size);
    }
    errno = saved;
}

/* Count a call and return whether it must fail. */
static int must_fail(char call) {
    long number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (action == KILL && number == nth) syscall(SYS_kill, getpid(), SIGKILL);
    if ((action == FAIL_ONCE && number == nth) || (action == FAIL_ON && number >= nth)) {
        if (strchr(failing, call)) {
            errno = error;
            return 1;
        }
    }
    return 0;
}

#define REAL(type, name, ...)                                 \
    static type (*real)(__VA_ARGS__);                         \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int handle, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle, data, size);
    if (must_fail('w')) return -1;
    off_t offset = lseek(handle, 0, fcntl(handle, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    ssize_t done = real(handle, data, size);
    if (done > 0) record('w', inode_of(handle), offset, path, data, done);
    return done;
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle, data, size, offset);
    if (must_fail('w')) return -1;
    ssize_t done = real(handle, data, size, offset);
    if (done > 0) record('w', inode_of(handle), offset, path, data, done);
    return done;
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t offset) { return pwrite64(handle, data, size, offset); }

static int intercept_sync(int handle, const char *name) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle);
    if (must_fail('f')) return -1;
    int done = real(handle);
    if (!done) record('f', inode_of(handle), 0, path, "", 0);
    return done;
}

int fsync(int handle) { return intercept_sync(handle, "fsync"); }
int fdatasync(int handle) { return intercept_sync(handle, "fdatasync"); }

int ftruncate64(int handle, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle, length);
    if (must_fail('t')) return -1;
    int done = real(handle, length);
    if (!done) record('t', inode_of(handle), length, path, "", 0);
    return done;
}

int ftruncate(int handle, off_t length) { return ftruncate64(handle, length); }

static int intercept_open(int at, const char *name, int flags, int mode) {
    REAL(int, "openat64", int, const char *, int, ...);
    char path[8400];
    struct stat before;
    if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE || !resolve_path(at, name, path, sizeof path))
        return real(at, name, flags, mode);
    int there = !fstatat(at, name, &before, 0);
    if (there && !(flags & O_TRUNC)) return real(at, name, flags, mode); /* nothing is created */
    if (must_fail('o')) return -1;
    int handle = real(at, name, flags, mode);
    if (handle >= 0) record(there ? 't' : 'o', inode_of(handle), 0, path, "", 0);
    return handle;
}

#define MODE                                    \
    va_list rest;                               \
    va_start(rest, flags);                      \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
    va_end(rest)

int open64(const char *name, int flags, ...) { MODE; return intercept_open(AT_FDCWD, name, flags, mode); }
int open(const char *name, int flags, ...) { MODE; return intercept_open(AT_FDCWD, name, flags, mode); }
int openat64(int at, const char *name, int flags, ...) { MODE; return intercept_open(at, name, flags, mode); }
int openat(int at, const char *name, int flags, ...) { MODE; return intercept_open(at, name, flags, mode); }

/* The body of a call that changes names: unlink, rmdir, mkdir, rename or link. The last two have a second name. */
#define CHANGE_NAMES(letter, at, name, at2, name2, call)                              \
    char path[8400], second[8400] = "";                                          \
    struct stat status;                                                          \
    if (!resolve_path(at, name, path, sizeof path)) return call;                      \
    resolve_path(at2, name2, second, sizeof second);                                  \
    if (must_fail(letter)) return -1;                                                \
    int done = call;                                                             \
    uint64_t inode = !done && letter == 'm' && !fstatat(at, name, &status, 0) ? status.st_ino : 0; \
    if (!done) record(letter, inode, 0, path, second, strlen(second));           \
    return done

int unlinkat(int at, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    if (flags & AT_REMOVEDIR) {
        CHANGE_NAMES('d', at, name, 0, NULL, real(at, name, flags));
    }
    CHANGE_NAMES('u', at, name, 0, NULL, real(at, name, flags));
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdirat(int at, const char *name, mode_t mode) {
    REAL(int, "mkdirat", int, const char *, mode_t);
    CHANGE_NAMES('m', at, name, 0, NULL, real(at, name, mode));
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

int renameat(int at, const char *name, int at2, const char *name2) {
    REAL(int, "renameat", int, const char *, int, const char *);
    CHANGE_NAMES('r', at, name, at2, name2, real(at, name, at2, name2));
}
int rename(const char *name, const char *name2) { return renameat(AT_FDCWD, name, AT_FDCWD, name2); }

int linkat(int at, const char *name, int at2, const char *name2, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    CHANGE_NAMES('l', at, name, at2, name2, real(at, name, at2, name2, flags));
}
int link(const char *name, const char *name2) { return linkat(AT_FDCWD, name, AT_FDCWD, name2, 0); }
