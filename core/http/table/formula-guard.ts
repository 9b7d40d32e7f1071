/** First characters that a spreadsheet takes for a formula, also in full width and after spaces or marks that nobody sees. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r＝＋－＠]/u
const GUARDED = /^'(?=[\s\p{Cf}]*[=+\-@\t\r＝＋－＠])/u

/** Escapes a cell of an export that a spreadsheet would take for a formula. */
export const escapeFormula = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Removes the escape from a cell. */
export const unescapeFormula = (cell: string) => cell.replace(GUARDED, '')
