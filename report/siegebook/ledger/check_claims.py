"""Checks the claims of the siege book: python3 check_claims.py claims.json

It needs Python 3.8 or newer and nothing else. The rules of the games are written here once more, and nothing is taken
from the book but its claims: lines of play are replayed, fewest waves are searched for, ways are counted. It stops at the
first lie with status 1 (a claim after too many steps, or with keys that it does not know, is a lie, too), and with
status 2 at a file that is no ledger. A copy that was published with a ledger reads no other."""
import ast, hashlib, itertools, json, os, re, sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import comb, inf, prod
PINNED = None  # the digest of the ledger: the report writes it here when it publishes both
class Lie(Exception): pass
def need(holds, *words):
    if not holds:
        raise Lie(" ".join(map(str, words)))
SIZE, LONGEST, STEPS = 4_000_000, 5_000, 8_000_000  # bytes of a ledger, letters of a text in it, steps for all its claims
taken, answers = [0], []
def work(steps=1):
    """Counts the steps of all claims. Each loop whose length stands in the ledger counts its own, before it takes memory for
    them: so the ledger decides neither how much memory the checker takes nor how long, and no clock decides a verdict."""
    taken[0] += steps
    need(taken[0] <= STEPS, "it takes more than", STEPS, "steps")
def deep(asker):
    """Lets a function ask itself by yield, and keeps its answers. No depth is too great: the stack is a list."""
    known = {}
    answers.append(known)
    def answer(*asked):
        stack, told = [(asked, asker(*asked))], None
        while stack:
            try:
                asked = stack[-1][1].send(told)
            except StopIteration as end:
                told = known[stack.pop()[0]] = end.value
            else:
                told = known.get(asked)
                if told is None:
                    work()
                    stack.append((asked, asker(*asked)))
        return told
    return lambda *asked: known[asked] if asked in known else answer(*asked)
same = lambda what, said, found: need(type(said) is type(found) and said == found, what, "is said to be", said, "but is", found)
# Claims about all points of a box, as an expression of whole numbers in Python's syntax.
NODES = (ast.Expression, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.Not, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.BinOp,
         ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.FloorDiv, ast.Name, ast.Load, ast.Constant)
PARTS = ast.Subscript, ast.Slice, ast.List, getattr(ast, "Index", ast.List)  # of what a line of play leaves, wave by wave
def compiled(text, nodes=NODES, lists=()):
    need(len(text) <= (200 if nodes is NODES else 400) and text.count("(") <= 20 and re.fullmatch(r"[a-z0-9(][][a-z0-9_()<>=!+*/%,: -]*", text) and
         not re.search(r"\d[a-z_]", text), "no expression of a ledger:", text)
    tree = ast.parse(text, mode="eval")
    many = lambda node: isinstance(node, ast.List) or getattr(node, "id", "") in lists or isinstance(getattr(node, "slice", 0), ast.Slice)
    for node in ast.walk(tree):  # lists are compared and taken apart, and nothing else, so that none gets longer
        need(isinstance(node, nodes) and (not isinstance(node, ast.Constant) or type(node.value) is int) and
             (not isinstance(node, ast.Subscript) or isinstance(node.value, ast.Name)), "no expression of a ledger:", text)
        need(isinstance(node, (ast.Compare, ast.Subscript)) or not any(map(many, ast.iter_child_nodes(node))), "no whole number:", text)
    return compile(tree, "claim", "eval")
def holds(test, known, values):
    return eval(test, {"__builtins__": {}}, {**known, **{name: values[name](*known.values()) for name in test.co_names if name not in known}})
def every(check, names, values):
    sizes, tests, cases = [check[name] for name in names], [compiled(check["if"]), compiled(check["then"])], 0
    need(min(sizes) > 0 and prod(sizes) <= 200_000, "the box is empty, or too large")
    same("the number of battles", check["battles"], prod(sizes))
    points = [dict(zip(names, point)) for point in itertools.product(*(range(1, size + 1) for size in sizes))]
    need(any(denied(tests, at) for at in points), "nothing is said: it would hold whatever is computed")
    work(len(points))
    for at in points:
        if holds(tests[0], at, values):
            cases += 1
            need(holds(tests[1], at, values), check["then"], "does not hold at", at)
    same("the number of cases", check["cases"], cases or None)  # none would say nothing
