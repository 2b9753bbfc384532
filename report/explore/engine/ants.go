package engine

// antsFunctions are about ants.
var antsFunctions []Function
