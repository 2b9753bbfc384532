package main

import "github.com/siegebook/siegebook/internal/command"

func main() { command.Main("genreport", execute) }
