import type { Warning } from '../contract.ts'
import { refuse } from './algeria.ts'
import { foldName } from './places.ts'

const LISTED = 10

interface Desk {
  readonly name: string
}

/**
 * Finds the desk with the id `pickupId` among those of its wilaya. Refuses a missing id before `desks` is called, and an unknown one with a
 * list of the existing desks. `what` is the carrier's word for a desk.
 */
export async function chosenDesk<D extends Desk>(
  pickupId: string | undefined,
  what: string,
  desks: () => Promise<readonly D[]>,
  idOf: (desk: D) => string | number,
): Promise<D> {
  if (!pickupId) refuse('center_missing', `Choose the ${what} where the recipient collects the parcel (pickupId).`)
  const known = await desks()
  const wanted = normalizeId(pickupId)
  const found = known.find((desk) => normalizeId(idOf(desk)) === wanted)
  return found ?? refuse('unknown_center', `The carrier has no ${what} ${pickupId} in this wilaya. It has ${listOf(known, idOf)}.`)
}

/** Normalizes an id, which may be a number or a short word: `05` equals 5, and `01a` equals `01A`. */
function normalizeId(id: string | number): string {
  const text = String(id).trim().toLowerCase()
  return /^\d{1,15}$/.test(text) ? String(Number(text)) : text
}

/** Formats desks for a message: `5 (Oran), 6 (Es Senia)`, at most ten. */
export const listOf = <D extends Desk>(desks: readonly D[], idOf: (desk: D) => string | number): string =>
  desks
    .slice(0, LISTED)
    .map((desk) => `${idOf(desk)} (${desk.name})`)
    .join(', ') || 'none'

/** Returns a warning if the city of the address differs from the desk's commune, where the parcel will go. */
export const rewritten = (what: string, commune: string, cityName: string): Warning[] =>
  cityName.trim() === '' || foldName(cityName) === foldName(commune)
    ? []
    : [{ code: 'destination_rewritten', message: `The parcel goes to the ${what} in ${commune}.` }]
