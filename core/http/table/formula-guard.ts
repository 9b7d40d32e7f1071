/** First characters of what a spreadsheet would take for a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const GUARDED = /^'(?=[=+\-@\t\r＝＋－＠])/

/** Guards a cell of an export: a formula is written as text. */
export const guarded = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Takes the guard off again. */
export const unguarded = (cell: string) => cell.replace(GUARDED, '')