def said(text, at, values, line):  # what holds of a battle, and of its line of play
    lists = [name for name, known in line.items() if type(known) is list]
    tests = [compiled("1 > 0"), compiled(text, NODES + PARTS, lists)]
    need(denied(tests, at, lists), "nothing is said: it would hold whatever is computed")
    need(holds(tests[1], at, {**values, **{name: lambda *at, known=known: known for name, known in line.items()}}), text, "does not hold of", at)
def denied(tests, at, lists=()):  # whether some values of what is computed would make a claim false at a point
    names = sorted({name for test in tests for name in test.co_names} - at.keys())
    for known in itertools.product(*((0, 1) if name.endswith("_ties") else (0, 1, 2, 3, 9) for name in names)):
        work()
        values = {name: lambda *point, value=[value] * 99 if name in lists else value: value for name, value in zip(names, known)}
        if holds(tests[0], at, values) and not holds(tests[1], at, values):
            return True
    return False
# The castle. A state is soldiers, hits, defenders. Of the soldiers as many as the order says shoot a defender each, the
# others the castle. Shots at a castle that has fallen are legal only where no defender is left to shoot at.
orders = lambda N, S, D: range(min(D, max(0, N - S)), min(N, D) + 1)
def wave(d, N, S, D, order):  # the winner, or None, and the state at the end of the wave
    S, D = max(0, S - (N - order)), D - order
    if D == 0 and S == 0:
        return "soldiers", (N, 0, 0)
    if N <= D:
        return "castle", (0, S, D)
    return None, (N - D, S, D + d if S else D)
@deep
def fewest(d, N, S, D):  # the fewest waves in which the soldiers, and the castle, can win from a state; inf for never
    found = inf, 1 if D >= 2 * N else inf  # so many defenders are left that the castle wins in this wave
    for order in orders(N, S, D) if D < 2 * N else ():
        work()
        winner, state = wave(d, N, S, D, order)
        after = (1, inf) if winner == "soldiers" else (inf, 1) if winner else (inf, inf)
        if not winner and state != (N, S, D):
            after = yield (d, *state)
        found = min(found[0], after[0] + (not winner)), min(found[1], after[1] + (not winner))
    return found
@deep
def rushed(d, N, S, D):  # the fewest waves in which the castle can win if shots may be wasted, also at a fallen castle
    found = inf
    for order in range(min(N, D) + 1):
        work()
        winner, state = wave(d, N, S, D, order)
        after = 0 if winner == "castle" else inf
        if not winner and state != (N, S, D):
            after = yield (d, *state)
        found = min(found, after)
    return 1 + found
@deep
def falls(d, N, S, D):  # the waves in which the castle can fall in a fastest win of the soldiers
    waves, found = fewest(d, N, S, D)[0], set()
    for order in orders(N, S, D) if waves < inf else ():
        work()
        winner, state = wave(d, N, S, D, order)
        if winner == "soldiers" or not winner and state != (N, S, D) and fewest(d, *state)[0] == waves - 1:
            found |= {1} if state[1] == 0 else {1 + later for later in (yield (d, *state))}
    return found
finite = lambda number: 0 if number == inf else number
RULES = {"castle_first": lambda N, S, D: min(D, N - S) if S <= N else D if N > D else 0, "defenders_first": lambda N, S, D: min(N, D)}
def play(rule, n, s, d):  # the winner, or "none" once a wave changes nothing, the number of waves, and the soldiers left
    state, winner, before, waves = (n, s, 0), None, None, 0
    while winner is None and state != before:
        work()
        before, waves = state, waves + 1
        winner, state = wave(d, *state, RULES[rule](*state))
    return [winner or "none", waves, state[0]]
@lru_cache(maxsize=100)
def ways(n, s, d):  # the ways to win by side and wave, and the ties, among all legal lines of play
    found, states, number = {"soldiers": Counter(), "castle": Counter(), None: Counter()}, Counter({(n, s, 0): 1}), 0
    while states:
        number, now, states = number + 1, states, Counter()
        for state, count in now.items():
            for winner, after in (wave(d, *state, order) for order in orders(*state)):
                work()
                if winner or after == state:
                    found[winner][str(number)] += count
                else:
                    states[after] += count
    return {"soldiers": dict(found["soldiers"]), "castle": dict(found["castle"]), "ties": sum(found[None].values())}
