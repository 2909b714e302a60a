"""A server on the official Python SDK, or on FastMCP: server.py <sdk|fastmcp> <transport> [port]"""

import base64
import sys
from typing_extensions import TypedDict

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

flavour, transport, *rest = sys.argv[1:]

if flavour == "sdk":
    from mcp.server import MCPServer as Server
    from mcp.server.mcpserver import Context, Image
    from mcp.server.mcpserver.exceptions import ToolError
else:
    from fastmcp import Context, FastMCP as Server
    from fastmcp.exceptions import ToolError
    from fastmcp.utilities.types import Image

server = Server("interop-server", version="1.0.0")


class Sum(TypedDict):
    sum: float


@server.tool()
def echo(text: str) -> str:
    return text


@server.tool()
def add(a: float, b: float) -> Sum:
    return {"sum": a + b}


@server.tool()
def picture() -> Image:
    return Image(data=base64.b64decode(PICTURE), format="png")


@server.tool()
def fail() -> str:
    raise ToolError("It did not work")


@server.tool()
async def count(to: int, ctx: Context) -> str:
    for step in range(1, to + 1):
        await ctx.report_progress(step, to)
    return "Counted"


@server.tool()
def large(bytes: int) -> str:
    return "x" * bytes


@server.resource("note:///motto")
def motto() -> str:
    return "Measure twice"


@server.resource("note:///by/{name}")
def note(name: str) -> str:
    return f"A note by {name}"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


if transport.startswith("stdio"):
    server.run("stdio") if flavour == "sdk" else server.run("stdio", show_banner=False)
else:
    options = {"host": "127.0.0.1", "port": int(rest[0])}
    server.run("streamable-http", **options)
