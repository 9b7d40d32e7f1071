import type { Field } from '../../fields.ts'
import { number } from '../../toolkit/values.ts'
import { CarrierError, type Shipment, type State } from '../contract.ts'
import { named, rememberedGroup } from './places.ts'

/** Declines a parcel before the carrier is asked: understood, and nothing was created. */
export function refuse(code: string, message: string): never {
  throw new CarrierError('refused', message, { code })
}

/** A cursor that a list never gave; where it would be taken for the first page, a reader that lost its place would begin anew, unseen. */
export const badCursor = (): never => refuse('bad_cursor', 'This cursor was not given by this list. Start without one.')

/** The page that a list's cursor names, for a carrier whose pages have numbers. The first without one. */
export const pageIn = (cursor = '1'): number => (/^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : badCursor())

/** Algerian numbers in a text that may hold several; each is written 0 and 9 digits (a land line 0 and 8). Others are left out. */
export function localPhones(text: string): string[] {
  const written = text.split(/[,;/]/).map((part) => part.replace(/[^\d+]/g, '').replace(/^(?:\+|00)?213\(?0?/, '0'))
  return written.filter((phone) => /^0(?:[5-7]\d{8}|[1-49]\d{7})$/.test(phone))
}

/** Whole dinars: a carrier that takes no centimes must not round what is collected. */
export function wholeDinars(amount: number, what: string, max = Number.POSITIVE_INFINITY): number {
  if (!Number.isInteger(amount)) refuse('bad_amount', `The ${what} is ${amount}; this carrier takes whole dinars only. Round it.`)
  if (amount < 0 || amount > max) refuse('bad_amount', `The ${what} is ${amount}; this carrier takes 0 to ${max} dinars.`)
  return amount
}

/** The setting of a carrier that writes local times without a zone; read with `instant`. */
export const utcOffset = {
  label: 'Zone of the carrier’s times',
  default: '+01:00',
  pattern: '[+-]\\d\\d:\\d\\d',
} as const satisfies Field

/** Refuses another country, and a delivery to neither a home nor one of the carrier's `desks` (as it calls them, in the plural). */
export function withinAlgeria({ country, deliveryType }: Shipment['destination'], label: string, desks: string): void {
  if (country !== 'DZ') refuse('bad_country', `${label} delivers within Algeria only.`)
  if (deliveryType === 'return_point') refuse('bad_type', `${label} delivers to homes and to its ${desks}.`)
}

/** `7` → `07`: our codes of wilayas have two digits. */
export const wilayaCode = (id: number) => String(id).padStart(2, '0')

/** `07` → `7`; undefined where it is no code of a wilaya. */
export const wilayaNumber = (code: string) => (/^\d{1,2}$/.test(code) ? Number(code) : undefined)

/** For a carrier whose numbers of wilayas are our codes: the one with this code, else the one called so. Refuses an unknown one. */
export function wilayaAmong<W extends { readonly id: number; readonly name: string }>(
  wilayas: readonly W[],
  stateCode: string,
  stateName = '',
): W {
  const id = wilayaNumber(stateCode)
  return wilayas.find((wilaya) => wilaya.id === id) ?? named(wilayas, stateName || stateCode, 'wilaya')
}

/** The wilaya that is asked for by `stateId`: undefined for all of them, -1 (which is none) where it is no number. */
export const wilayaIdIn = (stateId: string | undefined) => (stateId === undefined ? undefined : (number(stateId) ?? -1))

/** Wilayas as the contract's states; served unless said otherwise. */
export const statesOf = (wilayas: readonly { readonly id: number; readonly name: string; readonly deliverable?: boolean }[]): State[] =>
  wilayas.map(({ id, name, deliverable = true }) => ({ id: String(id), name, code: wilayaCode(id), deliverable }))

/** Rows of one wilaya, of a list that comes for all of them in a call or two; see `rememberedGroup`. */
export const rememberedInWilaya = <R extends { readonly wilayaId: number }>(
  context: Parameters<typeof rememberedGroup>[0],
  kind: string,
  wilayaId: number,
  ask: () => Promise<R[]>,
): Promise<R[]> => rememberedGroup(context, kind, String(wilayaId), (row: R) => String(row.wilayaId), ask)
