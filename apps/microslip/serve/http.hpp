#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "microslip/study/serve.hpp"

/// As much of HTTP/1.1 as a program on the same machine needs: requests with a length or in chunks, connections
/// that stay open, and limits on all of it. No files, no redirects, no encryption.
namespace microslip::app {

struct HttpLimits {
  std::size_t body = std::size_t{16} << 20;  ///< bytes
  std::size_t connections = 256;
  int idle_seconds = 60;  ///< a connection on which nothing comes is closed
};

class HttpServer {
 public:
  /// Called by a thread for each connection.
  using Handler = std::function<study::Reply(std::string_view method, std::string_view target,
                                             const std::string& body)>;

  /// Listens; port 0 takes one that is free. Throws Failure.
  HttpServer(const std::string& host, int port, HttpLimits limits);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// Until `stop`, which is asked ten times a second; then waits for the requests under way.
  void run(const Handler& handler, const std::function<bool()>& stop);

 private:
  int listener_ = -1, port_ = 0;
  HttpLimits limits_;
};

}  // namespace microslip::app
