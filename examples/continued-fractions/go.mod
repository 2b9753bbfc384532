module example.org/fractions

go 1.26
