package engine

// towerFunctions are about towers.
var towerFunctions []Function
