"""Firefox as it comes with a system, driven by WebDriver BiDi: what the tests need and no more."""

import json
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

FIREFOXES = ("firefox-esr", "firefox")
QUIET = """user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.socks", "127.0.0.1");
user_pref("network.proxy.socks_port", 9);
"""  # whatever is asked of the network goes nowhere


class Firefox:
    """One window of a headless Firefox; what goes wrong in its pages is in ``wrong``."""

    def __init__(self, path, width=1300, height=1000):
        from websockets.sync.client import connect

        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        Path(self.profile.name, "user.js").write_text(QUIET)
        command = [path, "--headless", "--remote-debugging-port", "0", "--no-remote"]
        command += ["--profile", self.profile.name]
        self.log = Path(self.profile.name, "log.txt")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        self.wrong, self.number, self.held = [], 0, ExitStack()
        address = f"{self._address()}/session"
        self.socket = self.held.enter_context(connect(address, max_size=None, open_timeout=30))
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self.context, viewport=size)

    def _address(self):
        for _ in range(600):
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", self.log.read_text()):
                return found[1]
            time.sleep(0.1)
        raise RuntimeError(f"Firefox does not listen: {self.log.read_text()[-500:]}")

    def send(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps(command))
        while True:
            said = json.loads(self.socket.recv(timeout=60))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.wrong.append(said["params"]["text"])
            if said.get("id") == self.number:
                if said["type"] == "error":
                    raise RuntimeError(f"{method}: {said['message']}")
                return said["result"]

    def open(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression):
        """The value of an expression in the page, as JSON has it."""
        found = self.send(
            "script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self.context}, awaitPromise=True,
        )  # fmt: skip
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"].get("value", "null"))

    def until(self, expression, seconds=15):
        for _ in range(seconds * 20):
            if value := self.evaluate(expression):
                return value
            time.sleep(0.05)
        raise AssertionError(f"{expression} was not true within {seconds} s")

    def middle(self, selector):
        """Where an element is, after scrolling to it."""
        return self.evaluate(
            f"""(() => {{ const one = document.querySelector({selector!r});
            one.scrollIntoView({{ block: 'center', behavior: 'instant' }});
            const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2, box.x, box.y]; }})()"""
        )

    def point(self, *steps):
        """What a mouse does: places to move to, and "down" or "up" between them."""
        actions = []
        for step in steps:
            if isinstance(step, str):
                actions.append({"type": f"pointer{step.capitalize()}", "button": 0})
            else:
                x, y = map(round, step)
                actions.append({"type": "pointerMove", "x": x, "y": y, "duration": 20})
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self.send("input.performActions", context=self.context, actions=[mouse])

    def press(self, *keys):
        actions = [{"type": f"key{way}", "value": key} for key in keys for way in ("Down", "Up")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.send("input.performActions", context=self.context, actions=[keyboard])

    def close(self):
        self.held.close()
        self.process.terminate()
        self.process.wait(20)
        self.profile.cleanup()


def installed():
    """The path of a Firefox, if there is one."""
    return next(filter(None, map(shutil.which, FIREFOXES)), None)
