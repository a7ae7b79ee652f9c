#include <string>

#include "jobs/fmu/description.hpp"

namespace microslip::fmu {

// What follows is about the FMU, not about this file. REUSE-IgnoreStart
std::string licenses() {
  return R"(The binaries in this file are parts of microslip, and of the libraries below.

microslip    (c) 2026 The microslip authors             SPDX-License-Identifier: BSD-3-Clause
SUNDIALS     (c) 2002-2022 Lawrence Livermore National Security and Southern Methodist University
                                                        SPDX-License-Identifier: BSD-3-Clause
Ceres        (c) 2022 Google Inc.                       SPDX-License-Identifier: BSD-3-Clause
fmt          (c) 2012-2022 Victor Zverovich             SPDX-License-Identifier: MIT
toml++       (c) 2020-2022 Mark Gillard                 SPDX-License-Identifier: MIT
json         (c) 2013-2022 Niels Lohmann                SPDX-License-Identifier: MIT
zlib         (c) 1995-2022 Jean-loup Gailly and Mark Adler
                                                        SPDX-License-Identifier: Zlib
Boost.Math   (c) its authors                            SPDX-License-Identifier: BSL-1.0
Eigen        (c) its authors; source: https://eigen.tuxfamily.org
                                                        SPDX-License-Identifier: MPL-2.0
Spectra      (c) 2016-2022 Yixuan Qiu; source: https://spectralib.org
                                                        SPDX-License-Identifier: MPL-2.0
libstdc++, libgcc  (c) Free Software Foundation         SPDX-License-Identifier:
                                                        GPL-3.0-or-later WITH GCC-exception-3.1

BSD-3-Clause

Redistribution and use in source and binary forms, with or without modification, are permitted provided that
the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the
   following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the
   following disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or
   promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED
WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY
DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO,
PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR
OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH
DAMAGE.

MIT

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without
limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the
Software, and to permit persons to whom the Software is furnished to do so, subject to the following
conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions
of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED
TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL
THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE.

The texts of the others: https://spdx.org/licenses
)";
}
// REUSE-IgnoreEnd

}  // namespace microslip::fmu
