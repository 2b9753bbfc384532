package chapter

// stop carries the error of Do or Get through a panic.
type stop struct{ error }

// Do panics with the first of some errors, if there is one. Builders of pages use it, because they cannot handle an
// error themselves; their callers call them through [Stopped]. No other package of the generator uses it.
func Do(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(stop{err})
		}
	}
}

// Get returns a value, or panics as Do does.
func Get[T any](value T, err error) T {
	Do(err)
	return value
}

// Stopped calls a function. It returns the results of the function, or the error with which Do or Get has ended it.
func Stopped[T any](compute func() (T, error)) (value T, err error) {
	defer func() {
		switch end := recover().(type) {
		case nil:
		case stop:
			err = end.error
		default:
			panic(end)
		}
	}()
	return compute()
}

// Fault calls a function. It returns the error with which Do or Get has ended it, nil if the function has returned.
func Fault(of func()) error {
	_, err := Stopped(func() (any, error) { of(); return nil, nil })
	return err
}
