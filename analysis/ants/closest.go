package ants

import "math"

// closest kills by growing distance. It need not walk through the distances: if a and b are each other's closest
// enemies left, or tie with them, nothing that happens at other distances can save them or kill them before, so they
// fall at their distance. Each round fells all such pairs; the closest pair left of all is one, so every round but the
// last fells somebody.
func (s *Solver) closest() {
	s.fell = zeroed(s.fell, len(s.placed))
	s.gaps = zeroed(s.gaps, len(s.placed))
	left := s.left[:0]
	for i, own := range s.enemies {
		if own > 0 {
			left = append(left, int32(i))
		}
	}
	s.left = left
	for len(left) > 0 {
		for _, i := range left {
			if !s.work.goOn() {
				return
			}
			s.gaps[i] = s.closestLeft(i)
		}
		if !s.fellPairs(left) {
			return
		}
		// An ant without enemies left in range is safe.
		kept := left[:0]
		for _, i := range left {
			if s.fell[i] == 0 && s.gaps[i] < math.MaxInt64 {
				kept = append(kept, i)
			}
		}
		left = kept
	}
}

// closestLeft returns the squared distance to the closest enemy that is left when its distance has its turn, or
// MaxInt64 if there is none nearer than the attack radius.
func (s *Solver) closestLeft(i int32) int64 {
	closest := int64(math.MaxInt64)
	for _, enemy := range s.inRange(i) {
		d := s.distance2(i, enemy)
		if d < s.world.Radius2 && d < closest && (s.fell[enemy] == 0 || s.fell[enemy] >= d) {
			closest = d
		}
	}
	return closest
}

// fellPairs fells the ants of which one is as close to another as that one's closest enemy is. It reports whether there
// were any.
func (s *Solver) fellPairs(left []int32) (felled bool) {
	for _, i := range left {
		d := s.gaps[i]
		if d == math.MaxInt64 {
			continue
		}
		for _, enemy := range s.inRange(i) {
			if s.gaps[enemy] == d && s.distance2(i, enemy) == d {
				s.fell[i], s.dead[i], felled = d, true, true
				break
			}
		}
	}
	return felled
}

// fellTogether reports whether two enemies fell at their distance.
func (s *Solver) fellTogether(victim, enemy int32) bool {
	return s.fell[enemy] == s.fell[victim] && s.distance2(victim, enemy) == s.fell[victim]
}
