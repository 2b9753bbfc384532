"""Changes each number and each name of each check of a ledger, one at a time, and lists the changes that the checker does
not find: mutate.py check_claims.py claims.json"""
import importlib.util
import itertools
import json
import re
import sys

spec = importlib.util.spec_from_file_location("check_claims", sys.argv[1])
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)
sys.setrecursionlimit(20_000)

NAMES = {"soldiers": "castle", "castle": "towers", "towers": "soldiers", "none": "soldiers", "together": "in turn", "in turn": "together"}


def others(value, turn):
    """What stands in the place of a number: one more, one less, and in turn its negative, nothing, its double, two digits
    exchanged, a fraction, a text."""
    digits = str(abs(value))
    more = -value, 0, 2 * value, int(digits[:-2] + digits[:-3:-1]), float(value), str(value)
    return [value + 1, value - 1] + [other for other in more[turn % 6:][:1] if type(other) is not int or other != value]


def changes(tree, path=()):
    """The places of all numbers, also those that a condition says something is equal to, of names that have a counterpart
    and of keys, each with what is to stand there."""
    for key in list(tree if isinstance(tree, dict) else range(len(tree))):
        value = tree[key]
        if isinstance(key, str):
            for name in {str(int(key) + 1), str(int(key) - 1), "0"} - {key} if key.isdigit() else {key + "s"}:
                yield path, key, name
        if type(value) is int:
            for other in others(value, next(turns)):
                yield path + (key,), None, other
            if value in (0, 1):
                yield path + (key,), None, bool(value)
        elif key in ("if", "then", "holds"):
            for at in re.finditer(r"== (\d+)\b(?! [-+*/%])", value) if not re.search(r"\b(not|or)\b|\) ==", value) else ():
                for other in (int(at[1]) + 1, int(at[1]) - 1):
                    yield path + (key,), None, f"{value[:at.start(1)]}{other}{value[at.end(1):]}"
        elif value in NAMES.keys() if isinstance(value, str) else False:
            yield path + (key,), None, NAMES[value]
        elif isinstance(value, (dict, list)):
            yield from changes(value, path + (key,))


def found(part, path, name, by):
    """Whether the checker finds that a key has another name, or a value another value. The part is then as before."""
    tree = part
    for key in path if name is not None else path[:-1]:
        tree = tree[key]
    before = tree.copy()
    if name is None:
        tree[path[-1]] = by
    else:
        tree[by] = tree.pop(name)
    checker.taken[0] = 0
    lie = checker.lie(part)
    tree.clear()
    (tree.update if isinstance(tree, dict) else tree.extend)(before)
    return lie is not None


turns, changed = itertools.count(), set()
seen = missed = 0
with open(sys.argv[2], encoding="utf-8") as file:
    claims = json.load(file)["claims"]
for claim in claims:
    check = claim["evidence"].get("check")
    if check is None:
        continue
    checker.taken[0] = 0
    wrong = checker.lie(check)
    if wrong is not None:
        sys.exit(f"{claim['id']}: {wrong}")
    # A change in one of several parts is found in that part, so the others need not be computed again; nor need a part that
    # is one of another claim, too.
    for part in check.get("all", [check]):
        here, text = list(changes(part)), json.dumps(part)
        if text in changed:
            continue
        changed.add(text)
        for path, name, by in here:
            if found(part, path, name, by):
                seen += 1
            else:
                missed += 1
                print(f"missed: {claim['id']}: {path} {name or ''} {by!r}")
print(f"{seen} changes found, {missed} missed")
sys.exit(missed > 0)
