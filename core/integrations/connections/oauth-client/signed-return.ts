import type { SignedReturn } from '../../../../plugins/adapter.ts'
import { constantTimeEqual, hmacSha256 } from '../../../lib/crypto/crypto.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'

interface Expected {
  readonly secret: string
  /** Settings that the user entered. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly now: number
}

/** Verifies the signature of the callback. Throws `refused` if it is invalid, outside its time, or made for another shop. */
export function assertSignedReturn(signed: SignedReturn, query: URLSearchParams, { secret, settings, now }: Expected): void {
  const { parameter, except = [], time, seconds, of } = signed
  const signedParameters = new URLSearchParams([...query].filter(([name]) => name !== parameter && !except.includes(name)))
  signedParameters.sort()
  const refuse = (why: string) => new AdapterFailure('refused', false, why)
  if (secret === '' || !constantTimeEqual(hmacSha256(secret, signedParameters.toString()), query.get(parameter) ?? ''))
    throw refuse('The callback is not signed by the provider.')
  if (!(Math.abs(now / 1000 - Number(query.get(time) ?? Number.NaN)) <= seconds)) throw refuse('The signature of the callback has expired.')
  if (of && query.get(of.parameter) !== settings[of.setting]) throw refuse('The callback is signed for another account.')
}
