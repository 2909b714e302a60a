"""A client of the oldest Python SDK: client-oldest.py <plan>"""

import asyncio
from contextlib import asynccontextmanager

import mcp.types as types
from lines import plain, say, serve, target
from mcp.client.session import ClientSession
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client
from pydantic import AnyUrl


def connection():
    if "url" in target:
        return sse_client(target["url"])
    env = {**get_default_environment(), **target["env"]}
    return stdio_client(StdioServerParameters(command=target["command"], args=target["args"], env=env))


async def all_of(listing, member):
    """It has no cursors: the first page is all."""
    return plain(await listing())[member]


@asynccontextmanager
async def connected():
    async with connection() as (read, write), ClientSession(read, write) as session:
        yield session, await session.initialize()


async def ignore_notifications(session):
    """Without a reader the session stops at the first notification."""
    async for _ in session.incoming_messages:
        pass


async def main():
    async with connected() as (session, server):
        reading = asyncio.create_task(ignore_notifications(session))

        async def answer(request):
            kind, params = request["kind"], request["params"]
            if kind == "ping":
                await session.send_ping()
                return {}
            if kind == "tools":
                return await all_of(session.list_tools, "tools")
            if kind == "call":
                return plain(await session.call_tool(params["name"], params["arguments"]))
            if kind == "resources":
                return await all_of(session.list_resources, "resources")
            if kind == "read":
                return plain(await session.read_resource(AnyUrl(params["uri"])))["contents"]
            if kind == "prompts":
                return await all_of(session.list_prompts, "prompts")
            if kind == "prompt":
                return plain(await session.get_prompt(params["name"], params["arguments"]))
            if kind == "complete":
                by_type = {"ref/prompt": types.PromptReference, "ref/resource": types.ResourceReference}
                ref = by_type[params["ref"]["type"]].model_validate(params["ref"])
                argument = {"name": params["argument"]["name"], "value": params["argument"]["value"]}
                return plain(await session.complete(ref, argument))["completion"]["values"]
            raise ValueError(f"no such request: {kind}")

        say({"revision": server.protocolVersion, "serverName": server.serverInfo.name})
        await serve(answer)
        reading.cancel()


asyncio.run(main())
