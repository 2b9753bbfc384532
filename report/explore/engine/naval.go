package engine

// navalFunctions are about the naval battle.
var navalFunctions []Function
