import type { Scope } from '../../../http/auth/scopes.ts'
import { Refusal } from '../refusal.ts'

/** What a list names that is separated by spaces or plus signs, each once. */
export const scopeNames = (text: string): string[] => [...new Set(text.split(/[ +]+/).filter(Boolean))]

/** A list separated by spaces or plus signs, each once, in the order of `allowed`. Throws `invalid_scope` for any that is not among those. */
export function scopesIn(text: string, allowed: readonly Scope[]): readonly Scope[] {
  const named = new Set(scopeNames(text))
  const known = allowed.filter((scope) => named.has(scope))
  if (known.length === named.size) return known
  throw new Refusal('invalid_scope', `A scope is unknown, or not one of these: ${allowed.join(' ')}`)
}
