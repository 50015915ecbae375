"""Makes the calls that a test asks for, one JSON value a line, and tells what came of each."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["CLIENT_FOLDER"])
import cauri


def snake(name):
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def snaked(options):
    return {snake(name): value for name, value in options.items()}


def take(value, count):
    if isinstance(value, (cauri.List, cauri.EventList)):
        rows = []
        for row in value:
            rows.append(row)
            if len(rows) == count:
                break
        return rows
    if isinstance(value, cauri.Download):
        return {"contentType": value.content_type, "start": b"".join(value)[:200].decode("latin-1")}
    if isinstance(value, cauri.Response):
        return {"status": value.status, "correlationId": value.correlation_id, "body": value.body}
    return value


def tell(error):
    told = {name: getattr(error, snake(name), None) for name in ("status", "code", "details", "docUrl", "existingId")}
    told.update({name: getattr(error, snake(name), None) for name in ("correlationId", "idempotencyKey", "attempts", "reason")})
    return {**told, "kind": error.kind, "message": str(error), "isTemporary": error.is_temporary}


for line in sys.stdin:
    asked = json.loads(line)
    try:
        if asked["call"] in ("verify", "explainFailure", "sign"):
            made = getattr(cauri, snake(asked["call"]))
        else:
            client = cauri.Cauri(asked["url"], asked["token"], **snaked(asked["client"]))
            made = client
            for name in asked["call"].split("."):
                made = getattr(made, snake(name))
        value = made(*asked["args"], **snaked(asked["options"]))
        if asked.get("page"):
            value = value.page()
        answer = {"value": take(value, asked["take"])}
    except cauri.CauriError as error:
        answer = {"error": tell(error)}
    print(json.dumps(answer), flush=True)
