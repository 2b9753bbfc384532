package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// A single file has no file of checksums beside it, so it ends with its own: a comment, which no reader sees.
const (
	sealStart = "<!-- siegebook: the SHA-256 of all before this line is "
	sealEnd   = " -->\n"
)

// sealed appends the checksum of a page.
func sealed(page []byte) []byte {
	sum := sha256.Sum256(page)
	return fmt.Appendf(page, "%s%s%s", sealStart, hex.EncodeToString(sum[:]), sealEnd)
}

// unsealed returns a page without its checksum, and whether that is there and right.
func unsealed(page []byte) (content []byte, ok bool) {
	at := bytes.LastIndex(page, []byte(sealStart))
	if at < 0 {
		return page, false
	}
	content = page[:at]
	return content, bytes.Equal(sealed(bytes.Clone(content)), page)
}

// Untouched says whether a file is one that RenderSingle has made, unchanged since. The error says what it is instead.
func Untouched(page []byte) error {
	_, err := ReadStamp(page)
	if _, ok := unsealed(page); ok && err == nil {
		return nil
	}
	if err != nil {
		return errors.New("siegebook has not written it")
	}
	return errors.New("it was changed since siegebook wrote it, or an earlier version wrote it")
}