def bounded(n, s, d, table, fewest_waves):
    """A certificate that the soldiers need so many waves, however strong the castle. With t + 1 waves to go, N soldiers can
    only win if hits and defenders together are at most table[t][N - 1]: in such a wave the castle falls, x defenders stay and
    the hunt for them takes t waves at most; or they stay and the castle stands, with bounds that are those of the row before."""
    same("the number of rows of bounds", len(table), fewest_waves - 2)
    for t, row in enumerate(table):
        same("the length of a row of bounds", len(row), n)
        for N in range(1, n + 1):
            work(2 * N)
            falls = [N + x for x in range(N) if x == 0 or fewest(d, N - x, 0, x)[0] <= t]
            waits = [table[t - 1][N - x - 1] + N - d for x in range(N)] if t else []
            same(f"the bound of {N} soldiers in row {t}", row[N - 1], max(falls + waits))
    need(s - n + d > table[-1][n - 1], "the bounds do not exclude a win in", fewest_waves - 1)
def castle_battle(b):
    n, s, d, line = b["n"], b["s"], b["d"], b["line"]
    need(min(n, s, d) > 0 and len(line["orders"]) == len(line["states"]) > 0 and len(line) == 3, "no battle, or no line")
    state, winner = (n, s, 0), None
    for order, after in zip(line["orders"], line["states"]):
        need(winner is None and type(order) is int and order in orders(*state), order, "is not a legal order in", state)
        winner, state = wave(d, *state, order)
        same("the state after a wave", after, list(state))
    same("the winner of the line", line["winner"], winner or "none")
    if "bounds" in b:
        need(winner == "soldiers" and len(line["orders"]) == b["soldiers"], "the line does not win in the fewest waves")
        bounded(n, s, d, b["bounds"], b["soldiers"])
    for side in sorted(b.keys() & ({"castle"} if "bounds" in b else {"castle", "soldiers"})):
        same(f"the fewest waves of the {side}", b[side], CASTLE[side](n, s, d))
    for rule in sorted(RULES.keys() & b.keys()):
        same(rule, b[rule], play(rule, n, s, d))
    if "ways" in b:
        same("the ways to win", b["ways"], ways(n, s, d))
    if "holds" in b:
        left, hits, defenders = ([*column] for column in zip((n, s, 0), *line["states"]))
        fall, found = hits.index(0) if 0 in hits else 0, b.get("ways", {})
        wins = {side + "_wins": [found[side].get(str(w), 0) for w in range(1 + max(map(int, found[side])))] if found[side] else []
                for side in ("soldiers", "castle") if found}
        said(b["holds"], {"n": n, "s": s, "d": d}, CASTLE, {
            "left": left, "defenders": defenders, "hits": hits, "shot": [0, *line["orders"]], "waves": len(hits) - 1, "falls": fall,
            "ties": found.get("ties", 0), "won": int(winner == "soldiers"), "lost": int(winner == "castle"), **wins})
CASTLE = {  # what an expression may name: waves, 0 where that side cannot win, or does not
    "soldiers": lambda n, s, d: finite(fewest(d, n, s, 0)[0]), "castle": lambda n, s, d: finite(fewest(d, n, s, 0)[1]),
    "castle_any": lambda n, s, d: finite(rushed(d, n, s, 0)),
    "first_fall": lambda n, s, d: min(falls(d, n, s, 0), default=0), "last_fall": lambda n, s, d: max(falls(d, n, s, 0), default=0),
    **{rule: lambda n, s, d, rule=rule: (lambda end: end[1] * (end[0] == "soldiers"))(play(rule, n, s, d)) for rule in RULES},
    "soldiers_total": lambda *b: sum(ways(*b)["soldiers"].values()), "castle_total": lambda *b: sum(ways(*b)["castle"].values()),
    **{rule + "_waves": lambda n, s, d, rule=rule: play(rule, n, s, d)[1] for rule in RULES},
    **{rule + "_ties": lambda n, s, d, rule=rule: play(rule, n, s, d)[0] == "none" for rule in RULES},
    **{rule + "_left": lambda n, s, d, rule=rule: play(rule, n, s, d)[2] for rule in RULES}}
def castle_line(check):  # the same orders in all battles of a box, each an expression; what is named is their end
    tests = [compiled(text) for text in check["orders"][:10]]
    need(0 < len(tests) <= 9, "no orders, or too many")
    def end(n, s, d):
        state, winner = (n, s, 0), None
        for test in tests:
            order = holds(test, {"n": n, "s": s, "d": d}, {})
            need(winner is None and order in orders(*state), order, "is not a legal order in", state)
            winner, state = wave(d, *state, order)
        legal = orders(*state)
        return {"left": state[0], "hits": state[1], "defenders": state[2], "least": legal[0], "most": legal[-1],
                "won": int(winner == "soldiers"), "lost": int(winner == "castle")}
    every(check, "nsd", {name: lambda n, s, d, name=name: end(n, s, d)[name] for name in "left defenders hits least most won lost".split()})
