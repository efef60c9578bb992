/* Makes system calls of a process fail, for tools/faults/interruptions.py: loaded by LD_PRELOAD, it stands between the process and libc.

Only calls on files below one folder count: those that write, make, sync, rename, and delete. At the Nth of them the
process is killed, or the call fails, or it fails from there on; or all of them are written to a log, with their data.
Linux alone: what a descriptor is open for is read from /proc/self/fd. */
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

enum { NOTHING, KILL, FAIL_ONCE, FAIL_ON }; /* what happens at the Nth call */

static char folder[4096];
static size_t folder_length;
static long count, nth, action;
static int error, log_file = -1;
static char failing[64]; /* the letters of the calls that fail, such as "wtomr" */

/* Begin: from here on the process's calls count. */
void fault_arm(const char *below, const char *log, long n, int what, int code, const char *calls) {
    snprintf(folder, sizeof folder, "%s", below);
    folder_length = strlen(folder);
    snprintf(failing, sizeof failing, "%s", calls);
    count = 0, nth = n, action = what, error = code;
    log_file = *log ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

/* How many calls there were. */
long fault_count(void) { return count; }

static int below(const char *path) {
    return folder_length && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

/* The absolute path of a name, as seen from an open folder. Links are not followed. */
static int path_at(int at, const char *name, char *path, size_t size) {
    char base[4096], link[64];
    ssize_t length;
    if (!folder_length || !name) return 0;
    if (*name == '/') return snprintf(path, size, "%s", name), below(path);
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    snprintf(path, size, "%s/%s", base, name);
    return below(path);
}

static int path_of(int handle, char *path, size_t size) {
    char link[64];
    ssize_t length;
    if (!folder_length || handle < 3) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path);
}

static uint64_t inode_of(int handle) {
    struct stat status;
    return fstat(handle, &status) ? 0 : status.st_ino;
}

static void put(const void *data, size_t size) {
    const char *from = data;
    while (size) {
        ssize_t written = syscall(SYS_write, log_file, from, size);
        if (written <= 0) _exit(97); /* a log with a hole would say wrong things */
        from += written, size -= written;
    }
}

/* Write a record: a letter, inode, offset, and two texts or a text and data, each with its length. */
static void record(char call, uint64_t inode, int64_t offset, const char *path, const void *data, uint64_t size) {
    int saved = errno;
    uint64_t length = strlen(path);
    if (log_file >= 0) {
        put(&call, 1), put(&inode, 8), put(&offset, 8), put(&length, 8), put(path, length), put(&size, 8), put(data, size);
    }
    errno = saved;
}

/* Count a call; say whether it is to fail. */
static int fails(char call) {
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
    if (fails('w')) return -1;
    off_t offset = lseek(handle, 0, fcntl(handle, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    ssize_t done = real(handle, data, size);
    if (done > 0) record('w', inode_of(handle), offset, path, data, done);
    return done;
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle, data, size, offset);
    if (fails('w')) return -1;
    ssize_t done = real(handle, data, size, offset);
    if (done > 0) record('w', inode_of(handle), offset, path, data, done);
    return done;
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t offset) { return pwrite64(handle, data, size, offset); }

static int synced(int handle, const char *name) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle);
    if (fails('f')) return -1;
    int done = real(handle);
    if (!done) record('f', inode_of(handle), 0, path, "", 0);
    return done;
}

int fsync(int handle) { return synced(handle, "fsync"); }
int fdatasync(int handle) { return synced(handle, "fdatasync"); }

int ftruncate64(int handle, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    char path[4200];
    if (!path_of(handle, path, sizeof path)) return real(handle, length);
    if (fails('t')) return -1;
    int done = real(handle, length);
    if (!done) record('t', inode_of(handle), length, path, "", 0);
    return done;
}

int ftruncate(int handle, off_t length) { return ftruncate64(handle, length); }

static int opened(int at, const char *name, int flags, int mode) {
    REAL(int, "openat64", int, const char *, int, ...);
    char path[8400];
    struct stat before;
    if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE || !path_at(at, name, path, sizeof path))
        return real(at, name, flags, mode);
    int there = !fstatat(at, name, &before, 0);
    if (there && !(flags & O_TRUNC)) return real(at, name, flags, mode); /* nothing is made */
    if (fails('o')) return -1;
    int handle = real(at, name, flags, mode);
    if (handle >= 0) record(there ? 't' : 'o', inode_of(handle), 0, path, "", 0);
    return handle;
}

#define MODE                                    \
    va_list rest;                               \
    va_start(rest, flags);                      \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
    va_end(rest)

int open64(const char *name, int flags, ...) { MODE; return opened(AT_FDCWD, name, flags, mode); }
int open(const char *name, int flags, ...) { MODE; return opened(AT_FDCWD, name, flags, mode); }
int openat64(int at, const char *name, int flags, ...) { MODE; return opened(at, name, flags, mode); }
int openat(int at, const char *name, int flags, ...) { MODE; return opened(at, name, flags, mode); }

/* A call that changes names: unlink, rmdir, mkdir; rename and link have two. */
#define CHANGES(letter, at, name, at2, name2, call)                              \
    char path[8400], second[8400] = "";                                          \
    struct stat status;                                                          \
    if (!path_at(at, name, path, sizeof path)) return call;                      \
    path_at(at2, name2, second, sizeof second);                                  \
    if (fails(letter)) return -1;                                                \
    int done = call;                                                             \
    uint64_t inode = !done && letter == 'm' && !fstatat(at, name, &status, 0) ? status.st_ino : 0; \
    if (!done) record(letter, inode, 0, path, second, strlen(second));           \
    return done

int unlinkat(int at, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    if (flags & AT_REMOVEDIR) {
        CHANGES('d', at, name, 0, NULL, real(at, name, flags));
    }
    CHANGES('u', at, name, 0, NULL, real(at, name, flags));
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdirat(int at, const char *name, mode_t mode) {
    REAL(int, "mkdirat", int, const char *, mode_t);
    CHANGES('m', at, name, 0, NULL, real(at, name, mode));
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

int renameat(int at, const char *name, int at2, const char *name2) {
    REAL(int, "renameat", int, const char *, int, const char *);
    CHANGES('r', at, name, at2, name2, real(at, name, at2, name2));
}
int rename(const char *name, const char *name2) { return renameat(AT_FDCWD, name, AT_FDCWD, name2); }

int linkat(int at, const char *name, int at2, const char *name2, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    CHANGES('l', at, name, at2, name2, real(at, name, at2, name2, flags));
}
int link(const char *name, const char *name2) { return linkat(AT_FDCWD, name, AT_FDCWD, name2, 0); }
