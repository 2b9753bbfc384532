"""Gives a checker texts on which a pattern that is not linear works for hours, in a process that has a minute, and says
how many it judged wrongly: patterns.py check_claims.py"""
import importlib.util
import resource
import sys

spec = importlib.util.spec_from_file_location("check_claims", sys.argv[1])
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)

resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
LONG = 250_000  # letters
PIECES = ("Checked: ", " Checked: ", "Counterexample: ", "Counterexample: \n", "Checked: reading the tex", "reading the text", "(", "(1", "1", "1, ", "(1, ",
          "(1, 2, 3", "(1, 2, 3, 4, ", "a", "a-", "-", "a.html", ".html", "#", "a.html#", "a.html#a", 'id="', ' id="', ' id="a', "\n", " ", "a ")
BEGINS = "", "Counterexample: c. Checked: "
ENDS = "", "!", ")"


def claim(text="Counterexample: c. Checked: by reading the text.", id="a", link="a.html"):
    return {"id": id, "verdict": "refuted", "report": link, "evidence": {"kind": "counterexample", "text": text}}


seen = wrong = 0
if checker.false_claim(claim(), {}, lambda page: None) is not None:
    sys.exit("the claim is refused as it is")
for piece in PIECES:
    for begin in BEGINS:
        for end in ENDS:
            text = begin + piece * (LONG // len(piece)) + end
            refused = [checker.false_claim(told, {}, lambda page: None) for told in (claim(id=text), claim(link=text), claim(text=text))]
            try:
                checker.compiled(text)
                refused.append(None)
            except checker.Lie as found:
                refused.append(str(found))
            checker.PLACE.findall(text)
            # Long names and links of letters are what they should be, and so is a text that says what was read.
            right = [checker.ID.fullmatch(text), checker.LINK.fullmatch(text),
                     text == text.strip() and begin.startswith("Counterexample") and "reading the text" in text.partition("Checked: ")[2], False]
            for verdict, fits in zip(refused, right):
                seen += 1
                if (verdict is None) != bool(fits):
                    wrong += 1
                    print(f"{begin!r}, {piece!r}, {end!r}: {str(verdict)[:80]}")
print(f"{seen} texts, {wrong} wrong")
sys.exit(wrong > 0)
