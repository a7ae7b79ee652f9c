#include <microslip/core/error.hpp>
#include <microslip/version.hpp>

int main() { return microslip::version == "0.1.0" ? 0 : 1; }
