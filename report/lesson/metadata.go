package lesson

import "encoding/json"

// hiddenInJupyter says whether somebody has collapsed the code of a cell in Jupyter.
func hiddenInJupyter(metadata json.RawMessage) bool {
	var m struct {
		Jupyter struct {
			SourceHidden bool `json:"source_hidden"`
		} `json:"jupyter"`
	}
	return json.Unmarshal(metadata, &m) == nil && m.Jupyter.SourceHidden
}
