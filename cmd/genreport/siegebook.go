package main

import "github.com/siegebook/siegebook/report/siegebook"

// Only this file names the book of this repository.
func init() { own = siegebook.Book() }
