package engine

// castlePlayFunctions are about a battle that a reader plays.
var castlePlayFunctions []Function
