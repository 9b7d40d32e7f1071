import type { StatusRule } from './contract.ts'
import type { Meaning } from './model.ts'

/** `Echèc  livraison`, `ECHEC_LIVRAISON` and `echec-livraison` are one status. */
export const foldStatus = (raw: string) =>
  raw
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ')
    .trim()

/** Raw words to meaning. `undefined` for what the table does not know: it is never guessed. */
export function statusReader(table: Readonly<Record<string, StatusRule>>): (raw: string) => Meaning | undefined {
  const folded = new Map(Object.entries(table).map(([raw, rule]) => [foldStatus(raw), meaningOf(rule)]))
  return (raw) => folded.get(foldStatus(raw))
}

function meaningOf(rule: StatusRule): Meaning {
  if (rule === null) return {}
  return typeof rule === 'string' ? { status: rule } : rule
}
