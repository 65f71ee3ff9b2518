/* Preloaded into a redis-server: its wall clock stands still at the microsecond that another process has
 * written into a shared page (clock_page.h), and moves when that process says so.
 *
 * Only the wall clock: the monotonic clock goes on, so that the server's event loop keeps turning. Raw system
 * calls throughout, because looking the originals up (dlsym) allocates, and allocators read clocks. Without a
 * page, time is the machine's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *page;

__attribute__((constructor)) static void open_page(void) {
  const char *path = getenv("LOCKLAPSE_CLOCK_PAGE");
  const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *page, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) page = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *ts) {
  if (page == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) {
    return (int)syscall(SYS_clock_gettime, clock, ts);
  }
  const int64_t us = *page;
  ts->tv_sec = us / 1000000 - (us % 1000000 < 0);
  ts->tv_nsec = (us - ts->tv_sec * 1000000) * 1000;
  return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
  (void)zone;
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  tv->tv_sec = ts.tv_sec;
  tv->tv_usec = ts.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  if (out != NULL) *out = ts.tv_sec;
  return ts.tv_sec;
}
