#include "microslip/catalog/registry/relations.hpp"

#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

constexpr double rounding = 1e-12;   ///< closed forms on both sides
constexpr double controlled = 1e-9;  ///< one side integrates with error control

/// n sliders of stiffness k/n that slip at i/n of u_max, i = 1 … n.
std::string even_sliders(int n, double k, double u_max) {
  std::string stiffness, strength;
  for (int i = 1; i <= n; ++i) {
    const std::string comma = i == 1 ? "" : ",";
    stiffness += comma + number_text(k / n);
    strength += comma + number_text(k / n * u_max * i / n);
  }
  return "masing(k=[" + stiffness + "],phi=[" + strength + "])";
}

std::string sharp_bouc_wen(int n) {
  return "bouc-wen(A=1,beta=0.5,gamma=0.5,n=" + std::to_string(n) + ",k=2,a=0)";
}

std::vector<Relation> all() {
  return {
      // Sliders.
      {"jenkins",
       "masing",
       "one element",
       {"masing(k=2,phi=0.5)"},
       "jenkins(k=2,phi=0.5)",
       rounding},
      {"jenkins",
       "prandtl-ishlinskii",
       "one play: stop = identity - play, w0 = k, w = -k, r = phi/k",
       {"prandtl-ishlinskii(r=0.25,w=-2,w0=2)"},
       "jenkins(k=2,phi=0.5)",
       rounding},
      {"iwan-uniform",
       "masing",
       "N elements of equal k with phi proportional to their number; the force differs by "
       "k u_max/(2N)",
       {even_sliders(20, 2, 0.8), even_sliders(40, 2, 0.8)},
       "iwan-uniform(k=2,u_max=0.8)",
       1.0000001 / 40},  // k u_max/(2N) over the largest force k u_max/2
      {"iwan4",
       "iwan5",
       "theta = 1",
       {"iwan5(Fs=2,KT=5,chi=-0.4,beta=0.7,theta=1)"},
       "iwan4(Fs=2,KT=5,chi=-0.4,beta=0.7)",
       rounding},
      {"iwan4",
       "iwan-pinning",
       "KP = 0",
       {"iwan-pinning(Fs=2,KT=5,chi=-0.4,beta=0.7,KP=0)"},
       "iwan4(Fs=2,KT=5,chi=-0.4,beta=0.7)",
       rounding},
      {"iwan-uniform",
       "iwan4",
       "chi = 0, beta = 0, u_max = 2 Fs/KT",
       {"iwan4(Fs=0.8,KT=2,chi=0,beta=0)"},
       "iwan-uniform(k=2,u_max=0.8)",
       rounding},
      {"iwan-uniform",
       "masing-backbone",
       "g(u) = k (u - u^2/(2 u_max)), then k u_max/2; any Masing law from its own virgin curve",
       {"masing-backbone(g=2*min(u,0.8)-min(u,0.8)^2/0.8)"},
       "iwan-uniform(k=2,u_max=0.8)",
       rounding},
      {"jenkins+linear",
       "two-state",
       "b along an axis of the ellipse, b2 = 0: k = b1^2/alpha, phi = b1 sqrt(mu sigma)/alpha; "
       "linear k = 1 + ks - b1^2/alpha",
       {"two-state(mu=2,sigma=0.5,alpha=0.8,b1=0.4,b2=0,ks=0.1)"},
       "jenkins(k=0.2,phi=0.5)+linear(k=0.9)",
       rounding},
      // Differential laws.
      {"bouc",
       "bouc-wen",
       "n = 1, gamma = 0, beta = alpha; (1 - a) k = 1, a k = k of bouc",
       {"bouc-wen(A=2,beta=3,gamma=0,n=1,k=1.5,a=0.33333333333333333)"},
       "bouc(A=2,alpha=3,k=0.5)",
       rounding},
      {"jenkins",
       "bouc-wen",
       "n to infinity, gamma = beta: k of both, phi = k (A/(2 beta))^(1/n)",
       {sharp_bouc_wen(50), sharp_bouc_wen(100)},
       "jenkins(k=2,phi=2)",
       0.02},
      {"bouc-wen",
       "bouc-wen-hardening",
       "A = 1, beta + gamma = 1, uy = 1; k = fp, a = kappa",
       {"bouc-wen-hardening(fp=2,uy=1,kappa=0.1,beta=0.7,n=1.5)"},
       "bouc-wen(A=1,beta=0.7,gamma=0.3,n=1.5,k=2,a=0.1)",
       rounding},
      {"bouc-wen-hardening",
       "bouc-wen-degrading",
       "d0 to infinity",
       {"bouc-wen-degrading(fp=2,uy=0.5,kappa=0.1,beta=0.7,n=1.5,d0=4e4)",
        "bouc-wen-degrading(fp=2,uy=0.5,kappa=0.1,beta=0.7,n=1.5,d0=8e4)"},
       "bouc-wen-hardening(fp=2,uy=0.5,kappa=0.1,beta=0.7,n=1.5)",
       2e-2},
      {"bouc-wen",
       "bouc-wen-asymmetric",
       "delta = 0",
       {"bouc-wen-asymmetric(A=1.2,beta=0.7,gamma=0.3,delta=0,n=1.5,k=2,a=0.1)"},
       "bouc-wen(A=1.2,beta=0.7,gamma=0.3,n=1.5,k=2,a=0.1)",
       rounding},
      {"jenkins", "dahl", "n = 0", {"dahl(sigma0=2,zc=0.5,n=0)"}, "jenkins(k=2,phi=0.5)", rounding},
      {"bouc",
       "dahl",
       "n = 1: A = sigma0, alpha = sigma0/zc, k = 0",
       {"dahl(sigma0=2,zc=0.5,n=1)"},
       "bouc(A=2,alpha=4,k=0)",
       rounding},
      {"bouc",
       "valanis",
       "kappa = 0: A = E0 - Et, alpha = lambda, k = Et",
       {"valanis(E0=2,Et=0.5,lambda=3,kappa=0)"},
       "bouc(A=1.5,alpha=3,k=0.5)",
       rounding},
      {"bouc",
       "duhem",
       "g1 = A - alpha z, g2 = A + alpha z",
       {"duhem(g1=2-3*z,g2=2+3*z)"},
       "bouc(A=2,alpha=3,k=0)",
       controlled},
      {"valanis",
       "duhem",
       "g1, g2 = E0 (1 + e)/(1 + kappa e), e = ±(lambda/E0)(Et u - z)",
       {"duhem(g1=2*(1+1.5*(u/4-z))/(1+0.75*(u/4-z)),g2=2*(1-1.5*(u/4-z))/(1-0.75*(u/4-z)))"},
       "valanis(E0=2,Et=0.25,lambda=3,kappa=0.5)",
       controlled},
      // Velocity.
      {"dahl",
       "lugre",
       "zs = zc, sigma1 = sigma2 = 0: n = 1",
       {"lugre(sigma0=2,sigma1=0,sigma2=0,zc=0.5,zs=0.5,vs=1)"},
       "dahl(sigma0=2,zc=0.5,n=1)",
       rounding},
      {"zener",
       "generalized-maxwell",
       "one branch: k0 = e1, k = e2, tau",
       {"generalized-maxwell(k0=0.5,k=2,tau=0.7)"},
       "zener(e1=0.5,e2=2,tau=0.7)",
       rounding},
      {"maxwell",
       "zener",
       "e1 = 0: k = e2, c = e2 tau",
       {"zener(e1=0,e2=2,tau=0.7)"},
       "maxwell(k=2,c=1.4)",
       rounding},
      {"maxwell",
       "convolution",
       "kernel of one exponential: c = k tau",
       {"convolution(k=2,tau=0.7)"},
       "maxwell(k=2,c=1.4)",
       rounding},
      {"bouc-wen",
       "lampaert",
       "one element with phi > fs = fc, sigma1 = sigma2 = 0: gamma = 0, beta = A (k/fc)^n, a = 0",
       {"lampaert(sigma1=0,sigma2=0,fc=0.5,fs=0.5,n=1.5,k=2,phi=1)"},
       "bouc-wen(A=1,beta=8,gamma=0,n=1.5,k=2,a=0)",  // 4^1.5
       controlled},
      {"kelvin-voigt",
       "generalized-kelvin-voigt",
       "one element",
       {"generalized-kelvin-voigt(k=2,c=0.6)"},
       "kelvin-voigt(k=2,c=0.6)",
       rounding},
      {"kelvin-voigt",
       "linear+viscous",
       "always",
       {"linear(k=2)+viscous(c=0.6)"},
       "kelvin-voigt(k=2,c=0.6)",
       rounding},
      // Elastic laws.
      {"linear", "power", "n = 1", {"power(k=2,n=1)"}, "linear(k=2)", rounding},
      {"linear", "gap", "gap = 0", {"gap(k=2,gap=0)"}, "linear(k=2)", rounding},
      {"gap",
       "backlash(linear)",
       "always; the gap of backlash is the whole width",
       {"backlash(linear(k=2),gap=0.6)"},
       "gap(k=2,gap=0.3)",
       rounding},
      {"gap",
       "table",
       "corners at ±gap",
       {"table(u=[-2.3,-0.3,0.3,2.3],f=[-4,0,0,4])"},
       "gap(k=2,gap=0.3)",
       rounding},
      {"unilateral",
       "table",
       "a corner at gap",
       {"table(u=[-1,0.3,2.3],f=[0,0,4])"},
       "unilateral(k=2,gap=0.3)",
       rounding},
      // What is put around a law.
      {"jenkins",
       "backlash(jenkins)",
       "gap = 0, for any law",
       {"backlash(jenkins(k=2,phi=0.5),gap=0)"},
       "jenkins(k=2,phi=0.5)",
       rounding},
      {"jenkins",
       "scaled(jenkins)",
       "gains carry the numbers of the law, for any law",
       {"scaled(jenkins(k=1,phi=1),input_gain=4,output_gain=0.5)"},
       "jenkins(k=2,phi=0.5)",
       rounding},
  };
}

}  // namespace

std::span<const Relation> relations() {
  static const std::vector<Relation> table = all();
  return table;
}

}  // namespace microslip::catalog
