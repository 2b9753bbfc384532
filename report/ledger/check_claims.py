"""Checks the claims of the siege book: python3 check_claims.py claims.json

It needs Python 3 and its standard library. The rules of the games are written here once more, and nothing is taken from
the book but its claims: the numbers below "check" are recomputed. Lines of play are replayed, fewest waves are searched
for, ways are counted one wave after the other. It stops at the first lie with status 1, and with status 2 at a file
that is no ledger."""
import ast
import itertools
import json
import sys
from collections import Counter
from fractions import Fraction
from math import comb, inf

class Lie(Exception):
    pass
def need(holds, *words):
    if not holds:
        raise Lie(" ".join(map(str, words)))
def same(what, said, found):
    need(type(said) is type(found) and said == found, what, "is said to be", said, "and is", found)

# What is claimed of all points of a box, as an expression of whole numbers in Python's syntax.
NODES = (ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt,
         ast.GtE, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.FloorDiv, ast.Name, ast.Load, ast.Constant)
def compiled(text):
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        need(isinstance(node, NODES) and type(getattr(node, "value", 0)) is int, "no expression of a ledger:", text)
    return compile(tree, "claim", "eval")
def holds(test, names, at, values):
    known = dict(zip(names, at))
    return eval(test, {"__builtins__": {}}, known | {name: values[name](*at) for name in test.co_names if name not in known})
def every(check, names, values):
    tests, points, cases = (compiled(check["if"]), compiled(check["then"])), 0, 0
    for at in itertools.product(*(range(1, check[name] + 1) for name in names)):
        points += 1
        need(points <= 200_000, "the box is too large")
        if holds(tests[0], names, at, values):
            cases += 1
            need(holds(tests[1], names, at, values), check["then"], "does not hold at", at)
    same("the numbers of battles and cases", [check["battles"], check["cases"]], [points, cases])

# The castle. A state is soldiers, defenders, hits. Of the soldiers as many as the order says shoot a defender each, the
# others the castle. Shots at a castle that has fallen are legal only where no defender is left to shoot at.
def orders(S, D, C):
    return range(min(D, max(0, S - C)), min(S, D) + 1)
def wave(d, S, D, C, order):
    """The winner, or None, and the state at the end of the wave."""
    D, C = D - order, max(0, C - (S - order))
    if D == 0 and C == 0:
        return "soldiers", (S, 0, 0)
    if S <= D:
        return "castle", (0, D, C)
    return None, (S - D, D + d if C else D, C)

FEWEST = {}
def fewest(d, S, D, C):
    """The fewest waves in which the soldiers, and the castle, can win from a state; inf where that side cannot."""
    if D >= 2 * S:  # the soldiers are too few to leave fewer defenders than themselves
        return inf, 1
    key = d, S, D, C
    if key not in FEWEST:
        need(len(FEWEST) < 2_000_000, "the battle is too large to search")
        found = [inf, inf]
        for order in orders(S, D, C):
            winner, state = wave(d, S, D, C, order)
            if winner:
                found["soldiers castle".split().index(winner)] = 1
            elif state != (S, D, C):
                found = [min(old, 1 + new) for old, new in zip(found, fewest(d, *state))]
        FEWEST[key] = tuple(found)
    return FEWEST[key]
def finite(waves):
    return 0 if waves == inf else waves
RULES = {"castle_first": lambda S, D, C: min(D, S - C) if C <= S else D if S > D else 0, "defenders_first": lambda S, D, C: min(S, D)}
def play(rule, n, s, d):
    """The winner, or "none" once a wave changes nothing, the number of waves, and the soldiers left."""
    state, winner, before, waves = (n, 0, s), None, None, 0
    while winner is None and state != before:
        before, waves = state, waves + 1
        winner, state = wave(d, *state, RULES[rule](*state))
    return [winner or "none", waves, state[0]]

