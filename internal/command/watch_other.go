//go:build !unix

package command

import "time"

// computed returns 0. The computing time is unknown on this system, so Watch never ends a program.
func computed() time.Duration { return 0 }
