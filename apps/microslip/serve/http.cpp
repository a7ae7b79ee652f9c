#include "serve/http.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <memory>
#include <optional>
#include <thread>

#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr std::size_t most_head = 16384;

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Payload Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What ends a connection: a status to be told, or none.
struct Ending {
  int status;
  const char* message;
};

class Connection {
 public:
  Connection(int socket, const HttpLimits& limits, const std::function<bool()>& stop)
      : socket_(socket), limits_(limits), stop_(stop) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void serve(const HttpServer::Handler& handler) {
    try {
      while (read_request()) {
        const study::Reply reply = handler(method_, target_, body_);
        send_reply(reply, keep_);
        if (!keep_) return;
      }
    } catch (const Ending& ending) {
      if (ending.status != 0)
        send_reply({ending.status, std::string(R"({"error":{"type":"InvalidInput","message":")") +
                                       ending.message + "\"}}"},
                   false);
      refuse_the_rest();
    }
  }

 private:
  /// More bytes into the buffer. False: the other side has ended.
  bool receive() {
    for (int waited = 0; waited < 10 * limits_.idle_seconds; ++waited) {
      // Between requests a server that ends closes; what has begun is read to its end.
      if (stop_() && buffer_.empty()) throw Ending{0, ""};
      pollfd wait{socket_, POLLIN, 0};
      const int ready = ::poll(&wait, 1, 100);
      if (ready < 0 && errno != EINTR) throw Ending{0, ""};
      if (ready <= 0) continue;
      char bytes[65536];
      const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count < 0) throw Ending{0, ""};
      if (count == 0) return false;
      buffer_.append(bytes, static_cast<std::size_t>(count));
      return true;
    }
    throw Ending{buffer_.empty() ? 0 : 408, "the request did not come to its end in time"};
  }

  /// Bytes that are still under way when a socket is closed would reset the connection, and the
  /// other side could lose the answer: they are read, for two seconds at most, and dropped.
  void refuse_the_rest() const {
    ::shutdown(socket_, SHUT_WR);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    char bytes[65536];
    while (std::chrono::steady_clock::now() < end && !stop_()) {
      pollfd wait{socket_, POLLIN, 0};
      if (::poll(&wait, 1, 100) > 0 && ::recv(socket_, bytes, sizeof bytes, 0) <= 0) return;
    }
  }

  std::string take_line() {
    for (;;) {
      const auto end = buffer_.find('\n');
      if (end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        if (line.ends_with('\r')) line.pop_back();
        return line;
      }
      if (buffer_.size() > most_head) throw Ending{431, "the head of the request is too long"};
      if (!receive()) throw Ending{0, ""};
    }
  }

  void take_bytes(std::size_t count) {
    while (buffer_.size() < count)
      if (!receive()) throw Ending{0, ""};
    body_.append(buffer_, 0, count);
    buffer_.erase(0, count);
  }

  bool read_request() {
    body_.clear();
    while (buffer_.empty())
      if (!receive()) return false;
    std::string line = take_line();
    if (line.empty()) line = take_line();
    const auto first = line.find(' '), last = line.rfind(' ');
    if (first == std::string::npos || last == first) throw Ending{400, "this is no HTTP request"};
    method_ = line.substr(0, first);
    target_ = line.substr(first + 1, last - first - 1);
    const std::string version = line.substr(last + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
      throw Ending{400, "this is no HTTP request"};
    keep_ = version == "HTTP/1.1";
    std::optional<std::size_t> length;
    bool chunked = false, expects = false;
    std::size_t head = line.size();
    while (!(line = take_line()).empty()) {
      head += line.size();
      if (head > most_head) throw Ending{431, "the head of the request is too long"};
      const auto colon = line.find(':');
      if (colon == std::string::npos) throw Ending{400, "a header line has no colon"};
      const std::string name = lower(line.substr(0, colon));
      const auto begin = line.find_first_not_of(" \t", colon + 1);
      std::string value = begin == std::string::npos ? "" : line.substr(begin);
      while (value.ends_with(' ') || value.ends_with('\t')) value.pop_back();
      if (name == "content-length") {
        if (value.empty() || value.size() > 15 ||
            value.find_first_not_of("0123456789") != std::string::npos ||
            (length && *length != std::stoull(value)))
          throw Ending{400, "Content-Length is no number"};
        length = std::stoull(value);
      } else if (name == "transfer-encoding") {
        if (lower(value) != "chunked") throw Ending{501, "only chunks are understood"};
        chunked = true;
      } else if (name == "connection") {
        const std::string word = lower(value);
        if (word == "close") keep_ = false;
        if (word == "keep-alive") keep_ = true;
      } else if (name == "expect") {
        expects = lower(value) == "100-continue";
      }
    }
    if (chunked && length) throw Ending{400, "a length and chunks exclude each other"};
    if (length && *length > limits_.body) throw Ending{413, "the body is too long"};
    if (expects) send_all("HTTP/1.1 100 Continue\r\n\r\n");
    if (length) take_bytes(*length);
    if (chunked) read_chunks();
    return true;
  }

  void read_chunks() {
    for (;;) {
      const std::string line = take_line();
      const std::string digits = line.substr(0, line.find_first_of("; "));
      if (digits.empty() || digits.size() > 8 ||
          digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        throw Ending{400, "a chunk has no length"};
      const std::size_t size = std::stoul(digits, nullptr, 16);
      if (body_.size() + size > limits_.body) throw Ending{413, "the body is too long"};
      if (size == 0) break;
      take_bytes(size);
      if (!take_line().empty()) throw Ending{400, "a chunk does not end"};
    }
    while (!take_line().empty()) {  // trailers
    }
  }

  void send_reply(const study::Reply& reply, bool keep) {
    send_all("HTTP/1.1 " + std::to_string(reply.status) + " " + reason_of(reply.status) +
             "\r\nContent-Type: application/json\r\nContent-Length: " +
             std::to_string(reply.body.size()) +
             "\r\nConnection: " + (keep ? "keep-alive" : "close") + "\r\n\r\n" + reply.body);
  }

  void send_all(const std::string& text) {
    std::size_t sent = 0;
    for (int waited = 0; sent < text.size();) {
      const ssize_t count =
          ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count > 0) {
        sent += static_cast<std::size_t>(count);
        waited = 0;
        continue;
      }
      if (count < 0 && errno != EAGAIN && errno != EINTR) throw Ending{0, ""};
      pollfd wait{socket_, POLLOUT, 0};
      ::poll(&wait, 1, 100);
      if (++waited > 10 * limits_.idle_seconds) throw Ending{0, ""};
    }
  }

  int socket_;
  const HttpLimits& limits_;
  const std::function<bool()>& stop_;
  std::string buffer_, method_, target_, body_;
  bool keep_ = false;
};

}  // namespace