WAVE = {  # one wave of n soldiers, s hits, d defenders, of whom i are shot
    "left": lambda n, s, d, i: wave(1, n, s, d, i)[1][0], "won": lambda n, s, d, i: int(wave(1, n, s, d, i)[0] == "soldiers"),
    "legal": lambda n, s, d, i: int(i in orders(n, s, d)), "castle_first": lambda n, s, d, i: RULES["castle_first"](n, s, d)}
def golden(check):  # powers of phi in the form a + b phi; the square of phi is phi + 1
    need(check["powers"] and all(abs(row[0]) <= 1000 for row in check["powers"]), "no powers, or too large ones")
    for power, *form in check["powers"]:
        a, b = 1, 0
        work(abs(power))
        for _ in range(abs(power)):
            a, b = (b, a + b) if power > 0 else (b - a, a)
        same(f"phi to the power {power}", form, [a, b])
# The towers: each that stands at the end of a round kills k soldiers.
def tower_battle(b):
    n, h, k, t, line = b["n"], b["h"], b["k"], b["t"], b["line"]
    need(0 < min(n, h, k, t, rounds := len(line["shots"])) and t <= 1000 and len(line) == 5, "no battle, or no line")
    same("the lengths of the line", [len(line[name]) for name in ("soldiers", "hits", "kills")], [rounds, rounds + 1, rounds + 1])
    towers, soldiers = [h] * t, n
    same("the hits and kills at the start", [line["hits"][0], line["kills"][0]], [towers, k * t])
    for shots, hits, left, kills in zip(line["shots"], line["hits"][1:], line["soldiers"], line["kills"][1:]):
        need(soldiers > 0 and any(towers), "the battle is over before the line")
        need(len(shots) == t and sum(shots) == soldiers and min(shots) >= 0 and all(tower or not shot for tower, shot in zip(towers, shots)),
             "not one shot for each soldier, at a tower that stands:", shots)
        towers = [max(0, tower - shot) for tower, shot in zip(towers, shots)]
        fire = k * sum(map(bool, towers))
        soldiers, unspent = max(0, soldiers - fire), max(0, fire - soldiers)
        same("the hits, soldiers and kills left", [hits, left, kills], [towers, soldiers, unspent])
    same("the winner of the line", line["winner"], "none" if soldiers and any(towers) else "soldiers" if soldiers else "towers")
    for name in sorted(b.keys() & TOWER.keys()):
        same(f"the fewest rounds, {name},", b[name], TOWER[name](n, h, k, t))
    if "chance" in b or "targets" in b:
        need(n <= 1000, "too many soldiers for a chance")
        need(b["targets"] in ("together", "in turn"), "no way to aim:", b["targets"])
        same("the chance to win", b["chance"], list(chance(b["targets"], n, k, (h,) * t).as_integer_ratio()))
    if "holds" in b:
        said(b["holds"], {"n": n, "h": h, "k": k, "t": t}, TOWER, {
            "left": [n, *line["soldiers"]], "hits": [*map(sum, line["hits"])], "standing": [sum(map(bool, row)) for row in line["hits"]],
            "unspent": line["kills"], "rounds": rounds, "won": int(line["winner"] == "soldiers")})
def aimed(n, towers, waste):
    """What n shots can leave of the towers. With waste a tower that falls may take more shots than it has hits."""
    found = {((), n, False)}  # what is left of the first towers, the shots at the others, and whether one of the first fell
    for hits in towers:
        before, found = found, set()
        for left, rest, fell in before:
            for shots in range(min(hits, rest) + 1):
                work(1 + len(left))
                found.add((left + (hits - shots,), rest - shots, fell or shots == hits))
    return {tuple(sorted(filter(None, left))) for left, rest, fell in found if rest == 0 or waste and fell}
@deep
def best(n, k, towers):  # the fewest rounds in which n soldiers can win, aiming in any way without waste; inf if they cannot
    if n <= 0 or n >= sum(towers):
        return inf if n <= 0 else 1
    rounds = inf
    for left in aimed(n, towers, False):
        rounds = min(rounds, (yield n - k * len(left), k, left))
    return 1 + rounds
