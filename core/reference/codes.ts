import type { ErrorCode } from '../lib/errors/codes.ts'
import written from './error-codes.json' with { type: 'json' }

type Node = Record<string, unknown>

const codes = new Map(Object.entries(written as Readonly<Record<string, ErrorCode[]>>))
/** Codes that the static analysis of the code does not find, by operation. */
const besides: Readonly<Record<string, readonly ErrorCode[]>> = {
  replaceUser: ['email_taken'],
  changeUser: ['email_taken'],
  beginSocialLink: ['adapter_not_enabled'],
  beginSocialSignIn: ['adapter_not_enabled'],
  signInWithSocialToken: ['adapter_not_enabled'],
  signInWithSocialCode: ['adapter_not_enabled'],
  buyMonthWithIap: ['adapter_not_enabled'],
  'carrier.createApiKey.ecotrack': ['invalid_integration_fields'],
  'carrier.createToken.maystro': ['invalid_integration_fields'],
}
const OF_REPEATS: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

/**
 * Returns the codes of 409 and 422 that an operation may answer with, as `bun test/interface/error-codes.ts` reads them off the code. Adds
 * the codes of repeated requests if the operation accepts an `Idempotency-Key`.
 */
export function codesOf(operationId: string, operation: Node): readonly ErrorCode[] {
  const id = operationId.replace(/\.each$/, '')
  const own = [...new Set([...(codes.get(id) ?? codes.get(withoutAlias(id)) ?? []), ...(besides[id] ?? [])])]
  return takesKey(operation) ? [...new Set([...own, ...OF_REPEATS])].sort() : own
}

/** Removes the suffix of an alias. Every address of an adapter's operation has the same codes. */
const withoutAlias = (id: string) => id.replace(/\.[\w-]+$/, '')

const takesKey = ({ parameters }: Node) => Array.isArray(parameters) && parameters.some(({ name }: Node) => name === 'Idempotency-Key')
