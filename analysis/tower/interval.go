package tower

import "math"

// Confidence is the least probability with which the interval of a simulation contains the truth.
const Confidence = 0.99

// clopperPearson returns the interval of Clopper and Pearson for a probability, after so many successes in so many
// trials: all p for which neither as many successes or more, nor as many or fewer, have a probability below alpha/2. It
// contains the truth with probability 1 - alpha or more.
func clopperPearson(successes, trials int64, alpha float64) (low, high float64) {
	x, n := float64(successes), float64(trials)
	high = 1
	if successes > 0 {
		low = invert(func(p float64) bool { return regularizedBeta(p, x, n-x+1) < alpha/2 })
	}
	if successes < trials {
		high = invert(func(p float64) bool { return regularizedBeta(p, x+1, n-x) < 1-alpha/2 })
	}
	return low, high
}

// invert returns the p in 0..1 up to which below is true.
func invert(below func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// regularizedBeta returns I_p(a, b), the probability of a successes or more in a+b-1 trials of probability p, for whole
// a, b >= 1.
func regularizedBeta(p, a, b float64) float64 {
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return 1
	case p > (a+1)/(a+b+2):
		return 1 - regularizedBeta(1-p, b, a) // where the fraction converges fast
	}
	lead := math.Exp(lgamma(a+b) - lgamma(a) - lgamma(b) + a*math.Log(p) + b*math.Log1p(-p))
	return lead / a * betaFraction(p, a, b)
}

func lgamma(x float64) float64 {
	value, _ := math.Lgamma(x)
	return value
}

// betaFraction evaluates the continued fraction of the incomplete beta function by the method of Lentz, as it stands in
// DLMF 8.17.22. It takes about sqrt(max(a, b)) terms.
func betaFraction(p, a, b float64) float64 {
	const tiny, enough = 1e-300, 1e-15
	away := func(x float64) float64 { // from 0
		if math.Abs(x) < tiny {
			return tiny
		}
		return x
	}
	c, d := 1.0, 1/away(1-(a+b)*p/(a+1))
	value := d
	for m := 1.0; m < 1e7; m++ {
		even := m * (b - m) * p / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/away(1+even*d), away(1+even/c)
		value *= d * c
		odd := -(a + m) * (a + b + m) * p / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/away(1+odd*d), away(1+odd/c)
		value *= d * c
		if math.Abs(d*c-1) < enough {
			break
		}
	}
	return value
}
