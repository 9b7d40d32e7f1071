/** Returns the letters of a column: 0 is A, 26 is AA. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26) - 1
  return (rest < 0 ? '' : columnName(rest)) + String.fromCharCode(65 + (column % 26))
}

/** Returns a range of a tab, such as `'It''s'!A1:C1`. */
export const range = (title: string, part: string) => `'${title.replaceAll("'", "''")}'!${part}`

export const pathOf = (spreadsheetId: string, ...parts: readonly string[]) =>
  ['', spreadsheetId, ...parts].map((part) => encodeURIComponent(part)).join('/')
