"""A server on the oldest Python SDK, over stdio"""

import asyncio
import json

import mcp.types as types
from mcp.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.stdio import stdio_server

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
NAMES = ["echo", "add", "picture", "fail", "large", "ask_model", "show_roots"]

server = Server("interop-server")


@server.list_tools()
async def list_tools():
    return [types.Tool(name=name, inputSchema={"type": "object"}) for name in NAMES]


def text(value):
    return [types.TextContent(type="text", text=value)]


async def ask_model(question):
    content = types.TextContent(type="text", text=question)
    messages = [types.SamplingMessage(role="user", content=content)]
    answer = await server.request_context.session.create_message(messages, max_tokens=100)
    return text(answer.content.text)


async def show_roots():
    answer = await server.request_context.session.list_roots()
    return text("\n".join(str(root.uri) for root in answer.roots))


@server.call_tool()
async def call_tool(name, arguments):
    if name == "echo":
        return text(arguments["text"])
    if name == "add":
        return text(json.dumps({"sum": arguments["a"] + arguments["b"]}))
    if name == "picture":
        return [types.ImageContent(type="image", data=PICTURE, mimeType="image/png")]
    if name == "large":
        return text("x" * arguments["bytes"])
    if name == "ask_model":
        return await ask_model(arguments["question"])
    if name == "show_roots":
        return await show_roots()
    raise ValueError("It did not work")


@server.list_resources()
async def list_resources():
    return [types.Resource(uri="note:///motto", name="motto", mimeType="text/plain")]


@server.read_resource()
async def read_resource(uri):
    if str(uri) != "note:///motto":
        raise ValueError(f"There is no {uri}")
    return "Measure twice"


@server.list_prompts()
async def list_prompts():
    return [types.Prompt(name="greet", arguments=[types.PromptArgument(name="name", required=True)])]


@server.get_prompt()
async def get_prompt(name, arguments):
    content = types.TextContent(type="text", text=f"Greet {arguments['name']}")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])


async def main():
    async with stdio_server() as (read, write):
        capabilities = server.get_capabilities(NotificationOptions(), {})
        options = InitializationOptions(server_name="interop-server", server_version="1.0.0", capabilities=capabilities)
        await server.run(read, write, options)


asyncio.run(main())
