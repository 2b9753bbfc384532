//go:build !linux

package addresses

func narrow() (widen func()) { return func() {} }
