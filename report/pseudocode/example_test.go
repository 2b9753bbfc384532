package pseudocode_test

import (
	"fmt"

	"github.com/siegebook/siegebook/report/pseudocode"
)

func Example() {
	p, err := pseudocode.Parse([]string{"n"}, `
function Fibonacci(k):
    a, b ← 0, 1
    for i from 1 to k:
        a, b ← b, a + b              # the next pair
    return a

function Beyond():                   # the first Fibonacci number above n
    k ← 0
    while Fibonacci(k) ≤ n: add 1 to k
    return k, Fibonacci(k)
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Call(map[string]int64{"n": 100}, "Beyond"))
	// Output: [12 144] <nil>
}
