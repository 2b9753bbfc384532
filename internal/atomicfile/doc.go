// Package atomicfile is for files and folders that are being made. A file takes its name when it is whole, in one step:
// who reads the name sees the old file or the new one. What is not finished leaves nothing behind.
//
// A process that is killed cannot tidy up, so every scratch file or folder is locked for as long as its process lives,
// by a lock that the system takes back when the process ends, however it ends. What has our kind of name and no lock is
// an orphan, and the next one who makes something at the same place removes it. No clock is asked, so a clock that
// jumps does no harm.
//
// Target decides whether what stands under a name may be replaced at all. Open opens what others may have planted.
package atomicfile
