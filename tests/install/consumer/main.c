#include <microslip.h>
#include <stdio.h>

int main(void) {
  microslip_model *law;
  microslip_error error;
  if (microslip_create("jenkins", NULL, 0, &law, &error)) {
    puts(error.sentence);
    return 1;
  }
  microslip_destroy(law);
  return 0;
}
