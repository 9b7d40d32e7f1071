import { yieldEvery } from '../../core/lib/async/yield-every.ts'
import { type Adapter, AdapterError } from '../adapter.ts'
import { type FitResult, fit } from '../fit.ts'
import type { Kind } from '../kind.ts'
import type { Member } from '../member.ts'

/** Weight of each value in bytes, in addition to its text. */
const VALUE_BYTES = 8
/** Maximum bytes of JSON for one character: `\\u0000`. */
const JSON_BYTES_PER_SIGN = 6

/** Returns the maximum size of a result's JSON in bytes and in values. A larger one cannot fit the member's limit. */
export const resultLimits = ({ bytes }: Pick<Member, 'bytes'>) => ({ jsonBytes: bytes * JSON_BYTES_PER_SIGN, values: bytes / VALUE_BYTES })

/** Creates the error for a result that violates the contract. */
export const malformedResult = (name: string, what: string) =>
  new AdapterError('unavailable', `The adapter answered ${name} in a wrong shape (${what.slice(0, 200)}).`)

/**
 * Checks the result of the member `name` and removes what the contract does not know. Returns undefined for a member without a result.
 * A result is malformed if it has a wrong shape, is too large, or holds what cannot be stored (a NUL character, an invalid time). Then the
 * member's fallback is returned; without one, throws `unavailable`.
 */
export async function checkResult(kind: Kind, name: string, answer: unknown, adapter: Pick<Adapter, 'credentials'>): Promise<unknown> {
  const member = kind.members[name]
  if (!member || member.silent) return undefined
  const checked = await checkShape(kind, member, answer, adapter)
  if ('value' in checked) return checked.value
  const fallback = member.fallback?.(answer)
  if (fallback === undefined) throw malformedResult(name, checked.problem)
  return fallback
}

async function checkShape(kind: Kind, member: Member, answer: unknown, adapter: Pick<Adapter, 'credentials'>): Promise<FitResult> {
  const unsound = await unsoundness(answer, member.bytes, kind.outputFields ?? {})
  if (unsound) return { problem: unsound }
  const fitted = await fit(member.output, answer ?? null, { clean: true })
  const problem = 'problem' in fitted ? fitted.problem : member.problem?.(fitted.value, adapter)
  return problem === undefined ? fitted : { problem }
}

const DEPTH_MAX = 12
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i

interface Part {
  readonly value: unknown
  /** Name of the property, or of the list's property for a list item. */
  readonly name: string
  readonly depth: number
  /** True inside a free-form field: texts in it are not checked as times. */
  readonly free: boolean
}

/**
 * Finds what no schema expresses: too much text, too deep nesting, property names with a meaning in JavaScript, invalid times. Undefined if
 * all is well.
 */
async function unsoundness(
  answer: unknown,
  budget: number,
  { times = [], free = [] }: NonNullable<Kind['outputFields']>,
): Promise<string | undefined> {
  const pause = yieldEvery()
  const waiting: Part[] = [{ value: answer, name: '', depth: DEPTH_MAX, free: false }]
  let left = budget
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const { value, name, depth } = part
    left -= VALUE_BYTES + (typeof value === 'string' ? value.length : 0)
    const wrong = typeof value === 'string' ? unsoundText(value, name, { isTime: !part.free && times.includes(name) }) : undefined
    if (wrong) return wrong
    if (left < 0) return `more than ${budget} bytes`
    if (value !== null && typeof value === 'object') {
      if (depth === 0) return 'nested too deeply'
      const isList = Array.isArray(value)
      for (const [key, inner] of Object.entries(value)) {
        left -= key.length
        if (key === '__proto__' || key.includes('\u0000')) return `a field is called ${JSON.stringify(key.slice(0, 20))}`
        waiting.push({ value: inner, name: isList ? name : key, depth: depth - 1, free: part.free || free.includes(key) })
      }
    }
    const rest = pause()
    if (rest) await rest
  }
  return undefined
}

function unsoundText(text: string, name: string, { isTime }: { readonly isTime: boolean }): string | undefined {
  if (text.includes('\u0000')) return `${name}: holds a NUL character`
  if (!isTime) return undefined
  return INSTANT.test(text) && Number.isFinite(Date.parse(text)) ? undefined : `${name}: is no time in ISO 8601 with a zone`
}
