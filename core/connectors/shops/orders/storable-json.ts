/** Longest JSON of a raw order that is stored, in characters. */
const RAW_MAX = 40_000
const DEPTH_MAX = 30

/** Returns JSON that PostgreSQL can store: without NUL and unpaired surrogates, and limited in depth and length. */
export function toStorableJson(value: unknown): unknown {
  const text = JSON.stringify(clean(value, 0)) ?? 'null'
  return text.length <= RAW_MAX ? JSON.parse(text) : { truncated: text.slice(0, RAW_MAX).toWellFormed() }
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\u0000', '')
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return null
  if (Array.isArray(value)) return value.map((one) => clean(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [String(clean(name, depth)), clean(one, depth + 1)]))
}
