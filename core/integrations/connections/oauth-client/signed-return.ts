import type { SignedReturn } from '../../../../plugins/adapter.ts'
import { constantTimeEqual, hmacSha256 } from '../../../lib/crypto/crypto.ts'
import { AdapterFailure } from '../../egress/failure.ts'

interface Expected {
  readonly secret: string
  /** What was typed in. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly now: number
}

/** Throws `refused` where the other side did not send the person back, not now, or for another shop. */
export function assertSigned(signed: SignedReturn, query: URLSearchParams, { secret, settings, now }: Expected): void {
  const { parameter, except = [], time, seconds, of } = signed
  const told = new URLSearchParams([...query].filter(([name]) => name !== parameter && !except.includes(name)))
  told.sort()
  const refuse = (why: string) => new AdapterFailure('refused', false, why)
  if (secret === '' || !constantTimeEqual(hmacSha256(secret, told.toString()), query.get(parameter) ?? ''))
    throw refuse('The way back is not signed by the other side.')
  if (!(Math.abs(now / 1000 - Number(query.get(time) ?? Number.NaN)) <= seconds)) throw refuse('The way back was signed at another time.')
  if (of && query.get(of.parameter) !== settings[of.setting]) throw refuse('The way back is signed for somebody else.')
}
