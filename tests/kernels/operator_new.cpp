#include "support/operator_new.hpp"
