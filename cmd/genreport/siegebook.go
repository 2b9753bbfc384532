package main

import "github.com/siegebook/siegebook/report/siegebook"

// The book of this repository is named here alone.
func init() { own = siegebook.Book() }
