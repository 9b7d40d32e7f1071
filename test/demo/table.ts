export type Cell = string | number

/** `1234500` → `1 234 500`. */
export const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ' ')
export const dinars = (amount: number) => `${grouped(amount)} DA`
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
export const tick = (isSo: boolean) => (isSo ? '✓' : '✗')

/** Formats a table. The first column is aligned left, the others right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const drawn = lines.map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('   '),
  )
  return [drawn[0]!, widths.map((width) => '─'.repeat(width)).join('───'), ...drawn.slice(1)].map((line) => `  ${line}`).join('\n')
}
