package lesson_test

import (
	"fmt"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/lesson"
)

func Example() {
	notebook, err := jupyter.Parse([]byte(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
		{"cell_type": "markdown", "id": "t", "metadata": {}, "source": "# A battle\n\nTen soldiers stand before a castle."}
	]}`))
	if err != nil {
		panic(err)
	}
	l := lesson.Page(notebook, lesson.Options{Slug: lesson.Slug("01-battle.ipynb"), File: "notebooks/01-battle.ipynb"})
	fmt.Println(l.Page.Slug, "-", l.Page.Title)
	fmt.Println(l.Page.Description)
	// Output:
	// lesson-01-battle - A battle
	// Ten soldiers stand before a castle.
}
