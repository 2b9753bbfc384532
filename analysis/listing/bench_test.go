//go:build unix

package listing

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/internal/must"
)

// BenchmarkCosts measures the time per step, where each counted element is also a step: in an empty loop, and in the
// slowest of random programs on large values.
func BenchmarkCosts(b *testing.B) {
	step := func(text string) float64 {
		l := must.Get(Read("costs.star", []byte(text), signatureOfTest, Limits{}))
		start := must.CPU()
		_, steps, _ := l.Call(starlark.MakeInt(7)) // the call uses up its limits
		return float64(must.CPU()-start) / float64(steps)
	}
	b.Run("empty", func(b *testing.B) {
		total := 0.0
		for b.Loop() {
			total += step("def f(x):\n    while True:\n        pass\n")
		}
		b.ReportMetric(total/float64(b.N), "ns/step")
	})
	b.Run("worst", func(b *testing.B) {
		r := rand.New(rand.NewPCG(1, 2))
		worst := 0.0
		for b.Loop() {
			for range 20 {
				text := costly(r)
				if got := step(text); got > worst {
					worst = max(worst, min(got, step(text))) // repeated, because the machine may have been busy
				}
			}
		}
		b.ReportMetric(worst, "ns/step")
	})
}

// costly returns a loop of random operations on large values.
func costly(r *rand.Rand) string {
	size := func(most int) int { return 1 + r.IntN(1+r.IntN(most)) }
	return fmt.Sprintf(`def long(bits):
    x = 7
    while bits > 3:
        x, bits = x * 2 + 1, bits - 1
    return x
def f(x):
    y, z = long(%d), long(%d)
    a, b = [0] * %d, [0] * %d
    c = [[1] * %d] * %d
    t, u = "ab" * %d, "b" * %d
    k = tuple(["ab" * %d] * %d)
    d = {i << %d: i for i in range(%d)}
    e = {(i << %d, u): i for i in range(%d)}
    while True:
        %s
        %s
        %s
`, size(4000), size(4000), size(50000), size(50000), size(300), size(300), size(20000), size(20000), size(2000), size(50),
		size(40), size(1000), size(40), size(300), pick(r), pick(r), pick(r))
}

// pick returns an operation on the values of costly.
func pick(r *rand.Rand) string {
	all := []string{
		"m = y + z", "m = y - z", "m = y // z", "m = y % z", "m = y & z | y ^ z", "m = -y", "m = y >> 1", "m = z * 3",
		"m = y < z", "m = str(y)", "m = abs(y)", "m = int(u != t)", "m = sum(a)", "m = max(a)", "m = sorted(a)",
		"m = a == b", "m = a + b", "m = a[1:]", "m = a[::-1]", "m = a * 2", "m = [c] in c", "m = c == [c]", "m = c < c",
		"m = list(a)", "m = tuple(a)", "m = zip(a, b)", "m = enumerate(a)", "m = any(a)", "m = str(c)",
		"m = [m0 for m0 in c]",
		"a.insert(0, 1)", "m = a.pop(0) if a else 0",
		"a.append(y)", "a.extend(b)", "a += [1]", "m = a[len(a) // 2:]",
		"m = t + u", "m = u in t", "m = t == u", "m = t < u", "m = t[::2]", "m = \"%s %s\" % (t, u)", "m = str([t])",
		"m = d.get(0)", "m = 1 in d", "m = d == e", "d[y] = 1", "d[z] = d.get(z, 0) + 1", "m = k in d", "d[k] = 1",
		"e[(1, u)] = 1", "m = e.get((1, t))", "m = d.keys()", "m = d.items()", "m = d | e", "m = dict(d)",
		"m = list(e)",
		"m = {}", "m = {1: 2, k: 3}", "m = {i: 1 for i in range(20)}", "m = max(c, key = lambda v: a)",
		"m = sorted(c, key = lambda v: len(v))", "m = min(range(9), key = lambda v: t)", "m = f == long",
		"m = lambda: m",
		"m = sorted([(i << 30, t) for i in range(50)])", "m = d.setdefault(y << 1, 1)", "m = d.pop(y, 0)", "m = k < k",
	}
	return all[r.IntN(len(all))]
}
