"""The bench's server on the official Python SDK: server.py <stdio|json|sse>. Over HTTP it prints its port."""

import socket
import sys

from mcp.server import MCPServer

server = MCPServer("bench", version="1.0.0", log_level="ERROR")


@server.tool(description="Says it again", structured_output=False)
def echo(text: str) -> str:
    return text


@server.tool(name="echo-async", description="Says it again", structured_output=False)
async def echo_async(text: str) -> str:
    return text


def serve_http(json: bool):
    import uvicorn

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    print(f"port {listener.getsockname()[1]}", flush=True)
    app = server.streamable_http_app(json_response=json, host="127.0.0.1")
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


mode = sys.argv[1]
if mode == "stdio":
    server.run("stdio")
else:
    serve_http(mode == "json")
