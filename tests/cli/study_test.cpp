#include <nlohmann/json.hpp>

#include "command.hpp"

namespace cli {
namespace study_test {

using Json = nlohmann::json;

constexpr const char* loop_study =
    "seed = 4\nsamples = 60\n[job]\nkind = \"simulate\"\nsignal = \"2*sin(t)\"\nuntil = 20\n"
    "step = 0.01\n[[job.laws]]\nmodel = \"bouc-wen\"\n[vary]\n"
    "\"law[1].k\" = { lognormal = [1.5, 0.1] }\n\"law[1].beta\" = { uniform = [0.5, 0.8] }\n"
    "[[collect]]\nname = \"energy\"\nvalue = \"last(energy)\"\nlimit = 3\n"
    "[[collect]]\nname = \"f\"\non = { t = [0, 20, 201] }\n";

class StudyCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("loop.toml", loop_study);
  }
  std::string whole_table() const {
    const Outcome o =
        run({"study", "loop.toml", "--store", "whole.study", "--table", "whole.csv", "-q"});
    EXPECT_EQ(o.code, 0) << o.err;
    return read("whole.csv");
  }
};

TEST_F(StudyCommand, answers_as_text_table_page_and_picture) {
  const Outcome o = run({"study", "loop.toml", "--threads", "2", "-o", "r.json", "--table", "t.csv",
                         "--curve", "f.csv", "--report", "r.html"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "60 runs of simulate"));
  EXPECT_TRUE(contains(o.out, "probability to exceed it"));
  const Json result = Json::parse(read("r.json"));
  EXPECT_EQ(result["schema"], "microslip.study/1");
  EXPECT_EQ(result["done"], 60);
  // The answers are those of the table.
  const std::vector<double> energy = column(read("t.csv"), "energy");
  ASSERT_EQ(energy.size(), 60u);
  double mean = 0, above = 0;
  for (const double e : energy) mean += e / 60, above += e > 3 ? 1.0 / 60 : 0;
  EXPECT_NEAR(result["numbers"][0]["mean"].get<double>(), mean, 1e-12 * mean);
  EXPECT_NEAR(result["numbers"][0]["exceeds"]["probability"].get<double>(), above, 1e-12);
  EXPECT_EQ(column(read("f.csv"), "20").size(), 60u);
  EXPECT_TRUE(contains(read("r.html"), "<svg"));
  // Nothing is missing: the same call answers without a run.
  const Outcome again = run({"study", "loop.toml", "--json"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(Json::parse(again.out)["numbers"], result["numbers"]);
}

TEST_F(StudyCommand, shards_are_merged_to_the_same_bytes) {
  const std::string whole = whole_table();
  for (const char* shard : {"3/3", "1/3", "2/3"})
    ASSERT_EQ(run({"study", "loop.toml", "--shard", shard, "-q"}).code, 0);
  ASSERT_TRUE(exists("loop.2-of-3.study"));
  const Outcome part = run({"study", "loop.toml", "--merge", "loop.2-of-3.study"});
  EXPECT_EQ(part.code, 0) << part.err;
  EXPECT_TRUE(contains(part.err, "40 of 60 runs are missing"));
  const Outcome o = run({"study", "loop.toml", "--merge", "loop.3-of-3.study", "loop.1-of-3.study",
                         "loop.2-of-3.study", "--table", "merged.csv", "-q"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(read("merged.csv"), whole);
}

/// Killed again and again at any moment, it comes to the same table in the end.
TEST_F(StudyCommand, what_was_stored_survives_a_kill) {
  const std::string whole = whole_table();
  const Outcome o = shell(
      "sed -i 's/until = 20/until = 2000/' loop.toml\n"
      "for n in 1 2 3 4; do\n  " +
      microslip::command_path +
      " study loop.toml --store killed.study --threads 1 -q & pid=$!\n"
      "  sleep 1.$n; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null\n"
      "done\n"
      "microslip study loop.toml --store killed.study --table killed.csv -q\n"
      "microslip study loop.toml --store straight.study --table straight.csv -q\n"
      "cmp killed.csv straight.csv");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(read("killed.csv"), "");
  EXPECT_NE(read("killed.csv"), whole);
}

TEST_F(StudyCommand, a_full_disk_ends_with_a_sentence_and_the_next_call_goes_on) {
  const std::string whole = whole_table();
  const Outcome full =
      shell("ulimit -f 40\nmicroslip study loop.toml --store s.study --threads 1 -q");
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_TRUE(contains(full.err, "what was stored stays")) << full.err;
  const Outcome o = run({"study", "loop.toml", "--store", "s.study", "--table", "t.csv", "-q"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(read("t.csv"), whole);
}

TEST_F(StudyCommand, bad_input_is_a_sentence) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& part) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(contains(o.err, part)) << o.err;
  };
  refused({"study", "loop.toml", "--shard", "4/3"}, "there is no number 4");
  refused({"study", "loop.toml", "--shard", "1/3", "--table", "t.csv"}, "after --merge");
  refused({"study", "loop.toml", "--merge"}, "needs the stores");
  refused({"study", "loop.toml", "other.study"}, "unexpected");
  refused({"study", "nothing.toml"}, "nothing.toml");
  refused({"study", "loop.toml", "--curve", "g=g.csv", "-q"}, "curve");
  ASSERT_EQ(run({"study", "loop.toml", "-q"}).code, 0);
  std::string other = loop_study;
  other.replace(other.find("seed = 4"), 8, "seed = 5");
  write("other.toml", other);
  refused({"study", "other.toml", "--merge", "loop.study"}, "another study");
  write("broken.study", "this is no database, whatever its name says; it goes on for a while");
  refused({"study", "loop.toml", "--store", "broken.study"}, "damaged");
  EXPECT_EQ(read("broken.study").substr(0, 7), "this is");
  refused({"study", "loop.toml", "--merge", "broken.study"}, "damaged");
  refused({"study", "loop.toml", "--merge", "nowhere.study"}, "no store");
}

TEST_F(StudyCommand, too_many_failures_are_exit_code_1) {
  std::string bad = loop_study;
  bad.replace(bad.find("uniform = [0.5, 0.8]"), 20, "uniform = [-0.5, 0.8]");
  write("bad.toml", bad);
  const Outcome o = run({"study", "bad.toml"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.err, "more than most = 0.05"));
  EXPECT_TRUE(contains(o.out, "failed"));
}

/// A real client, many at once: no answer is lost or mixed, and the server ends on SIGTERM.
TEST_F(StudyCommand, a_server_answers_many_clients) {
  write("client.py", R"(
import http.client, json, sys, threading, math
port = int(sys.argv[1])
def call(connection, method, path, body=None, headers={}):
    connection.request(method, path, body if body is None or isinstance(body, (bytes, str)) else json.dumps(body), headers)
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read() or b"null")
c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
status, info = call(c, "GET", "/Info")
assert status == 200 and info == {"protocolVersion": 1.0, "models": ["line"]}, info
assert call(c, "POST", "/InputSizes", {"name": "line"})[1] == {"inputSizes": [1]}
assert call(c, "POST", "/OutputSizes", {"name": "line", "config": {}})[1] == {"outputSizes": [1]}
errors = []
def work(seed):
    try:
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for n in range(30):
            k = 1 + seed + n / 64
            status, reply = call(c, "POST", "/Evaluate", {"name": "line", "input": [[k]]})
            assert status == 200 and abs(reply["output"][0][0] - 2 * k) < 1e-9, (k, reply)
            status, reply = call(c, "POST", "/Gradient", {"name": "line", "input": [[k]], "outWrt": 0,
                                                          "inWrt": 0, "sens": [3.0]})
            assert status == 200 and abs(reply["output"][0] - 6) < 1e-9, reply
            if n % 7 == 0:
                c.close()
    except Exception as e:
        errors.append(repr(e))
threads = [threading.Thread(target=work, args=(s,)) for s in range(16)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not errors, errors[:3]
for body in ("", "{", "[]", "null", '{"name": 1}', '{"name": "line", "input": [[1e999]]}', "\xff" * 50, "[" * 100000):
    status, reply = call(http.client.HTTPConnection("127.0.0.1", port, timeout=60), "POST", "/Evaluate",
                         body.encode("latin1"))
    assert status == 400 and reply["error"]["type"] == "InvalidInput", (status, reply)
assert call(c, "POST", "/Evaluate", {"name": "other", "input": [[1]]})[1]["error"]["type"] == "ModelNotFound"
assert call(c, "GET", "/../../etc/passwd")[0] == 404
# In chunks, too long, and no HTTP at all.
import socket
def raw(data):
    s = socket.create_connection(("127.0.0.1", port), timeout=60)
    s.sendall(data)
    s.shutdown(socket.SHUT_WR)
    text = b""
    while True:
        part = s.recv(65536)
        if not part: return text
        text += part
chunks = b'POST /Evaluate HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n11\r\n{"name": "line", \r\nf\r\n"input": [[4]]}\r\n0\r\n\r\n'
reply = raw(chunks)
assert reply.startswith(b"HTTP/1.1 200") and b'"output":[[8' in reply or b'"output":[[7.99' in reply, reply
assert raw(b"POST /Evaluate HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n").startswith(b"HTTP/1.1 413")
assert raw(b"POST /Evaluate HTTP/1.1\r\nContent-Length: -5\r\n\r\n").startswith(b"HTTP/1.1 400")
assert raw(b"hello\r\n\r\n").startswith(b"HTTP/1.1 400")
for n in range(20):
    assert raw(b"GET /Info HTTP/1.1\r\n" + b"X: " + b"y" * 1000000).startswith(b"HTTP/1.1 431")
print("fine")
)");
  write("line.toml",
        "samples = 1\n[job]\nkind = \"simulate\"\nsignal = \"2*sin(t)\"\nuntil = 6.5\nstep = 0.1\n"
        "[[job.laws]]\nmodel = \"linear\"\n[vary]\n\"law[1].k\" = { uniform = [1, 2] }\n"
        "[[collect]]\nname = \"top\"\nvalue = \"max(f)\"\n");
  const Outcome o =
      shell(microslip::command_path +
            " serve line.toml --port 0 --threads 3 2> log & pid=$!\n"
            "for n in $(seq 100); do grep -q serving log 2>/dev/null && break; sleep 0.1; done\n"
            "port=$(sed -n 's/.*:\\([0-9]*\\)$/\\1/p' log)\n"
            "python3 client.py $port; code=$?\n"
            "kill -TERM $pid; wait $pid; echo ended $?\n"
            "exit $code");
  EXPECT_TRUE(contains(o.out, "ended 0")) << o.out;
  EXPECT_EQ(o.code, 0) << o.out << o.err << read("log");
  EXPECT_TRUE(contains(o.out, "fine"));
}

TEST_F(StudyCommand, a_server_ends_by_a_signal) {
  write("line.toml", loop_study);
  const Outcome o = shell("timeout --preserve-status -s TERM 2 " + microslip::command_path +
                          " serve line.toml --port 0");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "serving on http://127.0.0.1:"));
  EXPECT_EQ(run({"serve", "line.toml", "--port", "99999"}).code, 2);
  EXPECT_EQ(run({"serve", "line.toml", "line.toml", "--port", "0"}).code, 2);
}

TEST_F(StudyCommand, dakota_reads_and_writes_its_files) {
  write("study.toml", loop_study);
  write("p.in",
        "1 variables\n0.6 law_1_beta\n1 functions\n1 ASV_1:energy\n1 derivative_variables\n"
        "1 DVV_1:law_1_beta\n0 analysis_components\n1 eval_id\n");
  const Outcome o = run({"dakota", "p.in", "r.out"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(read("r.out").ends_with(" energy\n")) << read("r.out");
  EXPECT_GT(std::stod(read("r.out")), 0);
  write("p.in", "1 variables\n0.6 law_1_alpha\n1 functions\n1 ASV_1:energy\n");
  const Outcome wrong = run({"dakota", "--study", "study.toml", "p.in", "r.out"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "p.in")) << wrong.err;
}

}  // namespace study_test
}  // namespace cli