@deep
def lost(n, k, towers, sparing, waste=True):  # the fewest in which they can lose, aiming in any way, or sparing all towers that they can
    if n <= 0 or not towers:
        return inf if n > 0 else 0
    rounds, after = inf, aimed(n, towers, waste)
    most = max(map(len, after), default=0)
    for left in after:
        if not sparing or len(left) == most:
            rounds = min(rounds, (yield n - k * len(left), k, left, sparing, waste))
    return 1 + rounds
TOWER = {"kept": lambda n, h, k, t: max([0] + [n - k * len(left) for left in aimed(n, (h,) * t, False)]),
    "even_towers": lambda n, h, k, t: sum(n // t + (i < n % t) < h for i in range(t)),  # after a round in which each gets as many shots
    "even_left": lambda n, h, k, t: max(0, n - k * TOWER["even_towers"](n, h, k, t)),
    "best": lambda n, h, k, t: finite(best(n, k, (h,) * t)), "lost": lambda n, h, k, t: finite(lost(n, k, (h,) * t, False)),
    "sparing": lambda n, h, k, t: finite(lost(n, k, (h,) * t, True)), "lost_thrifty": lambda n, h, k, t: finite(lost(n, k, (h,) * t, False, False))}
@deep
def chance(targets, n, k, towers):
    """The chance of soldiers who aim at random: "together", at towers that stood when the round began, or "in turn"."""
    if n <= 0 or not towers:
        return Fraction(n > 0)
    spread = {towers: Fraction(1)}
    for _ in range(n):
        before, spread = spread, Counter()
        for left, p in before.items():
            aims = [i for i, hits in enumerate(left) if hits or targets == "together"]
            work(5 * len(left) ** 2)
            for i in aims:
                spread[tuple(sorted(left[:i] + (max(0, left[i] - 1),) + left[i + 1:]))] += p / len(aims)
            spread[left] += p if not aims else 0
    won = Fraction(0)
    for left, p in spread.items():
        won += p * (yield targets, n - k * sum(map(bool, left)), k, tuple(filter(None, left)))
    return won
# The ants: letters on a plane, one for each army. Enemies are in range up to a squared distance of 5, as in the contest.
near = lambda ants, square: [[j for j, b in enumerate(ants) if b[2] != a[2] and (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= square] for a in ants]
fallen = lambda enemies: [i for i, others in enumerate(enemies) if any(len(enemies[j]) <= len(others) for j in others)]
def outlived(ants, dead):  # the size of an army of which nobody is left, while of the other army one ant is; else 0
    left = [army for i, (_, _, army) in enumerate(ants) if i not in dead]
    return sum(army != left[0] for _, _, army in ants) if len(left) == 1 and len({army for _, _, army in ants}) == 2 else 0
def ants_battle(b):
    ants = [(row, column, cell) for row, cells in enumerate(b["map"]) for column, cell in enumerate(cells) if cell.isalpha()]
    need(0 < len(ants) <= 1000, "no ants, or too many")
    work(len(ants) ** 2)
    enemies = near(ants, b["radius"] * abs(b["radius"]) if "radius" in b else 5)
    same("the enemies of each ant, and the dead", [b["enemies"], b["dead"]], [[len(others) for others in enemies], fallen(enemies)])
    same("the army that one ant outlives", b.get("outlived", 0), outlived(ants, b["dead"]) if "outlived" in b else 0)
    for i, j, square in b.get("squares", []):
        same("the squared distance", square if min(i, j) >= 0 else "of nobody", (ants[i][0] - ants[j][0]) ** 2 + (ants[i][1] - ants[j][1]) ** 2)
    if "holds" in b:
        dies, squares = [int(i in b["dead"]) for i in range(len(ants))], [row[2] for row in b.get("squares", [])]
        said(b["holds"], {}, {}, {"enemies": b["enemies"], "dead": b["dead"], "dies": dies, "squares": squares})
def ants_every(check):  # whom an enemy kills that is as busy or less, falls; and nobody else
    rows, columns, deaths, most = check["rows"], check["columns"], 0, 0
    need(min(rows, columns) > 0 and rows * columns <= 9, "no positions, or too many")
    cells = list(itertools.product(range(rows), range(columns)))
    work(3 ** len(cells))
    for armies in itertools.product(" AB", repeat=len(cells)):
        ants = [(*cell, army) for cell, army in zip(cells, armies) if army != " "]
        enemies = near(ants, 5)
        killed = {j for others in enemies for j in others if len(enemies[j]) >= len(others)}
        same("the dead by the other wording", sorted(killed), fallen(enemies))
        deaths, most = deaths + len(killed), max(most, outlived(ants, killed))
    same("positions and deaths", [check["positions"], check["deaths"]], [3 ** len(cells), deaths])
    same("the largest army that one ant outlives", check.get("outlived", most), most)
def ants_range(check, squares=sorted(r * r + c * c for r, c in itertools.product(range(-3, 4), repeat=2) if 0 < r * r + c * c <= 5)):
    same("the range", [check["cells"], check["squares"]], [len(squares), squares])
# The naval battle, on 10 x 10 cells (x, y), where ships do not touch.
apart = lambda one, other: all(max(abs(x - u), abs(y - v)) > 1 for x, y in one for u, v in other)
def naval_fleet(check):
    ships = check["ships"]
    same("the decks", sorted(map(len, ships)), [1, 1, 1, 1, 2, 2, 2, 3, 3, 4])
    for ship in ships:
        steps = {(u - x, v - y) for (x, y), (u, v) in zip(ship, ship[1:])}
        need(steps in (set(), {(1, 0)}, {(0, 1)}) and all(0 <= x <= 9 and 0 <= y <= 9 for x, y in ship), "no line on the board:", ship)
    need(all(apart(one, other) for one, other in itertools.combinations(ships, 2)), "two ships touch")
    same("the cells", check["cells"], [sum(10 * y + x for x, y in ship) for ship in ships])
def naval_regions(check):
    for left, right, top, bottom, cells in check["regions"] or need(False, "no regions"):
        need(0 <= left <= right <= 9 and 0 <= top <= bottom <= 9, "no region of the board")
        same("the cells of a region", cells, (right - left + 1) * (bottom - top + 1))
def naval_knockout(check):
    need(1 < check["players"] <= 2 ** 20 and 2 ** 20 % check["players"] == 0, "a player would have no opponent")
    same("the games, and those of each record", [check["games"], *map(sum, check["records"])], [check["players"] - 1] * (1 + len(check["records"])))
def naval_blind(check):  # the mean number of the shot that hits the last deck, where cells are shot at in random order
    cells, decks = check["cells"], check["decks"]
    need(0 < decks <= cells <= 1000, "no board")
    work(5 * cells)
    mean = sum(Fraction(k * comb(k - 1, decks - 1), comb(cells, decks)) for k in range(decks, cells + 1))
    same("the mean", check["mean"], [mean.numerator, mean.denominator])
@deep
def shots(fleets, hits, likeliest):  # each fleet that is not sunk takes one, and what its answer leaves to do
    fleets = [fleet for fleet in fleets if not all(ship <= hits for ship in fleet)]
    decks, least = Counter(cell for fleet in fleets for ship in fleet for cell in ship - hits), inf
    for cell in (cell for cell in decks if not likeliest or decks[cell] == max(decks.values())):
        work(len(fleets))
        total, known, answered = 0, hits | {cell}, {}
        for fleet in fleets:  # the answer: no ship, one that is hit, one that is sunk
            answered.setdefault(tuple(ship <= known for ship in fleet if cell in ship), []).append(fleet)
        for answer, left in answered.items():
            total += yield frozenset(left), known if answer else hits, likeliest
        least = min(least, total)
    return len(fleets) + finite(least)
def naval_waters(check):  # all fleets of small waters, and the shots that a shooter needs for all of them together
    shooters, rows, columns = sorted(check.keys() & {"best", "likeliest"}), check["rows"], check["columns"]
    need(min(rows, columns) > 0 and rows * columns <= 25, "no small waters")
    need(0 < len(check["ships"]) <= 3 and 0 < min(check["ships"]) and max(check["ships"]) <= 25, "no ships for small waters")
    cells, fleets = set(itertools.product(range(columns), range(rows))), {frozenset()}
    for decks in check["ships"]:
        places = {frozenset((x + i * dx, y + i * (1 - dx)) for i in range(decks)) for x, y in cells for dx in (0, 1)}
        before, fleets = fleets, set()
        for fleet, ship in itertools.product(before, places):
            work()
            if ship <= cells and all(apart(ship, other) for other in fleet):
                fleets.add(fleet | {ship})
        need(len(fleets) <= (100 if shooters else 10_000), "too many fleets")
    same("the number of fleets", check["fleets"], len(fleets))
    for name in shooters:
        number = shots(frozenset(fleets), frozenset(), name == "likeliest")
        same(f"the shots of the shooter, {name},", check[name], number)
CHECKS = {  # each with the keys that it may have beside those two
    "castle battle": (castle_battle, "n s d line soldiers castle bounds ways castle_first defenders_first holds"), "castle golden": (golden, "powers"),
    "castle every": (lambda check: every(check, "nsd", CASTLE), "n s d if then battles cases"),
    "castle line": (castle_line, "n s d orders if then battles cases"),
    "castle wave": (lambda check: every(check, "nsdi", WAVE), "n s d i if then battles cases"),
    "tower battle": (tower_battle, "n h k t line best lost sparing targets chance holds"),
    "tower every": (lambda check: every(check, "nhkt", TOWER), "n h k t if then battles cases"),
    "ants battle": (ants_battle, "map enemies dead radius outlived squares holds"), "ants range": (ants_range, "cells squares"),
    "ants every": (ants_every, "rows columns positions deaths outlived"),
    "naval fleet": (naval_fleet, "ships cells"), "naval regions": (naval_regions, "regions"), "naval blind": (naval_blind, "cells decks mean"),
    "naval knockout": (naval_knockout, "players games records"), "naval waters": (naval_waters, "rows columns ships fleets best likeliest"),
}
FAULTS = ArithmeticError, AttributeError, LookupError, MemoryError, OSError, SyntaxError, TypeError, ValueError
def plain(tree):  # no fractions, and nothing that equals a number without being one
    need(type(tree) in (int, str, list, dict), "neither an integer nor a string nor a list nor an object:", tree)
    any(map(plain, tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()))
def lie(check):
    any(known.clear() for known in (answers if sum(map(len, answers)) > 100_000 else ()))
    try:
        plain(check)
        need("all" not in check or len(check) == 1 and isinstance(check["all"], list) and check["all"], "nothing to recompute, or more than all")
        for part in check.get("all", [check]):
            checked, keys = CHECKS[part["game"] + " " + part["kind"]]
            need(not part.keys() - {"game", "kind", *keys.split()}, "an unknown key:", *part)
            checked(part)
    except Lie as found:
        return str(found)
    except FAULTS as fault:
        return f"cannot be recomputed: {fault!r}"
# Rules for a claim whatever its numbers are, so that its verdict follows from its evidence.
KINDS = {"proved by machine": ["theorem"], "proved in prose": ["proof"], "verified on a range": ["computation"],
         "refuted": ["counterexample"], "open": ["none", "bounds"]}
READINGS = ("", ""), ("any shots", ""), *(("no wasted shots", truth) for truth in ("", "true", "false"))
ELSEWHERE = "reading the text", "numbers compared", "tournaments", "as coded"  # how a claim is refuted that cannot be recomputed here
# All patterns find in one pass whether they match: none can begin in many places and read on to the end from each.
ID, LINK = re.compile("[a-z0-9]+(-[a-z0-9]+)*"), re.compile(r"[a-z0-9-]+\.html(#[A-Za-z0-9-]+)?")
BATTLE, PLACE = re.compile(r"\((\d+(?:, \d+){2,3})\)"), re.compile(r'\bid="([^"]+)"')
def false_claim(claim, settled, places):
    evidence, verdict, text = claim["evidence"], claim["verdict"], claim["evidence"]["text"]
    try:
        need(ID.fullmatch(claim["id"]), "an id must consist of lower-case letters, digits and single hyphens")
        need(all(said == said.strip() for said in [*claim.values(), *evidence.values()] if type(said) is str), "a space at the beginning or end")
        need(evidence["kind"] in KINDS[verdict], "the evidence is of the wrong kind:", evidence["kind"])
        theorems = sorted([each["name"], each["file"], each.get("part", False)] for each in evidence.get("theorems", []))
        same("the list of its theorems", theorems, sorted(settled.get(claim["id"], [])))
        whole = not all(part for _, _, part in theorems)
        need(verdict == "refuted" or whole == (verdict == "proved by machine"), "the verdict does not match the theorems")
        need(verdict != "proved in prose" or "proof" in evidence, "no link leads to the proof")
        links = [claim["report"], *(evidence[key] for key in ("proof",) if key in evidence)]
        for link in links:
            need(LINK.fullmatch(link), "not a link of the report:", link)
            page, _, place = link.partition("#")
            need(places(page) is None or not place or place in places(page), "the link leads nowhere:", link)
        need(not claim["id"].startswith("proofs-") or all(link.replace(".html#", "-") == claim["id"] for link in links), "another statement's link:", *links)
        need("check" in evidence or verdict not in ("verified on a range", "refuted") or "Checked: " in text, "nothing was checked")
        if verdict == "refuted":
            checked, (_, begins, example) = text.partition("Checked: ")[2], text.partition("Counterexample: ")
            need("check" in evidence or any(words in checked for words in ELSEWHERE), "nothing to recompute")
            need(begins, "no counterexample")
            battles = [tuple(part.get(name) for name in names) for names in ("nsd", "nhkt")
                       for part in evidence.get("check", {}).get("all", [evidence.get("check", {})])]
            for battle in BATTLE.findall(example.partition(" Checked: ")[0]):
                work(len(battles))
                need(tuple(map(int, battle.split(", "))) in battles, "the counterexample", battle, "is not in its check")
    except Lie as found:
        return str(found)
    except FAULTS as fault:
        return f"not a claim: {fault!r}"
def places_of(folder):  # the names of the places of a page that stands beside the ledger, None if it does not
    @lru_cache(maxsize=None)
    def places(page):
        if os.path.isfile(os.path.join(folder, page)):
            with open(os.path.join(folder, page), encoding="utf-8") as file: return set(PLACE.findall(file.read()))
    return places
def settled_by(ledger):  # the theorems of each claim, as the list of theorems has them
    settled = {}
    for theorem in ledger.get("theorems", []):
        for said in theorem["settles"]:
            part = said.endswith(" in part")
            settled.setdefault(said[:-len(" in part")] if part else said, []).append([theorem["name"], theorem["file"], part])
    return settled
def say(text, to=None):  # one line, whatever stands in the file
    print("".join(c if " " <= c <= "~" else "?" for c in text[:500]), file=to, flush=True)
table = lambda pairs: need(len(dict(pairs)) == len(pairs), "a key is duplicated") or dict(pairs)
number = lambda kind: lambda digits: need(len(digits) <= 1000, "a number is too long") or kind(digits)
def read(data):
    need(len(data) <= SIZE, "more than", SIZE, "bytes")
    trees = [ledger := json.loads(data.decode("utf-8"), object_pairs_hook=table, parse_int=number(int), parse_float=number(float))]
    for _ in range(20):
        trees = [below for tree in trees if type(tree) in (dict, list) for below in ([*tree, *tree.values()] if type(tree) is dict else tree)]
        need(all(type(tree) is not str or len(tree) <= LONGEST for tree in trees), "a string has more than", LONGEST, "characters")
    need(not trees, "lists and objects are nested too deeply")
    claims = ledger["claims"]
    need(isinstance(claims, list) and claims and ledger.keys() <= {"claims", "theorems"}, "there are no claims, or something else than claims")
    for c in claims:
        texts = [c["id"], c["statement"], c["source"], c["verdict"], c["evidence"]["kind"], c["evidence"]["text"]]
        need(all(isinstance(text, str) and text.strip() for text in texts) and c["verdict"] in KINDS
             and (c.get("convention", ""), c.get("with_waste", "")) in READINGS, "a text is missing or empty:", *texts)
        known = {"id", "statement", "convention", "with_waste", "source", "verdict", "evidence", "report"}, {"kind", "text", "proof", "theorems", "check"}
        need(c.keys() <= known[0] and c["evidence"].keys() <= known[1], "an unknown key:", *c, *c["evidence"])
    need(len({c["id"] for c in claims}) == len(claims), "an id is duplicated")
    return ledger
def main(name):
    try:
        with open(name, "rb") as file: data = file.read(SIZE + 1)
        if PINNED and hashlib.sha256(data).hexdigest() != PINNED:
            return say("lie   these are not the claims with which this checker was published: a claim was removed, added or changed") or 1
        settled, places = settled_by(ledger := read(data)), places_of(os.path.dirname(name))
    except (Lie, RecursionError, *FAULTS) as fault:
        return say(f"{name}: not a ledger of claims: {fault!r}", sys.stderr) or 2
    for claim in (claims := ledger["claims"]):
        what, check = f"{claim['id']}: {claim['verdict']}", "check" in claim["evidence"]
        wrong = false_claim(claim, settled, places) or check and lie(claim["evidence"]["check"])
        say(f"lie   {what}: {wrong}" if wrong else f"right {what}" if check else f"      {what}, by {claim['evidence']['kind']}")
        if wrong: return 1
    say(f"{len(claims)} claims, {sum('check' in claim['evidence'] for claim in claims)} of them recomputed, no lie found")
    return 0
if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else say("usage: python3 check_claims.py claims.json", sys.stderr) or 2)
