#pragma once

#include <string>

#include "microslip/io/figure.hpp"
#include "microslip/study/answers.hpp"

/// What `microslip study` shows.
namespace microslip::app {

std::string study_text(const study::StudyResult& result);
/// Of each number its distribution, and it against the input that it follows most; of each curve its band.
io::Figure study_figure(const study::Study& study, const study::Store& store,
                        const study::StudyResult& result);
std::string study_page(const study::StudyResult& result, const io::Figure& figure,
                       const std::string& command_line);

}  // namespace microslip::app
