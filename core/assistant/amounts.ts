import { type Static, Type as T } from '@sinclair/typebox'
import { Cost } from '../../plugins/model/model.ts'
import { SHOWN_AS } from '../http/openapi/to-openapi30.ts'
import type { FieldPath } from '../lib/errors/domain-error.ts'
import { sharedErrors } from '../lib/errors/shared-errors.ts'

/** Largest amount that the ledger keeps. */
const MOST = 999_999_999_999

/** An amount in an answer. The ledger has it exactly, with up to 18 decimals; a JSON number carries the first fifteen digits of it. */
export const Amount = (description: string) => T.Number({ minimum: 0, description })

/** An amount in a request: a number. Text with the exact decimal, as it once was, is read too. */
export const AmountGiven = (description: string) =>
  T.Union([T.Number({ minimum: 0, maximum: MOST }), T.String({ pattern: Cost.pattern as string })], {
    [SHOWN_AS]: { type: 'number', minimum: 0, maximum: MOST },
    description: `${description}; up to 18 decimals`,
  })
/** Type of {@link AmountGiven}. */
export type AmountGiven = Static<ReturnType<typeof AmountGiven>>

const EXACT = new RegExp(Cost.pattern as string)

/** An amount that somebody gave, as the exact decimal that the ledger keeps. Throws `invalid_request` for more decimals than it has. */
export function exactAmount(given: AmountGiven, field: FieldPath): string {
  const text = typeof given === 'string' ? given : plainText(given)
  if (!EXACT.test(text)) throw sharedErrors.tooManyDecimals({ places: 18 }, { field })
  return text
}

/** `1.5e-7` as `0.00000015`. */
function plainText(value: number): string {
  const [digits = '', exponent] = String(value).split('e-')
  if (exponent === undefined) return digits
  return `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`
}

/** An exact decimal as a number for an answer; null stays null. */
export const presentAmount = <A extends string | null>(exact: A): A extends string ? number : null =>
  (exact === null ? null : Number(exact)) as A extends string ? number : null
