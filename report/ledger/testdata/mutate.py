"""Changes each number of each check of a ledger, one at a time, and lists the changes that the checker does not find:
mutate.py check_claims.py claims.json"""
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("check_claims", sys.argv[1])
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)


def numbers(tree, path=()):
    """The places of all numbers: values, names of waves, and numbers in expressions."""
    for key in list(tree if isinstance(tree, dict) else range(len(tree))):
        value = tree[key]
        if isinstance(key, str) and key.isdigit():
            yield path, key
        if type(value) is int:
            yield path + (key,), None
        elif isinstance(value, (dict, list)):
            yield from numbers(value, path + (key,))


def changed(check, path, name, by):
    """The check with another number in one place."""
    check = json.loads(json.dumps(check))
    tree = check
    for key in path if name is not None else path[:-1]:
        tree = tree[key]
    if name is None:
        tree[path[-1]] += by
    else:
        tree[str(int(name) + by)] = tree.pop(name)
    return check


found = missed = 0
with open(sys.argv[2], encoding="utf-8") as file:
    claims = json.load(file)["claims"]
for claim in claims:
    check = claim["evidence"].get("check")
    if check is None:
        continue
    wrong = checker.lie(check)
    if wrong is not None:
        sys.exit(f"{claim['id']}: {wrong}")
    # A change in one of several parts is found in that part, so the others need not be computed again.
    for part in check.get("all", [check]):
        for path, name in list(numbers(part)):
            for by in 1, -1:
                if checker.lie(changed(part, path, name, by)) is None:
                    missed += 1
                    print(f"missed: {claim['id']}: {path} {name or ''} by {by}")
                else:
                    found += 1
print(f"{found} changes found, {missed} missed")
sys.exit(missed > 0)
