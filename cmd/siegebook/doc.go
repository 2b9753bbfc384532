// Siegebook answers questions about small siege games exactly: who wins, how fast, and in how many ways. It does so for
// one game, a file of games, or every game of a grid. It plays games of chance reproducibly.
//
// One battle of the castle game, 10 soldiers against a castle of 43 hits that sends out 8 defenders per wave:
//
//	$ siegebook solve castle 10 43 8
//	10 soldiers against a castle of 43 hits that sends out 8 defenders a wave (case 2a).
//
//	The soldiers win in 16 waves at best; the castle falls in wave 15.
//
//	    wave   at defenders   at castle   soldiers   defenders   castle hits
//	   start                                    10           0            43
//	       1              0          10         10           8            33
//	    2-14              8           2         10           8             7
//	      15              3           7          5           5             0
//	      16              5           0          5           0             0  the soldiers win
//
//	At most 5 soldiers can survive a win in 16 waves; then the castle falls in wave 15.
//	The castle's fastest win takes 3 waves, if the soldiers play into its hands without wasting a shot.
//
// For a grid or a file of battles, it prints CSV:
//
//	$ siegebook sweep castle --soldiers 10 --castle-hits 42:44 --defenders-per-wave 8
//	soldiers,castle_hits,defenders_per_wave,min_waves,castle_min_waves,castle_first_winner,castle_first_waves,defenders_first_winner,defenders_first_waves,published_waves
//	10,42,8,16,3,castle,14,soldiers,17,15
//	10,43,8,16,3,castle,15,soldiers,18,15
//	10,44,8,17,3,castle,15,soldiers,18,16
//
//	$ siegebook solve castle --batch testdata/battles.csv --columns soldiers,castle_hits,defenders_per_wave,min_waves
//	soldiers,castle_hits,defenders_per_wave,min_waves
//	10,43,8,16
//	10,11,15,4
//	3,10,3,
//
// With --out x.parquet, the grid is written to a Parquet file. Its metadata contains the command that computes its
// rows.
//
// A survey counts how often each algorithm is right on a grid, and finds where it is wrong:
//
//	$ siegebook survey castle --soldiers 1:20 --castle-hits 1:80 --defenders-per-wave 1:40
//	64000 battles: soldiers 1:20, castle hits 1:80, defenders per wave 1:40. The soldiers can win 21489 of them, each in at most 79 waves.
//
//	   algorithm         battles   right        %   of winnable        %   wrong side   too many   too few   mean extra waves   worst
//	   exact               64000   64000   100.00         21489   100.00            0          0         0             0.0000       0
//	   castle-first        64000   60991    95.29         18480    85.99         2925         84         0             0.0045       1  at (13, 23, 11)
//	   defenders-first     64000   59855    93.52         17344    80.71          549       3596         0             0.4283      10  at (20, 33, 19)
//	   published           64000   51616    80.65          9105    42.37            0         38     12346             0.0042       1  at (5, 6, 7)
//	   exact-by-root       64000   64000   100.00         21489   100.00            0          0         0             0.0000       0
//	   search              10368   10368   100.00          3798   100.00            0          0         0             0.0000       0
//
//	   first errors      wrong side       too many     too few
//	   castle-first       (3, 6, 2)   (13, 23, 11)           -
//	   defenders-first    (2, 3, 2)      (4, 7, 3)           -
//	   published                  -      (5, 6, 7)   (2, 3, 1)
//
//	Checksum of the fewest waves: 7cfdcb66c86118a0
//
// Work for several machines is cut into shards, for example with --shard 3/20 on the third of twenty machines.
// siegebook merge puts the shards together; see docs/scale.md. With --dry-run a command computes a sample and estimates
// the total cost.
//
// It counts and lists the ways to win:
//
//	$ siegebook count castle 10 11 15
//	10 soldiers against a castle of 11 hits that sends out 15 defenders a wave (case 2b).
//
//	    wave   soldiers win   castle wins
//	       3              0             2
//	       4              1             0
//	   total              1             2
//
//	$ siegebook paths castle 10 11 15
//	N=10 S=11 D=0 -> N=10 S=1 D=15 -> N=4 S=0 D=6 -> N=2 S=0 D=2 -> N=2 S=0 D=0  (the soldiers win in 4 waves)
//	N=10 S=11 D=0 -> N=10 S=1 D=15 -> N=5 S=1 D=20 -> N=0 S=0 D=16  (the castle wins in 3 waves)
//	N=10 S=11 D=0 -> N=10 S=1 D=15 -> N=5 S=1 D=20 -> N=0 S=1 D=15  (the castle wins in 3 waves)
//
//	3 paths: 1 win for the soldiers, 2 wins for the castle.
//
// One battle of the tower game, 13 soldiers against 8 towers, each of which takes 2 hits and kills 3 soldiers per
// round. With --strategy random-sim the targets are random, and the answer is a probability.
//
//	$ siegebook solve tower 13 2 3 8
//	13 soldiers against 8 towers, each of which takes 2 hits and kills 3 soldiers a round.
//
//	greedy: the soldiers win in round 2 with 7 soldiers left.
//
//	   round   soldiers   towers   hits left   towers x hits
//	   start         13        8          16           8 x 2
//	       1          7        2           3   1 x 2 + 1 x 1
//	       2          7        0           0                  the soldiers win
//
//	With greedy, it takes 12 soldiers to win.
//
// An ant battle, the wall in the examples of the rules, on a map that ends at its edges:
//
//	$ siegebook solve ants testdata/wall.txt --torus=false
//	15 ants on 3 x 9 cells, with edges; attack radius squared 5, rule focus.
//
//	map         enemies in range   after (! died)
//	AAAAAAAAA   013565310          AA!!!!!AA
//	...BBB...   ...555...          ...!!!...
//	...BBB...   ...333...          ...!B!...
//
//	   owner   ants   died   left
//	       A      9      5      4
//	       B      6      5      1
//	   total     15     10      5
//
//	Who killed whom, with rows and columns numbered from 0:
//	A(0, 2) by B(2, 3)
//	A(0, 3) by B(1, 3) B(1, 4) B(1, 5) B(2, 3) B(2, 4)
//	A(0, 4) by B(1, 3) B(1, 4) B(1, 5) B(2, 3) B(2, 4) B(2, 5)
//	A(0, 5) by B(1, 3) B(1, 4) B(1, 5) B(2, 4) B(2, 5)
//	A(0, 6) by B(2, 5)
//	B(1, 3) by A(0, 1) A(0, 2) A(0, 3) A(0, 5)
//	B(1, 4) by A(0, 2) A(0, 3) A(0, 5) A(0, 6)
//	B(1, 5) by A(0, 3) A(0, 5) A(0, 6) A(0, 7)
//	B(2, 3) by A(0, 2)
//	B(2, 5) by A(0, 6)
//
// A knockout in naval battle, between players with all placements and moves of the post:
//
//	$ siegebook tournament naval
//	1024 players, 1023 games, targeting as_coded, cells around sunk ships skipped, seed 1.
//
//	mean moves             61.38
//	  of the winners       63.16
//	  of the losers        59.59
//	mean score of losers   15.97
//
//	placement              wins    losses     won
//	left                    176       125  58.5 %
//	right                   133       123  52.0 %
//	top                     153       127  54.6 %
//	bottom                  121       125  49.2 %
//	36                      105       135  43.8 %
//	center_vertical         120       121  49.8 %
//	center_horizontal       116       142  45.0 %
//	random_12                99       125  44.2 %
//
//	moves                  wins    losses     won
//	random                  333       318  51.2 %
//	cross                   365       332  52.4 %
//	linear                  325       373  46.6 %
//
// siegebook measure naval measures how many shots strategies need for a fleet that does not shoot back.
//
// The JSON output of a command repeats the question, so that the answer can be computed again from it. Integers have
// all their digits. Counts of ways, which can have hundreds of digits, are strings. Missing values are null.
// docs/json.md explains the keys.
//
// The exit code is 0 when the work is done. It is 2 when the arguments or the input are wrong, or when a file is
// missing. It is 1 when the work failed: at a limit, on a full disk, or in a folder that is not writable. It is 130
// after Ctrl-C and 143 after SIGTERM. An error is one line on stderr that names the value, the rule it breaks and the
// fix. If the reader of the output, such as head, exits early, the exit code is 141, as after SIGPIPE, and there is no
// message. Long work shows a progress bar if stderr is a terminal, and otherwise prints a line now and then. --quiet
// turns both off.
package main
