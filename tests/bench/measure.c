// Runs a command and prints its wall time and peak memory: locklapse_measure COMMAND [ARGUMENT...]
//
// In C and on its own, because a process inherits the peak of the one that forks it: under Python every
// command would seem to need Python's memory.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  const double start_ms = now_ms();
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return 70;
  printf("{\"ms\": %.3f, \"peak_mib\": %.2f, \"status\": %d}\n", now_ms() - start_ms,
         (double)usage.ru_maxrss / 1024.0, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
  return 0;
}