WAYS = {}
def ways(n, s, d):
    """The ways to win by side and wave, and the ties, among all legal lines of play."""
    if (n, s, d) not in WAYS:
        found, states, number = {"soldiers": {}, "castle": {}, "ties": 0}, {(n, 0, s): 1}, 0
        while states:
            number, now, states = number + 1, states, Counter()
            for state, count in now.items():
                for order in orders(*state):
                    winner, after = wave(d, *state, order)
                    if winner:
                        found[winner][str(number)] = found[winner].get(str(number), 0) + count
                    elif after == state:
                        found["ties"] += count
                    else:
                        states[after] += count
        WAYS[n, s, d] = found
    return WAYS[n, s, d]
def bounded(n, s, d, table, fewest_waves):
    """A certificate that the soldiers need so many waves, however strong the castle. With t + 1 waves to go, S soldiers can
    only win if hits and defenders together are at most table[t][S - 1]: in such a wave the castle falls, x defenders stay and
    the hunt for them takes t waves at most; or they stay and the castle stands, with bounds that are those of the row before."""
    same("the number of rows of bounds", len(table), fewest_waves - 2)
    for t, row in enumerate(table):
        same("the length of a row of bounds", len(row), n)
        for S in range(1, n + 1):
            falls = [S + x for x in range(S) if x == 0 or fewest(d, S - x, x, 0)[0] <= t]
            waits = [table[t - 1][S - x - 1] + S - d for x in range(S)] if t else []
            same(f"the bound of {S} soldiers in row {t}", row[S - 1], max(falls + waits))
    need(s - n + d > table[-1][n - 1], "the bounds do not exclude a win in", fewest_waves - 1)

def castle_battle(b):
    n, s, d, line = b["n"], b["s"], b["d"], b["line"]
    need(min(n, s, d) > 0, "no battle")
    state, winner = (n, 0, s), None
    same("the length of the line", len(line["orders"]), len(line["states"]))
    for order, after in zip(line["orders"], line["states"]):
        need(winner is None and order in orders(*state), order, "is no legal order in", state)
        winner, state = wave(d, *state, order)
        same("the state after a wave", after, list(state))
    same("the winner of the line", line["winner"], winner or "none")
    if "bounds" in b:
        bounded(n, s, d, b["bounds"], b["soldiers"])
        need(winner == "soldiers" and len(line["orders"]) == b["soldiers"], "the line does not win in the fewest waves")
    for side in sorted(b.keys() & ({"castle"} if "bounds" in b else {"castle", "soldiers"})):
        same(f"the fewest waves of the {side}", b[side], CASTLE[side](n, s, d))
    for rule in sorted(RULES.keys() & b.keys()):
        same(rule, b[rule], play(rule, n, s, d))
    if "ways" in b:
        same("the ways to win", b["ways"], ways(n, s, d))

CASTLE = {  # what an expression may name: waves, 0 where that side cannot win, or does not
    "soldiers": lambda n, s, d: finite(fewest(d, n, 0, s)[0]), "castle": lambda n, s, d: finite(fewest(d, n, 0, s)[1]),
    **{rule: lambda n, s, d, rule=rule: (lambda end: end[1] * (end[0] == "soldiers"))(play(rule, n, s, d)) for rule in RULES},
    **{rule + "_ties": lambda n, s, d, rule=rule: play(rule, n, s, d)[0] == "none" for rule in RULES},
    **{rule + "_left": lambda n, s, d, rule=rule: play(rule, n, s, d)[2] for rule in RULES},
}
def golden(check):  # powers of phi in the form a + b phi; the square of phi is phi + 1
    for power, *form in check["powers"]:
        a, b = 1, 0
        for _ in range(abs(power)):
            a, b = (b, a + b) if power > 0 else (b - a, a)
        same(f"phi to the power {power}", form, [a, b])

