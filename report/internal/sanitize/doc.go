// Package sanitize decides what a page shows of what others have made: images, drawings and HTML that a notebook's cell
// has put out. It is the one policy for all of them.
//
// A drawing is not cleaned but written anew: it is read, and what is published is only what was understood, in a form
// of our own. So what a browser reads is what was judged, whatever comments, CDATA sections, escapes, entities,
// prefixes or doubled attributes the original had. There is one list of elements, one of attributes and one of CSS
// properties; CSS is read by a grammar that knows neither escapes nor at-rules (but for a question about the screen's
// size), and no address but a fragment of the same drawing.
//
// What is foreign to drawings but harmless, such as the notes of an editor, is dropped. What could run, load or hide
// something is the reason why a drawing is not shown at all: it was made for something that a page does not do. The
// same holds for a drawing that a browser could draw for minutes: see [NewPicture] for the bounds.
package sanitize
