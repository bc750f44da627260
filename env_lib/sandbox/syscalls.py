"""Numbers of the system calls that a run may make, for x86-64 and arm64.

From the kernel's tables (`asm/unistd_64.h`, `asm-generic/unistd.h`); None where an architecture
does not have the call. What is not here is refused.
"""

from __future__ import annotations

FREE = """
read:0:63 write:1:64 readv:19:65 writev:20:66 pread64:17:67 pwrite64:18:68 preadv:295:69
pwritev:296:70 preadv2:327:286 pwritev2:328:287 close:3:57 close_range:436:436 lseek:8:62
dup:32:23 dup2:33:- dup3:292:24 pipe:22:- pipe2:293:59 flock:73:32 fsync:74:82 fdatasync:75:83
sync_file_range:277:84 fadvise64:221:223 readahead:187:213 sendfile:40:71 copy_file_range:326:285
stat:4:- fstat:5:80 lstat:6:- newfstatat:262:79 statx:332:291 statfs:137:43 fstatfs:138:44
access:21:- faccessat:269:48 faccessat2:439:439 readlink:89:- readlinkat:267:78 getdents:78:-
getdents64:217:61 getcwd:79:17 chdir:80:49 fchdir:81:50 umask:95:166 mmap:9:222 munmap:11:215
mremap:25:216 mprotect:10:226 madvise:28:233 mincore:27:232 msync:26:227 brk:12:214
membarrier:324:283 pkey_alloc:330:289 pkey_free:331:290 pkey_mprotect:329:288 rt_sigaction:13:134
rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 rt_sigtimedwait:128:137
rt_sigsuspend:130:133 sigaltstack:131:132 restart_syscall:219:128 pause:34:- alarm:37:-
setitimer:38:103 getitimer:36:102 timerfd_create:283:85 timerfd_settime:286:86
timerfd_gettime:287:87 futex:202:98 futex_waitv:449:449 set_robust_list:273:99
get_robust_list:274:100 set_tid_address:218:96 rseq:334:293 arch_prctl:158:- exit:60:93
exit_group:231:94 wait4:61:260 waitid:247:95 nanosleep:35:101 clock_nanosleep:230:115
clock_gettime:228:113 clock_getres:229:114 gettimeofday:96:169 time:201:- times:100:153
getrusage:98:165 getcpu:309:168 uname:63:160 sysinfo:99:179 getrandom:318:278 getpid:39:172
getppid:110:173 gettid:186:178 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177
getresuid:118:148 getresgid:120:150 getgroups:115:158 getpgid:121:155 getpgrp:111:- getsid:124:156
getpriority:140:141 getrlimit:97:163 sched_yield:24:124 sched_getaffinity:204:123
sched_getparam:143:121 sched_getscheduler:145:120 sched_get_priority_max:146:125
sched_get_priority_min:147:126 sched_rr_get_interval:148:127 poll:7:- ppoll:271:73 select:23:-
pselect6:270:72 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21 epoll_wait:232:-
epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 signalfd:282:-
signalfd4:289:74 shutdown:48:210 getsockname:51:204 getsockopt:55:209 setrlimit:160:164
"""
"""Allowed whatever the arguments: name x86-64 arm64."""

CHANGES = """
mkdir:83:- mkdirat:258:34 rmdir:84:- unlink:87:- unlinkat:263:35 rename:82:- renameat:264:38
renameat2:316:276 link:86:- linkat:265:37 symlink:88:- symlinkat:266:36 ftruncate:77:46
fallocate:285:47
"""
"""Change the tree of files: allowed only where Landlock says which files."""

CHECKED = """
open:2:- openat:257:56 fcntl:72:25 ioctl:16:29 prctl:157:167 clone:56:220 socketpair:53:199
sendto:44:206 recvfrom:45:207 prlimit64:302:261
"""
"""Allowed for some arguments, see `seccomp`."""

ABSENT = """
clone3:435:435 openat2:437:437
"""
"""Answered as if the kernel had not heard of them, so that the C library takes another way."""

LAST = 451
"""Numbers above this are newer than this table, and answered as unknown."""


def table(text: str, machine: int) -> dict[str, int]:
    """Return name -> number for column `machine` (0: x86-64, 1: arm64) of one of the above."""
    entries = (item.split(":") for item in text.split())
    return {name: int(numbers[machine]) for name, *numbers in entries if numbers[machine] != "-"}
