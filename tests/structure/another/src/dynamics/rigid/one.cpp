#include "loops/two.hpp"
