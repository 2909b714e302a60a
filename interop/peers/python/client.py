"""A client of the official Python SDK 2: client.py <plan>"""

import asyncio

import mcp.types as types
from lines import answers, ask, era, pages, plain, say, serve, target
from mcp import Client, StdioServerParameters
from mcp.client.stdio import get_default_environment


def connection():
    if "url" in target:
        return target["url"]
    env = {**get_default_environment(), **target["env"]}
    return StdioServerParameters(command=target["command"], args=target["args"], env=env)


async def sample(_context, params):
    return types.CreateMessageResult.model_validate(await ask("sample", params))


async def elicit(_context, params):
    return types.ElicitResult.model_validate(await ask("elicit", params))


async def roots(_context):
    return types.ListRootsResult.model_validate({"roots": answers["roots"]})


async def log(params):
    say({"event": "log", "params": plain(params)})


async def heard(message):
    if isinstance(message, types.ToolListChangedNotification):
        say({"event": "tools"})
    if isinstance(message, types.ResourceUpdatedNotification):
        say({"event": "updated", "params": plain(message.params)})


def options():
    return {
        "mode": "auto" if era == "2026" else "legacy",
        "message_handler": heard,
        **({"sampling_callback": sample} if answers["sample"] else {}),
        **({"elicitation_callback": elicit} if answers["elicit"] else {}),
        **({"list_roots_callback": roots} if "roots" in answers else {}),
        **({"logging_callback": log, "log_level": answers["logLevel"]} if answers["log"] else {}),
    }


def progress_of(request):
    async def report(progress, total, message):
        say({"progress": request["id"], "params": {"progress": progress, "total": total, "message": message}})

    return report if request["params"].get("progress") else None


async def call(client, request):
    params = request["params"]
    report = progress_of(request)
    return plain(await client.call_tool(params["name"], params["arguments"], progress_callback=report))


watching = {}


async def watch(client, uri, began):
    async with client.listen(resource_subscriptions=[uri]) as news:
        began.set_result(None)
        async for _ in news:
            say({"event": "updated", "params": {"uri": uri}})


async def listen_to_tools(client, began):
    async with client.listen(tools_list_changed=True) as news:
        began.set_result(None)
        async for _ in news:
            say({"event": "tools"})


async def begin(listen, *given):
    began = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(listen(*given, began))
    await began
    return task


async def main():
    async with Client(connection(), **options()) as client:
        modern = client.protocol_version == "2026-07-28"

        async def answer(request):
            kind, params = request["kind"], request["params"]
            if kind == "ping":
                # Since 2026-07-28 there is no ping; any request shows that the server answers.
                await (client.list_tools() if modern else client.send_ping())
                return {}
            if kind == "tools":
                return await pages(client.list_tools, "tools")
            if kind == "call":
                return await call(client, request)
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
            if kind == "complete":
                by_type = {"ref/prompt": types.PromptReference, "ref/resource": types.ResourceTemplateReference}
                ref = by_type[params["ref"]["type"]].model_validate(params["ref"])
                return plain(await client.complete(ref, params["argument"]))["completion"]["values"]
            if kind == "watch":
                if modern:
                    watching[params["uri"]] = await begin(watch, client, params["uri"])
                else:
                    await client.subscribe_resource(params["uri"])
                return {}
            if kind == "unwatch":
                if modern:
                    watching.pop(params["uri"]).cancel()
                else:
                    await client.unsubscribe_resource(params["uri"])
                return {}
            raise ValueError(f"no such request: {kind}")

        if answers["log"] and not modern:
            await client.set_logging_level(answers["logLevel"])
        if answers["tools"] and modern:
            await begin(listen_to_tools, client)
        say({"revision": client.protocol_version, "serverName": client.server_info and client.server_info.name})
        await serve(answer)


asyncio.run(main())
