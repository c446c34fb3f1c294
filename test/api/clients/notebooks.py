"""Executes notebooks in place and prints what each cell shows, by type, as JSON."""

import json
import sys

import nbformat
from nbclient import NotebookClient

shown = []
for path in sys.argv[1:]:
    book = nbformat.read(path, as_version=4)
    client = NotebookClient(book, timeout=120, kernel_name="python3", record_timing=False)
    client.execute()
    for cell in book.cells:
        # What is left of a bar, which a busy machine shows for a moment.
        if "outputs" in cell:
            cell.outputs = [one for one in cell.outputs if one.get("data") != {"text/plain": ""}]
    nbformat.write(book, path)
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    shown.append([sorted(output.get("data", {output.output_type: None})) for output in outputs])
print(json.dumps(shown))
