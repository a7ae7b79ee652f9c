// Laws ranked for a record: rank record.csv
#include <cstdio>
#include <exception>
#include <microslip/io/record_file.hpp>
#include <microslip/jobs/fit.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) throw microslip::Error("usage: rank record.csv");
  microslip::jobs::FitRequest request;
  request.records = {microslip::jobs::record_of(microslip::io::read_record(argv[1]))};
  request.models = {"jenkins", "iwan4", "bouc-wen"};  // leave it out for every law that suits
  request.starts = 4;
  for (const auto& law : microslip::jobs::fit(request).fits)
    std::printf("%-10s error %6.3f %%  %s\n", law.model.c_str(), 100 * law.rms_relative,
                law.message.c_str());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
