/* Loaded before libc: the clock jumps as $FAULT_JUMPS says, and the disk is full while the file $FAULT_FULL is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8 };
static double at[MOST];
static long by[MOST];
static int jumps;
static struct timespec began;
static const char *full;
static int (*real_clock)(clockid_t, struct timespec *);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);

/* $FAULT_JUMPS: "SECONDS:BY,SECONDS:BY", the first since the process began, the second what is added from then on. */
__attribute__((constructor)) static void begin(void) {
  const char *plan = getenv("FAULT_JUMPS");
  int used = 0;
  real_clock = dlsym(RTLD_NEXT, "clock_gettime");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  full = getenv("FAULT_FULL");
  real_clock(CLOCK_MONOTONIC, &began);
  while (plan && jumps < MOST && sscanf(plan, "%lf:%ld%n", &at[jumps], &by[jumps], &used) == 2) {
    jumps++;
    plan += used;
    if (*plan++ != ',') break;
  }
}

static long shift(void) {
  struct timespec now;
  long found = 0;
  real_clock(CLOCK_MONOTONIC, &now);
  double passed = now.tv_sec - began.tv_sec + (now.tv_nsec - began.tv_nsec) / 1e9;
  for (int i = 0; i < jumps; i++)
    if (passed >= at[i]) found = by[i];
  return found;
}

int clock_gettime(clockid_t id, struct timespec *t) {
  int failed;
  if (!real_clock) real_clock = dlsym(RTLD_NEXT, "clock_gettime");
  failed = real_clock(id, t);
  if (!failed && jumps && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) t->tv_sec += shift();
  return failed;
}

time_t time(time_t *t) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (t) *t = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *t, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  t->tv_sec = now.tv_sec;
  t->tv_usec = now.tv_nsec / 1000;
  return 0;
}

/* What SQLite writes by. */
ssize_t pwrite64(int file, const void *data, size_t n, off64_t place) {
  if (full && access(full, F_OK) == 0) {
    errno = ENOSPC;
    return -1;
  }
  return real_pwrite(file, data, n, place);
}
ssize_t pwrite(int file, const void *data, size_t n, off_t place) { return pwrite64(file, data, n, place); }
