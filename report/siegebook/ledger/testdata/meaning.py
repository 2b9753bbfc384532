"""Makes each claim of a ledger say something else, in one way at a time, and lists the lies that the checker does not find:
meaning.py check_claims.py claims.json, in the folder of the report.

The rules for claims have to find them. Where words are changed, or all of a claim fits together and is another's, the digest
of the file finds it, whatever the change is."""
import collections
import copy
import hashlib
import importlib.util
import math
import os
import sys

spec = importlib.util.spec_from_file_location("check_claims", sys.argv[1])
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)

with open(sys.argv[2], "rb") as file:
    data = file.read()
ledger = checker.read(data)
settled = checker.settled_by(ledger)
places = checker.places_of(os.path.dirname(sys.argv[2]))
if checker.PINNED != hashlib.sha256(data).hexdigest():
    sys.exit("the checker is not pinned to this ledger")


EMPTY = "a tautology", "no cases", "no cases, in words"  # lies that would hold whatever is computed


def every_of(claim, key="then"):
    check = claim["evidence"].get("check", {})
    return [part for part in check.get("all", [check]) if key in part]


def small(part):
    """The sides of a box of few battles: what holds everywhere is found out as well as in the box of a claim, and in seconds."""
    sides = {name: min(part[name], 2) for name in "nsdhkti" if name in part}
    return {**sides, "battles": math.prod(sides.values())}


def by_rules(claim, before):
    """Yields lies as a name, the claim that tells it, and the part of its check that has changed, if it is one: the others
    need not be computed again."""
    def lie(name, change, part=None, key="then"):
        told = copy.deepcopy(claim)
        changed = None if part is None else every_of(told, key)[part]
        change(told if part is None else changed)
        return name, told, changed
    for verdict, kinds in checker.KINDS.items():
        if verdict != claim["verdict"]:
            yield lie("verdict", lambda c: c.update(verdict=verdict))
            yield lie("kind", lambda c: c["evidence"].update(kind=kinds[0]))
    yield lie("verdict, kind and no theorem", lambda c: c.update(verdict="proved by machine", evidence={
        **c["evidence"], "kind": "theorem", "theorems": [{"name": "nowhere", "file": "Rules.v"}]}))
    yield lie("a blank behind the id", lambda c: c.update(id=c["id"] + " "))
    yield lie("a blank behind the statement", lambda c: c.update(statement=c["statement"] + " "))
    theorems = claim["evidence"].get("theorems", [])
    for i in range(len(theorems)):
        yield lie("a theorem that is not there", lambda c: c["evidence"]["theorems"][i].update(name="nowhere"))
        yield lie("a theorem of another file", lambda c: c["evidence"]["theorems"][i].update(file="Nowhere.v"))
        yield lie("a part and the whole", lambda c: c["evidence"]["theorems"][i].update(
            part=not c["evidence"]["theorems"][i].get("part", False)))
        yield lie("a theorem less", lambda c: c["evidence"]["theorems"].pop(i))
    yield lie("a theorem more", lambda c: c["evidence"].update(theorems=theorems + [{"name": "who_wins", "file": "MinWaves.v"}]))
    yield lie("the report's link", lambda c: c.update(report=c["report"].split("#")[0] + "#nowhere"))
    yield lie("no link", lambda c: c.update(report="elsewhere"))
    if "proof" in claim["evidence"]:
        yield lie("the proof's link", lambda c: c["evidence"].update(proof=c["evidence"]["proof"].split("#")[0] + "#nowhere"))
    if claim["verdict"] == "proved in prose":
        yield lie("no proof", lambda c: c["evidence"].pop("proof"))
    if claim["id"].startswith("proofs-") and before["id"].startswith("proofs-"):
        yield lie("another's proof", lambda c: c["evidence"].update(proof=before["report"]))
    if claim["verdict"] == "refuted":
        yield lie("no counterexample", lambda c: c["evidence"].update(text="It is not so. Checked: all."))
        yield lie("another counterexample", lambda c: c["evidence"].update(
            text=c["evidence"]["text"].replace("Counterexample: ", "Counterexample: (987, 654, 321): 0; ")))
        if "check" in claim["evidence"] and "reading the text" not in claim["evidence"]["text"]:
            yield lie("nothing to recompute", lambda c: (c["evidence"].pop("check"), c["evidence"].update(
                text=c["evidence"]["text"].split("Checked: ")[0] + "Checked: all.")))
    for i, part in enumerate(every_of(claim)):
        name, other = ("soldiers", "castle") if part["game"] == "castle" else ("best", "lost")
        for then in "n > 0", f"{name} == {name}", f"{name} < 5 or {other} >= 0", f"({part['then']}) or n > 0":
            yield lie("a tautology", lambda p: p.update(then=then, **small(p)), i)
        yield lie("no cases", lambda p: p.update({"if": "n < 0", "cases": 0, **small(p)}), i)
        yield lie("no cases, in words", lambda p: p.update({"if": "n < 0", "cases": "none", **small(p)}), i)
        yield lie("an empty box", lambda p: p.update(n=0, battles=0, cases=0), i)
    for i, part in enumerate(every_of(claim, "holds")[:3]):
        name, other = ("soldiers", "castle") if part["game"] == "castle" else ("best", "lost")
        for holds in "n > 0", f"{name} == {name}", f"{name} < 5 or {other} >= 0", f"({part['holds']}) or n > 0":
            yield lie("a tautology of a battle", lambda p: p.update(holds=holds), i, "holds")


found, missed = collections.Counter(), 0
for before, claim in zip(ledger["claims"][-1:] + ledger["claims"], ledger["claims"]):
    for name, told, changed in by_rules(claim, before):
        checker.taken[0] = 0
        wrong = checker.false_claim(told, settled, places) or (every_of(told) or every_of(told, "holds")) and checker.lie(changed or told["evidence"]["check"])
        seen = bool(wrong) and (name not in EMPTY or wrong.startswith("nothing is said"))
        found[name] += seen
        if not seen:
            missed += 1
            print(f"missed by the rules: {claim['id']}: {name}")
for name, number in sorted(found.items()):
    print(f"{number:5} {name}")
print(f"{sum(found.values())} lies of {len(found)} kinds found, {missed} missed")
sys.exit(missed > 0)
