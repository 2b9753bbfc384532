"""Gives a checker claims that ask for much memory, many steps or a deep stack, in a process that has little of each, and
lists those of which it says something else than expected: bounded.py check_claims.py hostile.txt

A line of hostile.txt is a comment behind #, or a check. Behind a check comes a tab, and what the checker says of it:
"right", or a part of its refusal."""
import importlib.util
import json
import resource
import sys

spec = importlib.util.spec_from_file_location("check_claims", sys.argv[1])
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)

resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
resource.setrlimit(resource.RLIMIT_CPU, (300, 300))  # a loop that counts no steps takes hours
sys.setrecursionlimit(150)  # enough for a check, and too little for a call in each wave of a long battle
checker.STEPS = 200_000  # a fortieth of what a ledger may take: each loop has to count its steps
wrong = seen = 0
with open(sys.argv[2], encoding="utf-8") as file:
    for number, line in enumerate(file, 1):
        if line.startswith("#") or not line.strip():
            continue
        check, _, want = line.rstrip("\n").partition("\t")
        checker.taken[0] = 0
        found = checker.lie(json.loads(check)) or "right"
        seen += 1
        if want not in found:
            wrong += 1
            print(f"line {number}: {found[:200]}, want {want}")
print(f"{seen} checks, {wrong} wrong")
sys.exit(wrong > 0)
