import { escapeFormula } from './formula-guard.ts'

/** Value that a cell of an export can hold. */
export type Cell = string | number | boolean | null | undefined

/** Writes cells of a CSV: exports have millions of them, so that a plain one costs no more than a look. */
export function cellWriter(separator: ',' | ';', mark: '.' | ','): (cell: Cell) => string {
  const quoted = separator === ',' ? /[",\r\n]/ : /[";\r\n]/
  const quote = (text: string) => (quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const written = (value: number) => {
    const text = String(value)
    // Never with an exponent.
    const plain = text.includes('e') || !Number.isFinite(value) ? value.toFixed(4) : text
    return mark === '.' ? plain : quote(plain.replace('.', mark))
  }
  return (cell) => {
    if (cell === null || cell === undefined) return ''
    if (typeof cell === 'number') return Number.isInteger(cell) && Math.abs(cell) < 1e15 ? String(cell) : written(cell)
    return quote(escapeFormula(String(cell)))
  }
}
