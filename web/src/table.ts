/** The columns of a table that the command wrote. */
export function readTable(text: string): Map<string, Float64Array> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const names = lines[0]!.split(",").map((name) => name.replace(/ *\[.*/, ""));
  const columns = names.map(() => new Float64Array(lines.length - 1));
  for (let i = 1; i < lines.length; ++i) {
    const cells = lines[i]!.split(",");
    columns.forEach((column, j) => (column[i - 1] = cells[j] === "" ? NaN : Number(cells[j])));
  }
  return new Map(names.map((name, j) => [name, columns[j]!]));
}
