"""Programs that try to get out: each defines `attack()` and returns "escaped" if it did.

`OWNER` is the process id of whoever owns the sandbox, `SECRET` a file that only it may read,
`OUTSIDE` a folder that only it may write to, `HOME` its home, `PORT` where it listens.
"""

RAW = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    return libc.syscall(number, *arguments)
"""

CONTAINMENT = {
    "loops_forever": """
def attack():
    while True:
        pass
""",
    "loops_at_import": """
while True:
    pass
""",
    "ignores_every_signal": """
import signal
def attack():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
""",
    "swallows_every_exception": """
def attack():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""",
    "sleeps_past_the_deadline": """
import time
def attack():
    time.sleep(60)
    return "escaped"
""",
    "leaves_a_sleeping_thread": """
import threading, time
def attack():
    threading.Thread(target=time.sleep, args=(60,)).start()
    time.sleep(60)
    return "escaped"
""",
    "leaves_a_thread_and_returns": """
import threading, time
def attack():
    threading.Thread(target=time.sleep, args=(60,)).start()
    return "returned"
""",
    "writes_to_the_owners_home": """
import os
def attack():
    with open(os.path.join(HOME, ".written-by-an-attack"), "w") as file:
        file.write("x")
    return "escaped"
""",
    "forks_many": """
import os
def attack():
    made = 0
    for _ in range(50):
        try:
            if os.fork() == 0:
                os._exit(0)
            made += 1
        except OSError:
            pass
    return "escaped" if made else "stopped"
""",
    "double_forks_to_outlive_the_run": """
import os, time
def attack():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    return "escaped"
""",
    "starts_a_program": """
import subprocess
def attack():
    return "escaped" if subprocess.run(["/bin/true"]).returncode == 0 else "stopped"
""",
    "starts_a_shell": """
import os
def attack():
    return "escaped" if os.system("true") == 0 else "stopped"
""",
    "replaces_itself": """
import os
def attack():
    os.execv("/bin/true", ["true"])
""",
    "spawns_by_posix": """
import os
def attack():
    return "escaped" if os.posix_spawn("/bin/true", ["true"], {}) else "stopped"
""",
    "takes_all_memory": """
def attack():
    held = []
    for _ in range(100):
        held.append(bytearray(64 << 20))
    return "escaped"
""",
    "recurses_without_end": """
import sys
def attack():
    sys.setrecursionlimit(10 ** 9)
    def deeper():
        return deeper() + 1
    deeper()
    return "escaped"
""",
    "prints_without_end": """
def attack():
    for _ in range(100):
        print("x" * 100_000)
    return "escaped"
""",
    "writes_a_huge_file": """
def attack():
    with open("huge", "wb") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))
    return "escaped"
""",
    "writes_files_without_end": """
def attack():
    number = 0
    while True:
        number += 1
        with open(f"file{number}", "wb") as file:
            file.write(bytes(1 << 19))
""",
    "opens_without_end": """
import os
def attack():
    for _ in range(1000):
        os.dup(0)
    return "escaped"
""",
    "starts_threads_without_end": """
import threading, time
def attack():
    for _ in range(1000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return "escaped"
""",
    "writes_outside": """
def attack():
    with open(OUTSIDE + "/written", "w") as file:
        file.write("x")
    return "escaped"
""",
    "writes_to_shared_folders": """
import os
def attack():
    for folder in ("/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~root"), "/"):
        try:
            with open(folder + "/walled-escape", "w") as file:
                file.write("x")
            return "escaped"
        except OSError:
            pass
""",
    "writes_beside_the_interpreter": """
import os
def attack():
    with open(os.path.dirname(os.__file__) + "/walled_escape.py", "w") as file:
        file.write("x")
    return "escaped"
""",
    "changes_modes_outside": """
import os
def attack():
    os.chmod(SECRET, 0o777)
    return "escaped"
""",
    "changes_times_outside": """
import os
def attack():
    os.utime(SECRET, (0, 0))
    return "escaped"
""",
    "truncates_outside": """
import os
def attack():
    for way in (
        lambda: os.truncate(SECRET, 0),
        lambda: os.open(SECRET, os.O_RDONLY | os.O_TRUNC),
        lambda: os.open(SECRET, os.O_WRONLY | os.O_TRUNC),
    ):
        try:
            way()
            return "escaped"
        except OSError:
            pass
""",
    "reads_a_secret_file": """
def attack():
    with open(SECRET) as file:
        return "escaped" if file.read() else "stopped"
""",
    "reads_system_files": """
def attack():
    with open("/etc/passwd") as file:
        return "escaped" if file.read() else "stopped"
""",
    "lists_the_repository": """
import os
def attack():
    return "escaped" if os.listdir(OUTSIDE) is not None else "stopped"
""",
    "reads_through_a_symlink": """
import os
def attack():
    os.symlink(SECRET, "link")
    with open("link") as file:
        return "escaped" if file.read() else "stopped"
""",
    "reads_through_a_hard_link": """
import os
def attack():
    os.link(SECRET, "link")
    return "escaped"
""",
    "climbs_out_of_its_folder": """
def attack():
    for depth in range(1, 12):
        try:
            with open("../" * depth + SECRET.lstrip("/")) as file:
                return "escaped" if file.read() else "stopped"
        except OSError:
            pass
""",
    "removes_its_neighbour_folders": """
import os
def attack():
    os.rmdir("../k")
    return "escaped"
""",
    "moves_its_own_folder": """