# The towers: each that stands at the end of a round kills k soldiers.
def tower_battle(b):
    n, h, k, t, line = b["n"], b["h"], b["k"], b["t"], b["line"]
    rounds = len(line["shots"])
    need(min(n, h, k, t) > 0 and rounds == len(line["soldiers"]) == len(line["hits"]) - 1 == len(line["kills"]) - 1, "no battle, or no line")
    towers, soldiers = [h] * t, n
    same("the hits and kills at the start", [line["hits"][0], line["kills"][0]], [towers, k * t])
    for shots, hits, left, kills in zip(line["shots"], line["hits"][1:], line["soldiers"], line["kills"][1:]):
        need(soldiers > 0 and any(towers), "the battle is over before the line")
        need(len(shots) == t and sum(shots) == soldiers and min(shots) >= 0, "not one shot for each soldier:", shots)
        need(all(tower or not shot for tower, shot in zip(towers, shots)), "a shot at a tower that is gone:", shots)
        towers = [max(0, tower - shot) for tower, shot in zip(towers, shots)]
        fire = k * sum(map(bool, towers))
        soldiers, unspent = max(0, soldiers - fire), max(0, fire - soldiers)
        same("the hits, soldiers and kills left", [hits, left, kills], [towers, soldiers, unspent])
    same("the winner of the line", line["winner"], "none" if soldiers and any(towers) else "soldiers" if soldiers else "towers")
    if "best" in b:
        same("the fewest rounds", b["best"], best(n, k, (h,) * t))
    if "chance" in b:
        same("the chance to win", b["chance"], list(chance(b["targets"], n, k, (h,) * t).as_integer_ratio()))

BEST = {}
def best(n, k, towers):
    """The fewest rounds in which n soldiers can win, over all ways to aim without waste; 0 if they cannot."""
    if n >= sum(towers):
        return 1
    if (n, k, towers) not in BEST:
        need(len(BEST) < 200_000, "the battle is too large to search")
        aimed = {((), n)}  # what is left of the first towers, and how many soldiers aim at the others
        for hits in towers:
            aimed = {(left + (hits - shots,), rest - shots) for left, rest in aimed for shots in range(min(hits, rest) + 1)}
        left = {tuple(sorted(hits for hits in left if hits)) for left, rest in aimed if rest == 0}
        rounds = [best(n - k * len(towers), k, towers) for towers in left if n > k * len(towers)]
        BEST[n, k, towers] = finite(min((1 + r for r in rounds if r), default=inf))
    return BEST[n, k, towers]
def chance(targets, n, k, towers):
    """The chance of soldiers who aim at random: "together", at towers that stood when the round began, or "in turn"."""
    now, wins = {(n, towers): Fraction(1)}, Fraction(0)
    while now:
        later = Counter()
        for (soldiers, standing), p in now.items():
            spread = {standing: p}
            for _ in range(soldiers):
                shot = Counter()
                for left, q in spread.items():
                    aims = [i for i, hits in enumerate(left) if hits or targets == "together"]
                    for i in aims:
                        shot[tuple(sorted(left[:i] + (max(0, left[i] - 1),) + left[i + 1:]))] += q / len(aims)
                    if not aims:
                        shot[left] += q
                spread = shot
            for left, q in spread.items():
                left = tuple(filter(None, left))
                if not left:
                    wins += q
                elif soldiers > k * len(left):
                    later[soldiers - k * len(left), left] += q
        now = later
    return wins

