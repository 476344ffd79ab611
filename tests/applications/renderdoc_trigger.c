/* SPDX-License-Identifier: MIT */
/* Preloaded into an application that RenderDoc's layer watches: captures one frame after a second (renderdoccmd has no option for it).
   The functions of RenderDoc's in-application API are numbered as in renderdoc_app.h 1.0.0, which never changes them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { VERSION_1_0_0 = 10000, SET_CAPTURE_FILE_PATH_TEMPLATE = 11, TRIGGER_CAPTURE = 15 };

static void *trigger(void *unused) {
  void **api = NULL;
  for (int i = 0; i < 100 && !api; ++i) { /* until the loader has the layer */
    usleep(100000);
    void *library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
    int (*get)(int, void **) = library ? (int (*)(int, void **))dlsym(library, "RENDERDOC_GetAPI") : NULL;
    if (get && !get(VERSION_1_0_0, (void **)&api)) api = NULL;
  }
  if (!api) return unused;
  ((void (*)(const char *))api[SET_CAPTURE_FILE_PATH_TEMPLATE])("capture");
  sleep(1);
  ((void (*)(void))api[TRIGGER_CAPTURE])();
  return unused;
}

__attribute__((constructor)) static void start(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, trigger, NULL);
}
