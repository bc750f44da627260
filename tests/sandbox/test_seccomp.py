import errno
import struct

import pytest

from env_lib.sandbox import seccomp, syscalls

ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def answer(program, arch, number, *arguments):
    """Run a filter on one call, as the kernel would."""
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, arch, 0, *given)
    steps = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    at = held = 0
    while True:
        code, yes, no, k = steps[at]
        at += 1
        if code == 0x20:
            held = struct.unpack_from("=I", data, k)[0]
        elif code == 0x54:
            held &= k
        elif code == 0x06:
            return k
        else:
            test = {0x15: held == k, 0x25: held > k, 0x45: bool(held & k)}[code]
            at += yes if test else no


def refused(number):
    return 0x00050000 | number


@pytest.fixture(params=MACHINES)
def ask(request):
    column, arch = MACHINES[request.param]
    tables = (syscalls.FREE, syscalls.CHANGES, syscalls.CHECKED, syscalls.ABSENT)
    numbers = {name: number for text in tables for name, number in
               syscalls.table(text, column).items()}  # fmt: skip

    def ask(name, *arguments, sealed=False):
        number = numbers[name] if isinstance(name, str) else name
        return answer(seccomp.program(sealed, request.param), arch, number, *arguments)

    ask.numbers = numbers
    ask.machine = request.param
    return ask


def test_no_number_stands_twice(ask):
    assert len(set(ask.numbers.values())) == len(ask.numbers)
    assert all(0 <= number <= syscalls.LAST for number in ask.numbers.values())


def test_ordinary_calls_pass(ask):
    for name in ("read", "write", "close", "mmap", "futex", "getrandom", "exit_group", "lseek"):
        assert ask(name) == ALLOW
        assert ask(name, sealed=True) == ALLOW


def test_threads_are_allowed_and_processes_and_namespaces_are_not(ask):
    thread = 0x00010000 | 0x100 | 0x800
    assert ask("clone", thread) == ALLOW
    assert ask("clone", 17) == refused(errno.EPERM)
    for flag in (0x00020000, 0x02000000, 0x10000000, 0x40000000):
        assert ask("clone", thread | flag) == refused(errno.EPERM)
    assert ask("clone3") == refused(errno.ENOSYS)


def test_files_are_opened_as_landlock_allows_or_not_at_all(ask):
    assert ask("openat", 0, 0, 0) == ALLOW
    assert ask("openat", 0, 0, 0o1101) == ALLOW
    assert ask("openat", 0, 0, 0o1000) == refused(errno.EPERM)
    assert ask("openat", 0, 0, 0, sealed=True) == refused(errno.EACCES)
    assert ask("unlinkat") == ALLOW
    assert ask("unlinkat", sealed=True) == refused(errno.EPERM)


def test_descriptor_commands_cannot_make_the_kernel_signal_others(ask):
    assert ask("fcntl", 0, 4) == ALLOW
    for command in (8, 10, 15, 1024, 1026):
        assert ask("fcntl", 0, command) == refused(errno.EINVAL)
    assert ask("ioctl", 0, 0x5401) == ALLOW
    assert ask("ioctl", 0, 0x5412) == refused(errno.ENOTTY)


def test_sockets_are_connected_pairs_and_nothing_else(ask):
    assert ask("socketpair", 1, 1 | 0o2000000) == ALLOW
    assert ask("socketpair", 1, 2) == refused(errno.EPERM)
    assert ask("socketpair", 2, 1) == refused(errno.EPERM)
    assert ask("sendto", 0, 0, 0, 0, 0) == ALLOW
    for address in (1, 1 << 32):
        assert ask("sendto", 0, 0, 0, 0, address) == refused(errno.EPERM)


def test_limits_and_process_settings_of_others_are_out_of_reach(ask):
    assert ask("prlimit64", 0) == ALLOW
    assert ask("prlimit64", 1) == refused(errno.EPERM)
    for option in (1, 4, 22, 24, 38):
        assert ask("prctl", option) == refused(errno.EPERM)


def test_calls_that_are_not_in_the_table_are_refused(ask):
    listed = set(ask.numbers.values())
    for number in set(range(syscalls.LAST + 1)) - listed:
        assert ask(number) == refused(errno.EPERM)
    assert ask(syscalls.LAST + 1) == refused(errno.ENOSYS)
    assert ask(0x40000000) == refused(errno.ENOSYS)


def test_another_architecture_is_killed(ask):
    program = seccomp.program(False, ask.machine)
    assert answer(program, 0x40000003, 1) == KILL
