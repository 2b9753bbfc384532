package naval

import "errors"

// Shooter is a player with a strategy who shoots at one fleet, and who is watched: one shot at a time, with what
// decides the next. It must be made by [NewShooter].
type Shooter struct {
	notData
	gunner gunner
	target target
	chance chance
}

// NewShooter returns a shooter who has not shot yet. His shots are those with which [Measure] sinks the fleet of that
// number under the same seed, and a function of the arguments alone. An error says what is wrong with the strategy or
// the fleet.
func NewShooter(s Strategy, f Fleet, seed, number uint64) (*Shooter, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	r := new(Shooter)
	r.target.set(f)
	r.begin(s, seed, number)
	return r, nil
}

// begin begins with a fleet that is in its place.
func (r *Shooter) begin(s Strategy, seed, number uint64) {
	r.chance.restart(seed, streamShots, number)
	r.gunner.begin(s)
}

// Shots returns how many shots there were, 0..100.
func (r *Shooter) Shots() int {
	refuse(r.validate())
	return int(r.gunner.shots)
}

// Done reports whether all ships are sunk.
func (r *Shooter) Done() bool {
	refuse(r.validate())
	return r.gunner.won()
}

// Shoot makes the next shot. It panics if the shooter is done.
func (r *Shooter) Shoot() (Cell, Outcome) {
	if r.Done() {
		refuse(errors.New("the shooter has sunk all ships: ask Done before"))
	}
	return r.shoot()
}

func (r *Shooter) shoot() (Cell, Outcome) {
	at := r.gunner.aim(&r.chance)
	outcome, ship := r.target.shoot(at)
	r.gunner.learn(at, outcome, ship)
	return at, outcome
}

// Sunk returns the ships sunk so far, in that order.
func (r *Shooter) Sunk() []Ship {
	refuse(r.validate())
	return append([]Ship(nil), r.gunner.sunk[:r.gunner.nSunk]...)
}

// Thoughts returns what decides the next shot; all zero when all ships are sunk. Asking changes nothing.
func (r *Shooter) Thoughts() Thoughts {
	if r.Done() {
		return Thoughts{}
	}
	g, c := r.gunner, r.chance // he thinks with copies
	return targetings[g.strategy.Targeting].think(&g, &c)
}
