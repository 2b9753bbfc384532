package program

import (
	"context"
	"errors"
)

// check fails: in a page, the generator makes programs of cells, but no modules.
func (b *builder) check(context.Context, []byte, []*made, func(*made, verdict)) error {
	return errors.ErrUnsupported
}
