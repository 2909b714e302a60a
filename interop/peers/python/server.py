"""A server on the official Python SDK, or on FastMCP: server.py <sdk|fastmcp|fastmcp-1> <transport> [port]"""

import asyncio
import base64
import sys
from typing import Annotated

from pydantic import BaseModel
from typing_extensions import TypedDict

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

flavour, transport, *rest = sys.argv[1:]
named = {"name": "interop-server", "version": "1.0.0"}

if flavour == "sdk":
    from mcp.server import MCPServer as Server
    from mcp.server.mcpserver import Context, Image
    from mcp.server.mcpserver.exceptions import ToolError
elif flavour == "fastmcp":
    from fastmcp import Context, FastMCP as Server
    from fastmcp.exceptions import ToolError
    from fastmcp.utilities.types import Image
else:
    from fastmcp import Context, FastMCP as Server, Image
    from fastmcp.exceptions import ToolError

    named = {"name": "interop-server", **({"port": int(rest[0])} if rest else {})}

server = Server(**named)


class Sum(TypedDict):
    sum: float


class User(BaseModel):
    name: str


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


released = asyncio.Event()


@server.tool()
async def report(ctx: Context) -> str:
    for step in range(1, 6):
        await ctx.report_progress(step, 5)
    released.clear()
    await released.wait()
    return "Released"


@server.tool()
async def release() -> str:
    released.set()
    return "Done"


cancelled = 0


@server.tool()
async def wait(ctx: Context) -> str:
    global cancelled
    await ctx.report_progress(1)
    try:
        await asyncio.Event().wait()
    finally:
        cancelled += 1
    return "Cancelled"


@server.tool()
async def cancellations() -> str:
    return str(cancelled)


@server.tool()
def large(bytes: int) -> str:
    return "x" * bytes


def add_questions():
    """Resolvers: results in 2026-07-28, and requests before."""
    from mcp.server.mcpserver import AcceptedElicitation, Elicit, ElicitationResult, ListRoots, Resolve, Sample
    from mcp.types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent

    def who() -> Elicit[User]:
        return Elicit("Who are you?", User)

    def model(question: str) -> Sample:
        message = SamplingMessage(role="user", content=TextContent(type="text", text=question))
        return Sample([message], max_tokens=100)

    def folders() -> ListRoots:
        return ListRoots()

    @server.tool()
    async def ask_user(user: Annotated[ElicitationResult[User], Resolve(who)]) -> str:
        if isinstance(user, AcceptedElicitation):
            return f"The user is {user.data.name}"
        return "The user did not say"

    @server.tool()
    async def ask_model(question: str, answer: Annotated[CreateMessageResult, Resolve(model)]) -> str:
        return answer.content.text

    @server.tool()
    async def show_roots(roots: Annotated[ListRootsResult, Resolve(folders)]) -> str:
        return "\n".join(str(root.uri) for root in roots.roots)


def add_question_in_session():
    @server.tool()
    async def ask_user(ctx: Context) -> str:
        answer = await ctx.elicit("Who are you?", User)
        return f"The user is {answer.data.name}" if answer.action == "accept" else "The user did not say"


if flavour == "sdk":
    add_questions()
if flavour == "fastmcp":
    add_question_in_session()


@server.resource("note:///motto")
def motto() -> str:
    return "Measure twice"


@server.resource("note:///by/{name}")
def note(name: str) -> str:
    return f"A note by {name}"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


if flavour == "fastmcp-1":
    server.run(transport)
elif transport.startswith("stdio"):
    server.run("stdio") if flavour == "sdk" else server.run("stdio", show_banner=False)
else:
    options = {"host": "127.0.0.1", "port": int(rest[0])}
    server.run("streamable-http", **options)
