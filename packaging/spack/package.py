# SPDX-License-Identifier: BSD-3-Clause
from spack.package import *


class Microslip(CMakePackage):
    """Frictional hysteresis: simulated, measured, fitted, reduced, and put into vibrating structures."""

    maintainers("microslip")
    license("BSD-3-Clause")
    version("0.1.0")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("eigen@3.4:")
    depends_on("ceres-solver@2.1:")
    depends_on("sundials@6: +cvode")
    depends_on("spectra")
    depends_on("boost@1.74: +math")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("tomlplusplus@3.3:")
    depends_on("nlohmann-json@3.11:")
    depends_on("zlib-api")
    depends_on("matio")
    generator("ninja")

    def cmake_args(self):
        return [self.define("MICROSLIP_TESTS", False)]
