package naval
import ("testing";"fmt";"context";"time")
func TestProto(t *testing.T) {
	type st struct { n string; s Strategy }
	all := append([]Placement{Anywhere}, Placements...)
	for _, s := range []st{{"random coded",Strategy{Random,AsCoded,true}},{"random desc",Strategy{Random,AsDescribed,true}},{"cross desc",Strategy{Cross,AsDescribed,true}},{"linear desc",Strategy{Linear,AsDescribed,true}},{"diag desc",Strategy{Diagonal,AsDescribed,true}},{"density",Strategy{Random,Density,true}},{"density lin",Strategy{Linear,Density,true}},{"informed",Strategy{Random,Informed,true}}} {
		fmt.Printf("%-14s",s.n)
		b:=time.Now()
		n:=2000
		for _, p := range all {
			x,_ := Measure(context.Background(), s.s, p, n, 1, 2)
			fmt.Printf(" %s %.2f±%.2f", p, x.Mean(), 1.96*x.Error())
		}
		fmt.Println(time.Since(b)/time.Duration(n*9))
	}
}
