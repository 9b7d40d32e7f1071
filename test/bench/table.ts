import { cpus, totalmem } from 'node:os'
import packageJson from '../../package.json' with { type: 'json' }

export interface Row {
  readonly what: string
  readonly ours: string
  readonly ceiling?: string
  /** Of ours to the ceiling. */
  readonly ratio?: number
  /** CPU of server and database per request, then statements and round trips. */
  readonly cost?: string
  readonly target?: string
  readonly reached?: boolean
}

const HEADINGS = ['', 'ours', 'ceiling', 'ratio', 'CPU and statements', 'target', '']

export const perSecond = (rate: number, of = '') => `${Math.round(rate).toLocaleString('en')}${of && ` ${of}`}/s`
export const milliseconds = (ms: number) => (ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`)
const percent = (ratio: number) => `${Math.round(ratio * 100)} %`
const mark = (reached: boolean | undefined) => (reached === undefined ? '' : reached ? '✓ reached' : '✗ missed')

export function format(rows: readonly Row[]): string {
  const cells = rows.map(({ what, ours, ceiling = '', ratio, cost = '', target = '', reached }) => [
    what,
    ours,
    ceiling,
    ratio === undefined ? '' : percent(ratio),
    cost,
    target,
    mark(reached),
  ])
  const all = [HEADINGS, ...cells]
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const isNumber = (column: number) => column >= 1 && column <= 3
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (isNumber(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

export const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${process.arch}, ` +
  `Bun ${Bun.version}, Elysia ${packageJson.dependencies.elysia}, postgres.js ${packageJson.dependencies.postgres}`
