//go:build download

package notebooks

// Few cells import these packages. Setting up the kernel downloads them. Go compiles them for the first cell that
// imports them, which takes 20 s of processor time for parquet-go.
import _ "github.com/parquet-go/parquet-go"
