package main

import "github.com/siegebook/siegebook/report/siegebook"

// Only this file names the book of this repository.
func init() {
	own = siegebook.Book()
	ownExamples = `  genreport build --grid soldiers=60,castle=1:240,defenders=1:120 --out /tmp/other
  genreport build --survey soldiers=1:60,castle=1:240,defenders=1:120
                                                  all algorithms compared on many armies
  genreport build --survey cluster.json           the same from a survey that was computed elsewhere,
                                                  with as many battles as a cluster can compute
  genreport build --survey shards                 the same from the folder of its shards, so that a check
                                                  can compute some of them again
  genreport build --algorithm mine.star           your own algorithm compared with all others
  genreport build --only castle-counts            one chapter, while it is written
`
}
