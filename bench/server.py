"""A `malpan serve` to measure, and how figures are judged."""
import http.client
import json
import re
import subprocess


class Server:
    def __init__(self, malpan, data, *options):
        self.process = subprocess.Popen([malpan, "serve", "--port", "0", "--data", data, "--rate",
                                         "0", "--threads", "2", *options],
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])

    def ask(self, method, path, body=None, cookie=None):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        line.request(method, path, json.dumps(body) if body else None, headers)
        reply = line.getresponse()
        answer = json.loads(reply.read())
        cookie = reply.getheader("Set-Cookie")
        line.close()
        return answer, cookie.split(";")[0] if cookie else None

    def megabytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


def verdict(good):
    return "reached" if good else "MISSED"

