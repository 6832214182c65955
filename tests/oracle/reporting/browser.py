"""A page in headless Chromium, by WebDriver: ChromeDriver speaks JSON over HTTP."""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.request

# A page lists its sums when nobody has moved for 150 ms: of some hundred moves each would be waited for.
AT_ONCE = "const wait = setTimeout; window.setTimeout = (f, ms, ...more) => wait(f, ms === 150 ? 10 : ms, ...more)"
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]


def missing():
    """What is not installed, or nothing."""
    names = [("chromium", "chromium-browser"), ("chromedriver",), ("pdftotext",)]
    return ", ".join(n[0] for n in names if not any(shutil.which(x) for x in n))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    def __init__(self, folder):
        self.at = f"http://127.0.0.1:{free_port()}"
        self.log = open(pathlib.Path(folder) / "chromedriver.log", "wb")
        self.driver = subprocess.Popen(["chromedriver", "--port=" + self.at.rsplit(":", 1)[1]],
                                       stdout=self.log, stderr=self.log)
        self.session = ""
        try:
            self.wait()
            binary = shutil.which("chromium") or shutil.which("chromium-browser")
            said = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": binary, "args": ARGS}}}})
            self.session = "/session/" + said["sessionId"]
            self.command("Page.addScriptToEvaluateOnNewDocument", source=AT_ONCE)
        except Exception:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()

    def wait(self):
        for _ in range(150):
            try:
                self.call("GET", "/status")
                return
            except OSError:
                time.sleep(0.2)
        raise OSError("ChromeDriver does not answer")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.at + self.session + path, data, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def command(self, name, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": params})

    def prefer(self, scheme):
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path, width):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900,
                     deviceScaleFactor=1, mobile=width < 500)
        self.prefer("light")
        self.call("POST", "/url", {"url": pathlib.Path(path).as_uri()})

    def ask(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def press_enter(self):
        """What the key does to the element that has the focus."""
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        self.command("Input.dispatchKeyEvent", type="keyDown", text="\r", **key)
        self.command("Input.dispatchKeyEvent", type="keyUp", **key)

    def complaints(self):
        """What stands on the console since the last time."""
        return [e["message"] for e in self.call("POST", "/se/log", {"type": "browser"})]

    def paper(self, path):
        """The page on A4; its sheets as lists of words."""
        sheet = self.command("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)
        path = pathlib.Path(path)
        path.write_bytes(base64.b64decode(sheet["data"]))
        text = subprocess.run(["pdftotext", "-raw", str(path), "-"], stdout=subprocess.PIPE,
                              check=True).stdout.decode()
        return [sheet.split() for sheet in text.split("\f")]
