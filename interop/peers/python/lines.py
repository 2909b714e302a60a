"""The lines of interop/lib/line-client.mjs, for clients of any version of the SDK."""

import asyncio
import json
import sys

plan = json.loads(sys.argv[1])
target, era, answers = plan["target"], plan["era"], plan["answers"]
questions, working = {}, {}


def plain(value):
    return json.loads(value.model_dump_json(by_alias=True, exclude_none=True))


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


async def ask(kind, params):
    """The answer of the task to a question of the server."""
    question = len(questions) + 1
    questions[question] = asyncio.get_running_loop().create_future()
    say({"question": question, "kind": kind, "params": plain(params)})
    return await questions[question]


async def pages(listing, member):
    items, cursor = [], None
    while True:
        page = plain(await (listing() if cursor is None else listing(cursor=cursor)))
        items += page[member]
        cursor = page.get("nextCursor")
        if cursor is None:
            return items


async def reply(request, answer):
    try:
        say({"id": request["id"], "result": await answer(request)})
    except asyncio.CancelledError:
        say({"id": request["id"], "error": {"message": "cancelled"}})
        raise
    except Exception as error:
        # The oldest SDK keeps it among the arguments only.
        wire = getattr(error, "error", None) or next((one for one in error.args if hasattr(one, "code")), None)
        code = {} if wire is None else {"code": wire.code}
        message = f"{type(error).__name__}: {error}"
        say({"id": request["id"], "error": {**code, "message": message}})


async def serve(answer):
    """Answers requests with the given function until standard input ends."""
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        message = json.loads(line)
        if "cancel" in message:
            working[message["cancel"]].cancel()
        elif "answer" in message:
            questions[message["answer"]].set_result(message["result"])
        else:
            working[message["id"]] = asyncio.create_task(reply(message, answer))
