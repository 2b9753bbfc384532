package engine

// castleComparedFunctions compare algorithms.
var castleComparedFunctions []Function
