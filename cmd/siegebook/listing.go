package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/command"
)

// listingEnding is the ending of the files that hold algorithms of the user's.
const listingEnding = ".star"

// listingDigest stands between the name of such a file and the digest of its text, in recipes and messages.
const listingDigest = "@sha256:"

// ownAlgorithm is an algorithm of the user's, with its reference: the file and the digest of its text.
type ownAlgorithm struct {
	castle.Algorithm
	reference string
}

// isListing reports whether the name of an algorithm is that of a file, or a reference.
func isListing(name string) bool {
	file, _, _ := strings.Cut(name, listingDigest)
	return strings.HasSuffix(file, listingEnding)
}

// readAlgorithm reads the listing of a file, or of a reference. The text has to have the digest of the reference; a
// reference whose file is not here is an algorithm that answers nothing, which is enough for a merge.
func readAlgorithm(name string) (ownAlgorithm, error) {
	file, digest, pinned := strings.Cut(name, listingDigest)
	text, err := readListing(file)
	if pinned && errors.Is(err, os.ErrNotExist) {
		missing := fmt.Errorf("%s: the listing is not here, put the file with this digest in its place", name)
		a := castle.Algorithm{
			Name: listing.Name(file), Kind: castle.Heuristic, Question: castle.PlaysLine,
			Answer: func(context.Context, castle.Battle, castle.Effort) (castle.Answer, error) {
				return castle.Answer{}, missing
			},
		}
		return ownAlgorithm{a, name}, nil
	}
	if err != nil {
		return ownAlgorithm{}, fmt.Errorf("algorithm %w; name a file that can be read", err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(text))
	if pinned && sum != digest {
		return ownAlgorithm{}, fmt.Errorf("algorithm %s: the text of the file has another digest, %s", name, sum)
	}
	l, err := listing.Read(file, text, listing.CastleSignature, listing.Limits{})
	if err != nil {
		return ownAlgorithm{}, err
	}
	return ownAlgorithm{listing.Castle(l), file + listingDigest + sum}, nil
}

// readPlayer reads the listing of a file for a game.
func readPlayer(file string, of listing.Signature) (*listing.Listing, error) {
	text, err := readListing(file)
	if err != nil {
		return nil, fmt.Errorf("algorithm %w; name a file that can be read", err)
	}
	return listing.Read(file, text, of, listing.Limits{})
}

// readListing reads a file as far as a listing may be long, and one byte more.
func readListing(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(listing.DefaultLimits.Text)+1))
}

// atFault returns the fault of a listing as an error that its author mends, and any other error as it is.
func atFault(err error) error {
	var fault *listing.Error
	if errors.As(err, &fault) {
		return command.Usage(fault)
	}
	return err
}
