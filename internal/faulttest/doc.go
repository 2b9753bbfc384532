// Package faulttest injects faults into commands: kills, full disks, missing permissions, clocks that jump. Tests then
// check the files that are left.
package faulttest
