"""Archives in the layout of published data sets, and a server for them that can fail."""

import hashlib
import io
import json
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HEADER = "lemma\tpos\tdate\tgrouping\tidentifier\tdescription\tcontext\tindexes_target_token"


def graphs(words=("mouse_nn", "überspannen"), usages=4):
    """The files of a data set by their paths in its archive."""
    files = {"README.md": b"made for a test"}
    for word in words:
        rows = [
            f"{word}\tnn\t1{7 + p}00\t{p}\t{word}-{p}-{k}\t \tthe {word} {k}\t4:{4 + len(word)}"
            for p in (1, 2)
            for k in range(usages)
        ]
        clusters = [f"{word}-{p}-{k}\t{k % 2}" for p in (1, 2) for k in range(usages)]
        files[f"data/{word}/uses.csv"] = "\n".join([HEADER, *rows, ""]).encode()
        files[f"clusters/opt/{word}.csv"] = "\n".join(
            ["identifier\tcluster", *clusters, ""]
        ).encode()
    return files


def archive(files=None, top="dwug_en/", *, padding=0):
    """A zip; ``padding`` bytes that cannot be compressed make it large enough to interrupt."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path, content in (graphs() if files is None else files).items():
            zipped.writestr(top + path, content)
        if padding:
            noise = b"".join(hashlib.sha256(str(k).encode()).digest() for k in range(padding // 32))
            zipped.writestr(f"{top}noise.bin", noise)
    return buffer.getvalue()


def record(content, *, key="dwug_en.zip", checksum=None):
    """What Zenodo's interface says of a record, as far as it matters."""
    return {
        "id": 14028531,
        "doi": "10.5281/zenodo.14028531",
        "metadata": {
            "title": "DWUG EN: made for a test",
            "doi": "10.5281/zenodo.14028531",
            "publication_date": "2024-11-03",
            "version": "3.0.0",
            "creators": [{"name": "Doe, Jane"}, {"name": "Roe, Richard"}],
            "license": {"id": "cc-by-nd-4.0"},
        },
        "files": [
            {
                "key": key,
                "size": len(content),
                "checksum": checksum or f"md5:{hashlib.md5(content).hexdigest()}",
            }
        ],
    }


class Server(ThreadingHTTPServer):
    """Serves a record and its archive; its attributes say how it is to fail."""

    def __init__(self, content):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.record = json.dumps(record(content)).encode()
        self.file = "dwug_en.zip"
        self.requests = []  # of the archive: the ranges that were asked for
        self.break_after = []  # bytes after which each of the next answers breaks off
        self.errors = []  # statuses of the next answers
        self.ranges = True  # whether parts can be asked for
        self.before_archive = None  # an event to wait for before an archive is sent

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/api/records/14028531":
            self.reply(200, self.server.record)
        elif path == f"/records/14028531/files/{self.server.file}":
            self.send_archive()
        else:
            self.reply(404, b"not here")

    def reply(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def send_archive(self):
        server, content = self.server, self.server.content
        asked = self.headers.get("Range")
        server.requests.append(asked)
        if server.before_archive:
            server.before_archive.wait()
        if server.errors:
            return self.reply(server.errors.pop(0), b"sorry")
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        if not server.ranges:
            start, asked = 0, None
        if asked and start >= len(content):
            return self.reply(416, b"", Content_Range=f"bytes */{len(content)}")
        rest = content[start:]
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(len(rest)))
        if asked:
            extent = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self.send_header("Content-Range", extent)
        self.end_headers()
        if server.break_after:
            rest = rest[: server.break_after.pop(0)]
            self.close_connection = True
        self.wfile.write(rest)
        return None


@contextmanager
def serving(content):
    server = Server(content)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
