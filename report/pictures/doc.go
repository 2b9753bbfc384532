// Package pictures says how outcomes look, once for all chapters and notebooks: a sign, a colour of figures, and a tone
// of tables for a win, a tie, an answer that is too low and so on.
//
// The pictures themselves are in packages below, one for each game. Each is a function or a struct that takes what the
// game's package has computed, a battle, counts, verdicts, and returns a drawing of package figure. A chapter adds an
// id and a caption to it, and a notebook shows it.
package pictures
