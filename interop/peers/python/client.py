"""A client of the official Python SDK: lines of JSON in, one line of JSON for each: client.py <target> <era>"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters

target, era = json.loads(sys.argv[1]), sys.argv[2]


def connection():
    if "url" in target:
        return target["url"]
    return StdioServerParameters(command=target["command"], args=target["args"])


def plain(value):
    return json.loads(value.model_dump_json(by_alias=True, exclude_none=True))


async def pages(listing, member):
    items, cursor = [], None
    while True:
        page = plain(await (listing() if cursor is None else listing(cursor=cursor)))
        items += page[member]
        cursor = page.get("nextCursor")
        if cursor is None:
            return items


async def answer(client, request):
    kind, params = request["kind"], request.get("params", {})
    if kind == "ping":
        # Since 2026-07-28 there is no ping; any request shows that the server answers.
        await (client.list_tools() if client.protocol_version == "2026-07-28" else client.send_ping())
        return {}
    if kind == "tools":
        return await pages(client.list_tools, "tools")
    if kind == "call":
        return plain(await client.call_tool(params["name"], params["arguments"]))
    if kind == "resources":
        return await pages(client.list_resources, "resources")
    if kind == "templates":
        return await pages(client.list_resource_templates, "resourceTemplates")
    if kind == "read":
        return plain(await client.read_resource(params["uri"]))["contents"]
    if kind == "prompts":
        return await pages(client.list_prompts, "prompts")
    if kind == "prompt":
        return plain(await client.get_prompt(params["name"], params["arguments"]))
    raise ValueError(f"no such request: {kind}")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


async def reply(client, request):
    try:
        say({"id": request["id"], "result": await answer(client, request)})
    except MCPError as error:
        say({"id": request["id"], "error": {"code": error.error.code, "message": error.error.message}})
    except Exception as error:
        say({"id": request["id"], "error": {"message": f"{type(error).__name__}: {error}"}})


async def main():
    mode = "auto" if era == "2026" else "legacy"
    async with Client(connection(), mode=mode) as client:
        say({"revision": client.protocol_version, "serverName": client.server_info and client.server_info.name})
        loop = asyncio.get_running_loop()
        working = set()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            task = asyncio.create_task(reply(client, json.loads(line)))
            working.add(task)
            task.add_done_callback(working.discard)


asyncio.run(main())
