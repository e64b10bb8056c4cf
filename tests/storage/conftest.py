import pytest

from senseshift.storage import Folder


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
        fsspec.filesystem("s3", skip_instance_cache=True).mkdir("bucket")
        yield "s3://bucket"
        running.stop()


@pytest.fixture(params=["disk", "store"])
def folder(request, tmp_path):
    """A folder of either kind, in which nothing is yet."""
    if request.param == "disk":
        return Folder.at(tmp_path / "study")
    return Folder.at(f"{request.getfixturevalue('store')}/{tmp_path.name}")