HttpServer::HttpServer(const std::string& host, int port, HttpLimits limits) : limits_(limits) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (code != 0) throw Failure("--host " + host + ": " + ::gai_strerror(code));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> keeper(found, &::freeaddrinfo);
  listener_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (listener_ >= 0) ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (listener_ < 0 || ::bind(listener_, found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(listener_, 128) != 0) {
    const std::string reason = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw Failure("cannot listen on " + host + " port " + std::to_string(port) + ": " + reason);
  }
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size);
  port_ = ntohs(own.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&own)->sin6_port
                                          : reinterpret_cast<sockaddr_in*>(&own)->sin_port);
}

HttpServer::~HttpServer() { ::close(listener_); }

void HttpServer::run(const Handler& handler, const std::function<bool()>& stop) {
  struct Worker {
    std::thread thread;
    std::atomic<bool> done{false};
  };
  std::list<Worker> workers;
  const auto collect = [&](bool all) {
    for (auto worker = workers.begin(); worker != workers.end();) {
      if (!all && !worker->done) {
        ++worker;
        continue;
      }
      worker->thread.join();
      worker = workers.erase(worker);
    }
  };
  while (!stop()) {
    collect(false);
    pollfd wait{listener_, POLLIN, 0};
    if (::poll(&wait, 1, 100) <= 0) continue;
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (workers.size() >= limits_.connections) {
      const char busy[] =
          "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
      (void)!::send(socket, busy, sizeof busy - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
      ::close(socket);
      continue;
    }
    Worker& worker = workers.emplace_back();
    worker.thread = std::thread([&, socket] {
      try {
        Connection(socket, limits_, stop).serve(handler);
      } catch (...) {
        // Out of memory, or the other side is gone: this connection ends, no other one.
      }
      worker.done = true;
    });
  }
  collect(true);
}

}  // namespace microslip::app
