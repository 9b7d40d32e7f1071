import type { Scope } from '../../../http/auth/scopes.ts'
import { Refusal } from '../refusal.ts'

/** Splits a list that is separated by spaces or plus signs, without duplicates. */
export const splitScopes = (text: string): string[] => [...new Set(text.split(/[ +]+/).filter(Boolean))]

/** Parses a list of scopes, without duplicates and in the order of `allowed`. Throws `invalid_scope` when one is not in `allowed`. */
export function parseScopes(text: string, allowed: readonly Scope[]): readonly Scope[] {
  const named = new Set(splitScopes(text))
  const known = allowed.filter((scope) => named.has(scope))
  if (known.length === named.size) return known
  throw new Refusal('invalid_scope', `A scope is unknown or not allowed. Allowed scopes: ${allowed.join(' ')}`)
}
