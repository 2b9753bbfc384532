package ants

// focus kills every ant that has an enemy in range with no more enemies than itself.
func (s *Solver) focus() {
	for i, own := range s.enemies {
		if own == 0 {
			continue
		}
		if !s.work.goOn() {
			return
		}
		for _, enemy := range s.inRange(int32(i)) {
			if s.enemies[enemy] <= own {
				s.dead[i] = true
				break
			}
		}
	}
}

// noBusier reports whether an enemy has no more enemies than its victim.
func (s *Solver) noBusier(victim, enemy int32) bool { return s.enemies[enemy] <= s.enemies[victim] }

// support kills every ant that has an enemy in range.
func (s *Solver) support() {
	for i, own := range s.enemies {
		s.dead[i] = own > 0
	}
}
