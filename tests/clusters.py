"""A Dask cluster and an object store on this machine, for the tests of several folders."""

import os
import subprocess
import sys
from contextlib import ExitStack

import pytest


@pytest.fixture(scope="session")
def store():
    """The address of a bucket in a store of this machine, which workers see, too."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server")
    import fsspec

    with pytest.MonkeyPatch.context() as patch:
        running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        running.start()
        host, port = running.get_host_and_port()
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        # Another room's store in this process has the bucket already.
        fsspec.filesystem("s3", skip_instance_cache=True).makedirs("bucket", exist_ok=True)
        yield "s3://bucket"
        running.stop()


class Crew:
    """A Dask scheduler and workers as processes of their own, all on this machine."""

    def __init__(self, stack):
        self.stack, self.scheduler = stack, None
        self.scheduler = self._start("scheduler", "--no-dashboard", "--port", "0")
        for line in self.scheduler.stderr:
            if "Scheduler at:" in line:
                self.address = line.split()[-1]
                break

    def worker(self, *options, **environment):
        """A worker of one thread, without a nanny to start it again."""
        return self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *options,
            **environment,
        )  # fmt: skip

    def _start(self, what, *options, **environment):
        code = f"from distributed.cli.dask_{what} import main; main()"
        paths = os.pathsep.join(filter(None, sys.path))
        process = subprocess.Popen(
            [sys.executable, "-c", code, "--host", "127.0.0.1", *options],
            stderr=subprocess.PIPE if self.scheduler is None else subprocess.DEVNULL, text=True,
            env={**os.environ, **environment, "PYTHONPATH": paths},
        )  # fmt: skip
        self.stack.callback(process.wait)
        if process.stderr is not None:
            self.stack.callback(process.stderr.close)
        self.stack.callback(process.kill)
        return process


@pytest.fixture
def crew():
    pytest.importorskip("distributed")
    with ExitStack() as stack:
        yield Crew(stack)
