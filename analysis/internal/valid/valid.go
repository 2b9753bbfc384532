// Package valid explains in one line why a value is not valid: its name, the value, the rule and the fix.
package valid

import "fmt"

// Natural returns an error if a number is negative.
func Natural[N int | int64](name string, number N) error {
	if number < 0 {
		return fmt.Errorf("%s = %d: must not be negative, use 0 or more", name, number)
	}
	return nil
}

// Positive returns an error unless a number is positive.
func Positive(name string, number int64) error {
	if number < 1 {
		return fmt.Errorf("%s = %d: must be a positive whole number, use 1 or more", name, number)
	}
	return nil
}

// Refuse panics with the error of a package unless err is nil.
func Refuse(pkg string, err error) {
	if err != nil {
		panic(pkg + ": " + err.Error())
	}
}
