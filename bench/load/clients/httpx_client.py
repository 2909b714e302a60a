"""httpx in a process of its own: the same lines as run.mjs, for the echo of 2026-07-28."""

import asyncio
import json
import math
import sys
import time

import httpx

STEPS_PER_OCTAVE = 32
STEPS = STEPS_PER_OCTAVE * 26
META = "io.modelcontextprotocol/"
HEADERS = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
}


class Load:
    def __init__(self, port, connections, settings):
        handler = settings.get("handler", "sync")
        self.tool = "echo" if handler == "sync" else f"echo-{handler}"
        self.url = f"http://127.0.0.1:{port}/mcp"
        self.connections = connections
        # Servers on Node close idle connections after 5 s, which is the default here too.
        limits = httpx.Limits(
            max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=2
        )
        self.client = httpx.AsyncClient(headers={**HEADERS, "mcp-name": self.tool}, limits=limits, timeout=60)
        self.sent = 0

    def message(self, text):
        meta = {
            f"{META}protocolVersion": "2026-07-28",
            f"{META}clientInfo": {"name": "bench", "version": "1.0.0"},
            f"{META}clientCapabilities": {},
        }
        params = {"name": self.tool, "arguments": {"text": text}, "_meta": meta}
        return {"jsonrpc": "2.0", "id": self.sent, "method": "tools/call", "params": params}

    async def call(self):
        self.sent += 1
        text = f"message {self.sent}"
        message = self.message(text)
        response = await self.client.post(self.url, content=json.dumps(message))
        answer = response.json()
        if answer.get("id") != message["id"] or answer["result"]["content"][0]["text"] != text:
            raise ValueError(f"wrong answer: {answer}")

    async def run(self, milliseconds):
        counts = [0] * STEPS
        cpu = time.process_time()
        started = time.perf_counter()
        end = started + milliseconds / 1000

        async def loop():
            while (sent_at := time.perf_counter()) < end:
                await self.call()
                took = (time.perf_counter() - sent_at) * 1e6
                counts[min(max(round(math.log2(took) * STEPS_PER_OCTAVE), 0), STEPS - 1)] += 1

        await asyncio.gather(*(loop() for _ in range(self.connections)))
        seconds = time.perf_counter() - started
        return {"count": sum(counts), "seconds": seconds, "counts": counts, "loadSeconds": time.process_time() - cpu}


async def main():
    load = None
    # The reader blocks the loop, which has nothing to do between runs.
    for line in sys.stdin:
        job = json.loads(line)
        try:
            if "open" in job:
                load = Load(job["open"]["port"], job["open"]["connections"], job["open"]["settings"])
                result = {"ready": True}
            else:
                result = await load.run(job["run"])
        except Exception as error:
            result = {"failure": repr(error)}
        print(json.dumps(result), flush=True)


asyncio.run(main())
