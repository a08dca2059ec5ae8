"""A bot for `senet serve`: plays the first free seat of a new match at random."""

import json
import random
import sys
import urllib.error
import urllib.request

SERVER, GAME = sys.argv[1], sys.argv[2]


def ask(path, body=None, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers))


made = json.load(ask("/api/matches", {"game": GAME, "name": "python"}))
path, token = f"/api/matches/{made['match']}", made["token"]
for one in made["invitations"]:
    print("play against it:", SERVER + one["link"], flush=True)
for line in ask(path + "/stream", token=token):
    if not line.strip():
        continue
    state = json.loads(line)
    if state["status"] == "over":
        print(state["result"]["text"])
        break
    events = [move["event"] for move in state.get("legal", [])] or ["roll"] * bool(state.get("roll"))
    if events:
        move = {"ply": state["ply"], "id": f"ply-{state['ply']}", "event": random.choice(events)}
        try:
            ask(path + "/moves", move, token).close()
        except urllib.error.HTTPError as refused:
            if refused.code != 409:  # The match has changed in the meantime: the next line says how.
                raise
