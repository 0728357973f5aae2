package requirement_test

var mutants = []mutant{}
