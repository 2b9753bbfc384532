package tower

// FewestDestroyed returns the fewest towers that the soldiers can destroy in one round without wasting a shot: a shot
// may kill only when every tower is down to its last hit. With S soldiers and T towers that can take h_1, ..., h_T hits
// it is min(T, max(0, S - M)), M = (h_1 - 1) + ... + (h_T - 1).
func (s State) FewestDestroyed() int64 {
	refuse(s.validate())
	towers := s.standing()
	spare := s.hitsLeft().sub(wide(towers))
	if !spare.less(wide(s.Soldiers)) {
		return 0
	}
	return min(towers, s.Soldiers-int64(spare.low))
}

// FewestDestroyedWasting is the same if shots may be wasted at a tower that is destroyed in the round: 0 if S <= M,
// else 1, as all shots that are too many can go to one tower. It is 0 where no tower stands.
func (s State) FewestDestroyedWasting() int64 { return min(1, s.FewestDestroyed()) }
