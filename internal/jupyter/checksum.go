package jupyter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// The metadata of an executed copy hold a checksum of the file in which the checksum itself is noSum.
const (
	sealName = "siegebook"
	sumName  = "executed_copy"
)

var noSum = strings.Repeat("0", hex.EncodedLen(sha256.Size))

// Seal marks a notebook as an executed copy, so that CopyOf knows it again. A change of the file breaks the seal.
func (n *Notebook) Seal() {
	n.setSum(noSum)
	sum := sha256.Sum256(n.Bytes())
	n.setSum(hex.EncodeToString(sum[:]))
}

func (n *Notebook) setSum(sum string) {
	if !has(n.object(), "metadata") {
		n.style.set(n.object(), "metadata", struct{}{}, 0)
	}
	n.style.set(n.metadata(), sealName, map[string]string{sumName: sum}, 1)
}

// CopyOf says whether a file is an executed copy of this notebook that nobody has changed since it was sealed: most of
// its cells have the id of one of the notebook's or, without ids, the text. The error says what the file is instead.
func (n *Notebook) CopyOf(file []byte) error {
	copied, err := Parse(file)
	if err != nil {
		return errors.New("it is no notebook")
	}
	sum := text(member(child(copied.metadata(), sealName), sumName))
	if sum == "" {
		return errors.New("it is no executed copy of siegebook's")
	}
	blank := bytes.Replace(file, []byte(`"`+sum+`"`), []byte(`"`+noSum+`"`), 1)
	if got := sha256.Sum256(blank); hex.EncodeToString(got[:]) != sum {
		return errors.New("it is an executed copy that was changed since")
	}
	ours := map[string]bool{}
	for _, c := range n.Cells() {
		ours[c.ID], ours[c.Source] = true, true
	}
	known, shared := 0, 0
	for _, c := range copied.Cells() {
		if sign := cmp.Or(c.ID, c.Source); sign != "" {
			known++
			if ours[sign] {
				shared++
			}
		}
	}
	if 2*shared <= known && known > 0 {
		return errors.New("it is an executed copy of another notebook")
	}
	return nil
}