# The ants: letters on a plane, one for each army. Enemies are in range up to a squared distance of 5, as in the contest.
def near(ants, square):
    return [[j for j, b in enumerate(ants) if b[2] != a[2] and (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= square] for a in ants]
def fallen(enemies):
    return [i for i, others in enumerate(enemies) if any(len(enemies[j]) <= len(others) for j in others)]
def ants_battle(b):
    ants = [(row, column, cell) for row, cells in enumerate(b["map"]) for column, cell in enumerate(cells) if cell.isalpha()]
    enemies = near(ants, b["radius"] ** 2 if "radius" in b else 5)
    same("the enemies of each ant", b["enemies"], [len(others) for others in enemies])
    same("the dead", b["dead"], fallen(enemies))
    for i, j, square in b.get("squares", []):
        same("the squared distance", square, (ants[i][0] - ants[j][0]) ** 2 + (ants[i][1] - ants[j][1]) ** 2)
def ants_every(check):  # whom an enemy kills that is as busy or less, falls; and nobody else
    cells = list(itertools.product(range(check["rows"]), range(check["columns"])))
    need(len(cells) <= 9, "too many positions")
    deaths = 0
    for armies in itertools.product(" AB", repeat=len(cells)):
        enemies = near([(*cell, army) for cell, army in zip(cells, armies) if army != " "], 5)
        killed = {j for others in enemies for j in others if len(enemies[j]) >= len(others)}
        same("the dead by the other wording", sorted(killed), fallen(enemies))
        deaths += len(killed)
    same("positions and deaths", [check["positions"], check["deaths"]], [3 ** len(cells), deaths])
def ants_range(check):
    squares = sorted(r * r + c * c for r, c in itertools.product(range(-3, 4), repeat=2) if 0 < r * r + c * c <= 5)
    same("the range", [check["cells"], check["squares"]], [len(squares), squares])

# The naval battle, on 10 x 10 cells (x, y).
def naval_fleet(check):
    ships = check["ships"]
    same("the decks", sorted(map(len, ships)), [1, 1, 1, 1, 2, 2, 2, 3, 3, 4])
    for ship in ships:
        need(all(0 <= x <= 9 and 0 <= y <= 9 for x, y in ship), "a ship off the board")
        steps = {(u - x, v - y) for (x, y), (u, v) in zip(ship, ship[1:])}
        need(steps in (set(), {(1, 0)}, {(0, 1)}), "a ship that is no line")
    for one, other in itertools.combinations(ships, 2):
        need(all(max(abs(x - u), abs(y - v)) > 1 for x, y in one for u, v in other), "two ships touch")
    same("the cells", check["cells"], [sum(10 * y + x for x, y in ship) for ship in ships])
def naval_regions(check):
    for left, right, top, bottom, cells in check["regions"]:
        same("the cells of a region", cells, sum(1 if 0 <= x <= 9 and 0 <= y <= 9 else inf for x in range(left, right + 1) for y in range(top, bottom + 1)))
def naval_knockout(check):
    players, games = check["players"], 0
    while players > 1:
        same("players without an opponent", 0, players % 2)
        players, games = players // 2, games + players // 2
    same("the games, and those of each record", [check["games"]] * (1 + len(check["records"])), [games] + [sum(r) for r in check["records"]])
def naval_blind(check):  # the mean number of the shot that hits the last deck, where cells are shot at in random order
    cells, decks = check["cells"], check["decks"]
    mean = sum(Fraction(k * comb(k - 1, decks - 1), comb(cells, decks)) for k in range(decks, cells + 1))
    same("the mean", check["mean"], [mean.numerator, mean.denominator])

CHECKS = {
    "castle": {"battle": castle_battle, "every": lambda check: every(check, "nsd", CASTLE), "golden": golden},
    "tower": {"battle": tower_battle, "every": lambda check: every(check, "nhkt", {"best": lambda n, h, k, t: best(n, k, (h,) * t)})},
    "ants": {"battle": ants_battle, "every": ants_every, "range": ants_range},
    "naval": {"fleet": naval_fleet, "regions": naval_regions, "knockout": naval_knockout, "blind": naval_blind},
}

def lie(check):
    try:
        for part in check.get("all") or [check]:
            CHECKS[part["game"]][part["kind"]](part)
    except Lie as found:
        return str(found)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, SyntaxError, TypeError, ValueError) as fault:
        return f"it cannot be recomputed: {fault!r}"
def main(name):
    try:
        with open(name, encoding="utf-8") as file:
            claims = json.load(file)["claims"]
        texts = [text for c in claims for text in (c["id"], c["statement"], c["source"], c["verdict"], c["evidence"]["kind"], c["evidence"]["text"])]
        if not claims or not all(isinstance(text, str) and text for text in texts) or len({c["id"] for c in claims}) < len(claims):
            raise ValueError("texts are missing, or ids are there twice")
    except (OSError, ValueError, LookupError, TypeError) as fault:
        print(f"{name}: no ledger of claims: {fault!r}", file=sys.stderr)
        return 2
    recomputed = 0
    for claim in claims:
        check, what = claim["evidence"].get("check"), f"{claim['id']}: {claim['verdict']}"
        wrong = lie(check) if check is not None else None
        if wrong is not None:
            print(f"lie   {what}: {wrong}")
            return 1
        recomputed += check is not None
        print(f"      {what}, by {claim['evidence']['kind']}" if check is None else f"right {what}", flush=True)
    print(f"{len(claims)} claims, {recomputed} of them recomputed, no lie found")
    return 0

sys.setrecursionlimit(20_000)
if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) == 2 else "claims.json"))
