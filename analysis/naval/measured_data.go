package naval

// Written by go test -run TestMeasured -update, see measured.go.
var measured = []Measurement{}
