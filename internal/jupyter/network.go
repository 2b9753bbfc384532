package jupyter

import "regexp"

// missingPackage matches what Go says of a package or a module that it could not get without the network. With it, Go
// may say the same, if a proxy has no more to say than that.
var missingPackage = regexp.MustCompile(`cannot find module providing package ([^\s:]+)(?:\s|$)|(\S+): module lookup disabled by GOPROXY=off`)

// allowNetwork says how cells get a module that is not there: the kernelspec keeps them from the network.
const allowNetwork = "cells get nothing from the network unless a cell before allows it by %env GOPROXY=... and %env GOSUMDB=..., with what 'go env GOPROXY GOSUMDB' prints"

// withoutNetwork returns the package or module that Go did not find, by a text of its own; "" if that is not what it
// says.
func withoutNetwork(text string) string {
	m := missingPackage.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + m[2] // one of them
}
