import type { StatusRule } from './contract.ts'
import type { Meaning } from './model.ts'

/** Normalizes a raw status: `Echèc  livraison`, `ECHEC_LIVRAISON` and `echec-livraison` are equal. */
export const foldStatus = (raw: string) =>
  raw
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ')
    .trim()

/** Builds the translation of raw statuses. It returns undefined for a status that the table does not have; nothing is guessed. */
export function statusReader(table: Readonly<Record<string, StatusRule>>): (raw: string) => Meaning | undefined {
  const folded = new Map(Object.entries(table).map(([raw, rule]) => [foldStatus(raw), meaningOf(rule)]))
  return (raw) => folded.get(foldStatus(raw))
}

function meaningOf(rule: StatusRule): Meaning {
  if (rule === null) return {}
  return typeof rule === 'string' ? { status: rule } : rule
}