import os
def attack():
    os.rename(os.getcwd(), os.getcwd() + "-moved")
    return "escaped"
""",
    "reads_secrets_of_its_environment": """
import os
def attack():
    return "escaped" if any("needle" in value for value in os.environ.values()) else "stopped"
""",
    "reads_the_environment_of_others": """
import os
def attack():
    for pid in ("self", os.getppid(), OWNER):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if file.read():
                    return "escaped"
        except OSError:
            pass
""",
    "reads_the_memory_of_others": """
import os
def attack():
    for pid in (os.getppid(), OWNER):
        try:
            os.open(f"/proc/{pid}/mem", os.O_RDONLY)
            return "escaped"
        except OSError:
            pass
""",
    "signals_its_parent_and_owner": """
import os
def attack():
    for pid in (os.getppid(), OWNER, -1, 0):
        try:
            os.kill(pid, 0)
            return "escaped"
        except OSError:
            pass
""",
    "has_the_kernel_signal_its_owner": """
import fcntl, os
def attack():
    reader, writer = os.pipe()
    fcntl.fcntl(reader, 8, OWNER)
    return "escaped"
""",
    "connects_to_the_owner": """
import socket
def attack():
    socket.create_connection(("127.0.0.1", PORT), timeout=1)
    return "escaped"
""",
    "sends_a_datagram": """
import socket
def attack():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))
    return "escaped"
""",
    "opens_a_unix_socket": """
import socket
def attack():
    socket.socket(socket.AF_UNIX).connect("\\0walled")
    return "escaped"
""",
    "sends_by_an_unconnected_pair": """
import socket
def attack():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return "escaped"
""",
    "makes_namespaces": RAW
    + """
def attack():
    for flags in (0x10000000, 0x20000000, 0x40000000, 0x00020000):
        if libc.unshare(flags) == 0:
            return "escaped"
""",
    "clones_into_a_namespace": RAW
    + """
import platform
def attack():
    number = 56 if platform.machine() == "x86_64" else 220
    return "escaped" if call(number, 0x10000000 | 17, 0, 0, 0, 0) >= 0 else "stopped"
""",
    "mounts": RAW
    + """
def attack():
    return "escaped" if libc.mount(b"none", b".", b"tmpfs", 0, None) == 0 else "stopped"
""",
    "changes_user_or_capabilities": RAW
    + """
def attack():
    for way in (lambda: os.setresuid(1, 1, 1), lambda: os.setgroups([1]), lambda: os.chroot(".")):
        try:
            way()
            return "escaped"
        except OSError:
            pass
""",
    "raises_its_limits": """
import resource
def attack():
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE):
        try:
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            return "escaped"
        except (OSError, ValueError):
            pass
""",
    "sets_limits_of_others": """
import os, resource
def attack():
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)
    return "escaped"
""",
    "calls_the_kernel_directly": RAW
    + """
import platform
X86 = (101, 310, 321, 425, 250, 319, 434, 435, 317, 272, 155, 161, 246, 298, 323, 424, 444)
ARM = (117, 270, 280, 425, 219, 279, 434, 435, 277, 97, 41, 51, 104, 241, 282, 424, 444)
def attack():
    for number in X86 if platform.machine() == "x86_64" else ARM:
        if call(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 38):
            return "escaped"
""",
    "calls_by_the_other_abi": RAW
    + """
def attack():
    return "escaped" if call(0x40000000 + 39) >= 0 else "stopped"
""",
    "makes_memory_files": """
import os
def attack():
    return "escaped" if os.memfd_create("x") >= 0 else "stopped"
""",
    "becomes_dumpable_again": RAW
    + """
def attack():
    return "escaped" if libc.prctl(4, 1, 0, 0, 0) == 0 else "stopped"
""",
    "finds_descriptors_left_open": """
import os
def attack():
    found = 0
    for fd in range(3, 64):
        try:
            os.fstat(fd)
            found += 1
        except OSError:
            pass
    return "escaped" if found > 1 else "stopped"
""",
    "leaves_a_maze_behind": """
import os
def attack():
    os.mkdir("closed", 0)
    for _ in range(1500):
        os.mkdir("deep")
        os.chdir("deep")
    return "done"
""",
    "imports_the_harness": """
def attack():
    for name in ("env_lib", "env_lib.sandbox", "walled", "walled.checker"):
        try:
            __import__(name)
            return "escaped"
        except ImportError:
            pass
""",
}

SAFE = (
    "becomes_dumpable_again",
    "changes_modes_outside",
    "changes_times_outside",
    "climbs_out_of_its_folder",
    "connects_to_the_owner",
    "finds_descriptors_left_open",
    "forks_many",
    "has_the_kernel_signal_its_owner",
    "lists_the_repository",
    "makes_memory_files",
    "moves_its_own_folder",
    "opens_a_unix_socket",
    "opens_without_end",
    "reads_a_secret_file",
    "reads_secrets_of_its_environment",
    "reads_system_files",
    "reads_the_environment_of_others",
    "reads_through_a_hard_link",
    "reads_through_a_symlink",
    "removes_its_neighbour_folders",
    "sends_a_datagram",
    "sends_by_an_unconnected_pair",
    "sets_limits_of_others",
    "signals_its_parent_and_owner",
    "spawns_by_posix",
    "starts_a_program",
    "starts_a_shell",
    "truncates_outside",
    "writes_outside",
    "writes_to_the_owners_home",
)
"""Attacks that do no harm where nothing stops them, given a `HOME` and an `OUTSIDE` of a test."""
