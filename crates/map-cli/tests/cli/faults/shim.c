/* Loaded into `map` by the tests of faults (LD_PRELOAD): counts what it asks of the system, and makes one such
 * request fail.
 *
 * MAP_FAULT_COUNTS names a file, into which the counters are mapped: a 64-bit number for each kind, in the order of
 * `enum kind`. MAP_FAULT is "KIND N ERRNO", three numbers: the N-th request of that kind fails with that error; if N is
 * negative, so do all after it. MAP_FAULT_LARGE is the size in bytes from which an allocation counts.
 *
 * The programs that `map` starts do not inherit any of this. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum kind { OUT, ERR, FILE_WRITE, READ, SYNC, CREATE, FOLDER, RENAME, THREAD, PROCESS, MEMORY, KINDS };

static uint64_t own[KINDS];
static uint64_t *counts = own;
static int armed, chosen = KINDS, error;
static int64_t strike;
static size_t large = 64 << 10;

static int (*next_thread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*next_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                         char *const[], char *const[]);

/* Counts a request; whether it is to fail. */
static int fails(enum kind kind) {
    if (!armed) return 0;
    int64_t n = __atomic_add_fetch(&counts[kind], 1, __ATOMIC_SEQ_CST);
    return (int)kind == chosen && (n == strike || (strike < 0 && n >= -strike));
}

#define FAIL_IF(kind) \
    if (fails(kind)) { errno = error; return -1; }

static enum kind stream(int fd) { return fd == 1 ? OUT : fd == 2 ? ERR : FILE_WRITE; }

ssize_t write(int fd, const void *from, size_t length) {
    FAIL_IF(stream(fd))
    return syscall(SYS_write, fd, from, length);
}

ssize_t writev(int fd, const struct iovec *from, int parts) {
    FAIL_IF(stream(fd))
    return syscall(SYS_writev, fd, from, parts);
}

ssize_t read(int fd, void *to, size_t length) {
    FAIL_IF(READ)
    return syscall(SYS_read, fd, to, length);
}

int fsync(int fd) {
    FAIL_IF(SYNC)
    return syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    FAIL_IF(SYNC)
    return syscall(SYS_fdatasync, fd);
}

static int open_at(int folder, const char *path, int flags, va_list rest) {
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    if (flags & O_CREAT) FAIL_IF(CREATE)
    return syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        int fd = open_at(AT_FDCWD, path, flags, rest); \
        va_end(rest); \
        return fd; \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        int fd = open_at(folder, path, flags, rest); \
        va_end(rest); \
        return fd; \
    }
OPENAT(openat)
OPENAT(openat64)

int mkdir(const char *path, mode_t mode) {
    FAIL_IF(FOLDER)
    return syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int rename(const char *from, const char *to) {
    FAIL_IF(RENAME)
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    FAIL_IF(RENAME)
    return syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *with) {
    return fails(THREAD) ? error : next_thread(thread, attributes, start, with);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    return fails(PROCESS) ? error : next_spawn(pid, file, actions, attributes, arguments, environment);
}

int pipe2(int ends[2], int flags) {
    FAIL_IF(PROCESS)
    return syscall(SYS_pipe2, ends, flags);
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int no_memory(size_t size) {
    if (size < large || !fails(MEMORY)) return 0;
    errno = error;
    return 1;
}

void *malloc(size_t size) { return no_memory(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return no_memory(count * size) ? NULL : __libc_calloc(count, size); }

void *realloc(void *old, size_t size) { return no_memory(size) ? NULL : __libc_realloc(old, size); }

int posix_memalign(void **to, size_t alignment, size_t size) {
    if (no_memory(size)) return error;
    *to = __libc_memalign(alignment, size);
    return *to ? 0 : ENOMEM;
}

#ifdef __x86_64__
/* Some crates call the kernel without libc. A filter traps the calls that rename, if they come from the code of `map`
 * itself: neither from here nor from a program that it starts. */

static void trapped(int signal, siginfo_t *info, void *context) {
    greg_t *is = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)signal;
    if (fails(RENAME)) {
        is[REG_RAX] = -error;
        return;
    }
    long result = syscall(info->si_syscall, is[REG_RDI], is[REG_RSI], is[REG_RDX], is[REG_R10], is[REG_R8]);
    is[REG_RAX] = result < 0 ? -errno : result;
}

/* Where the code of the program lies: the first object is the program itself. */
static int find_code(struct dl_phdr_info *object, size_t size, void *found) {
    uint64_t *range = found;
    (void)size;
    for (int at = 0; at < object->dlpi_phnum; at++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[at];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            range[0] = object->dlpi_addr + part->p_vaddr;
            range[1] = range[0] + part->p_memsz;
        }
    }
    return 1;
}

#define WORD(field, half) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + half)
#define IF(test, value, yes, no) BPF_JUMP(BPF_JMP | BPF_K | test, value, yes, no)

static void trap_renames(void) {
    uint64_t code[2] = {0, 0};
    dl_iterate_phdr(find_code, code);
    if (!code[0] || code[0] >> 32 != code[1] >> 32) return;
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSYS, &action, NULL);
    struct sock_filter filter[] = {
        WORD(nr, 0),
        IF(BPF_JEQ, SYS_rename, 4, 0),
        IF(BPF_JEQ, SYS_renameat, 3, 0),
        IF(BPF_JEQ, SYS_renameat2, 2, 0),
        IF(BPF_JEQ, SYS_linkat, 1, 0),
        IF(BPF_JEQ, SYS_link, 0, 6),
        WORD(instruction_pointer, 4),
        IF(BPF_JEQ, code[0] >> 32, 0, 4),
        WORD(instruction_pointer, 0),
        IF(BPF_JGE, (uint32_t)code[0], 0, 2),
        IF(BPF_JGE, (uint32_t)code[1], 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void trap_renames(void) {}
#endif

__attribute__((constructor)) static void begin(void) {
    next_thread = dlsym(RTLD_NEXT, "pthread_create");
    next_spawn = dlsym(RTLD_NEXT, "posix_spawnp");
    const char *file = getenv("MAP_FAULT_COUNTS"), *fault = getenv("MAP_FAULT"), *size = getenv("MAP_FAULT_LARGE");
    if (size) large = strtoul(size, NULL, 10);
    long long n = 0;
    if (fault && sscanf(fault, "%d %lld %d", &chosen, &n, &error) == 3) strike = n;
    if (file) {
        int fd = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        void *mapped = MAP_FAILED;
        if (fd >= 0 && ftruncate(fd, sizeof own) == 0)
            mapped = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (mapped != MAP_FAILED) counts = mapped;
        close(fd);
    }
    for (char **name = (char *[]){"LD_PRELOAD", "MAP_FAULT", "MAP_FAULT_COUNTS", "MAP_FAULT_LARGE", NULL}; *name; name++)
        unsetenv(*name);
    trap_renames();
    armed = 1;
}
