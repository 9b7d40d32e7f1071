/** First characters that a spreadsheet takes for a formula, also in full width and after spaces or marks that nobody sees. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r＝＋－＠]/u
const GUARDED = /^'(?=[\s\p{Cf}]*[=+\-@\t\r＝＋－＠])/u

/** Escapes a cell of an export that a spreadsheet would take for a formula. */
export const escapeFormula = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Removes the escape from a cell. */
export const unescapeFormula = (cell: string) => cell.replace(GUARDED, '')

/** Apostrophe before a number, or before a code with a digit. */
const TEXT_MARK = /^'(?=\P{N}*\p{N})/u

/** Removes the apostrophe by which spreadsheets keep a number as text: `'0550123456`. For cells that hold a number, a code or a phone number. */
export const stripTextMark = (cell: string) => cell.replace(TEXT_MARK, '')
