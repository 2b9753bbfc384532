package engine

// castleCountFunctions count the ways in which a battle can go.
var castleCountFunctions []Function
