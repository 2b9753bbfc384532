package engine

// castleHuntFunctions are about the hunt, about waiting, and about staircases.
var castleHuntFunctions []Function
