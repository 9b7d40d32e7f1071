import type { Field } from '../../fields.ts'
import { number } from '../../toolkit/values.ts'
import { CarrierError, type Shipment, type State } from '../contract.ts'
import { named, rememberedGroup } from './places.ts'

/** Refuses a parcel before the carrier is called: nothing was created. */
export function refuse(code: string, message: string): never {
  throw new CarrierError('refused', message, { code })
}

/** Refuses an unknown cursor. Reading the first page instead would let a client that lost its place start over unnoticed. */
export const badCursor = (): never => refuse('bad_cursor', 'This cursor was not given by this list. Start without one.')

/** Parses a cursor as a page number, for a carrier with numbered pages; 1 without a cursor. Refuses an invalid one. */
export const pageIn = (cursor = '1'): number => (/^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : badCursor())

/**
 * Finds the Algerian phone numbers in a text that may hold several. Each is written as 0 and 9 digits (a land line as 0 and 8). Others are
 * left out.
 */
export function localPhones(text: string): string[] {
  const written = text.split(/[,;/]/).map((part) => part.replace(/[^\d+]/g, '').replace(/^(?:\+|00)?213\(?0?/, '0'))
  return written.filter((phone) => /^0(?:[5-7]\d{8}|[1-49]\d{7})$/.test(phone))
}

/**
 * Returns an amount in whole dinars, and refuses fractions: the amount to collect must not be rounded. Also refuses amounts outside 0 to
 * `max`.
 */
export function wholeDinars(amount: number, what: string, max = Number.POSITIVE_INFINITY): number {
  if (!Number.isInteger(amount)) refuse('bad_amount', `The ${what} is ${amount}; this carrier takes whole dinars only. Round it.`)
  if (amount < 0 || amount > max) refuse('bad_amount', `The ${what} is ${amount}; this carrier takes 0 to ${max} dinars.`)
  return amount
}

/** Setting for the time zone of a carrier that writes local times without a zone. Read them with `instant`. */
export const utcOffset = {
  label: 'Zone of the carrier’s times',
  default: '+01:00',
  pattern: '[+-]\\d\\d:\\d\\d',
} as const satisfies Field

/** Refuses another country, and a return point as destination. `desks` is the plural of the carrier's word for its pickup places. */
export function withinAlgeria({ country, deliveryType }: Shipment['destination'], label: string, desks: string): void {
  if (country !== 'DZ') refuse('bad_country', `${label} delivers within Algeria only.`)
  if (deliveryType === 'return_point') refuse('bad_type', `${label} delivers to homes and to its ${desks}.`)
}

/** Formats a wilaya number as our two-digit code: 7 becomes `07`. */
export const wilayaCode = (id: number) => String(id).padStart(2, '0')

/** Parses a wilaya code as a number: `07` becomes 7; undefined if it is invalid. */
export const wilayaNumber = (code: string) => (/^\d{1,2}$/.test(code) ? Number(code) : undefined)

/** Finds a wilaya by its code, or else by its name, for a carrier whose wilaya numbers are our codes. Refuses an unknown one. */
export function wilayaAmong<W extends { readonly id: number; readonly name: string }>(
  wilayas: readonly W[],
  stateCode: string,
  stateName = '',
): W {
  const id = wilayaNumber(stateCode)
  return wilayas.find((wilaya) => wilaya.id === id) ?? named(wilayas, stateName || stateCode, 'wilaya')
}

/** Parses the `stateId` of a query: undefined for all wilayas, -1 (which matches none) if it is not a number. */
export const wilayaIdIn = (stateId: string | undefined) => (stateId === undefined ? undefined : (number(stateId) ?? -1))

/** Converts wilayas to the contract's states; deliverable by default. */
export const statesOf = (wilayas: readonly { readonly id: number; readonly name: string; readonly deliverable?: boolean }[]): State[] =>
  wilayas.map(({ id, name, deliverable = true }) => ({ id: String(id), name, code: wilayaCode(id), deliverable }))

/** Caches the rows of one wilaya, from a list that a call or two return for all wilayas. See `rememberedGroup`. */
export const rememberedInWilaya = <R extends { readonly wilayaId: number }>(
  context: Parameters<typeof rememberedGroup>[0],
  kind: string,
  wilayaId: number,
  ask: () => Promise<R[]>,
): Promise<R[]> => rememberedGroup(context, kind, String(wilayaId), (row: R) => String(row.wilayaId), ask)
