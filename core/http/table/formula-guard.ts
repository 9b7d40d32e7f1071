/** First characters that a spreadsheet takes for a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const GUARDED = /^'(?=[=+\-@\t\r＝＋－＠])/

/** Escapes a cell of an export that a spreadsheet would take for a formula. */
export const escapeFormula = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Removes the escape from a cell. */
export const unescapeFormula = (cell: string) => cell.replace(GUARDED, '')
