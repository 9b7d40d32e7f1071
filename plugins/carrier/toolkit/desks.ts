import type { Warning } from '../contract.ts'
import { refuse } from './algeria.ts'
import { foldName } from './places.ts'

const LISTED = 10

interface Desk {
  readonly name: string
}

/**
 * The desk that a shipment's `pickupId` names, among those of its wilaya. Refuses where none is named, before `desks` is asked, and an
 * unknown one with those that there are. `what` is the carrier's word for a desk.
 */
export async function chosenDesk<D extends Desk>(
  pickupId: string | undefined,
  what: string,
  desks: () => Promise<readonly D[]>,
  idOf: (desk: D) => string | number,
): Promise<D> {
  if (!pickupId) refuse('center_missing', `Choose the ${what} where the recipient collects the parcel (pickupId).`)
  const known = await desks()
  const wanted = written(pickupId)
  const found = known.find((desk) => written(idOf(desk)) === wanted)
  return found ?? refuse('unknown_center', `The carrier has no ${what} ${pickupId} in this wilaya. It has ${listOf(known, idOf)}.`)
}

/** Ids are numbers or short words: `05` is 5, and `01a` is `01A`. */
function written(id: string | number): string {
  const text = String(id).trim().toLowerCase()
  return /^\d{1,15}$/.test(text) ? String(Number(text)) : text
}

/** Those that there are, for a person to choose from: `5 (Oran), 6 (Es Senia)`, at most ten. */
export const listOf = <D extends Desk>(desks: readonly D[], idOf: (desk: D) => string | number): string =>
  desks
    .slice(0, LISTED)
    .map((desk) => `${idOf(desk)} (${desk.name})`)
    .join(', ') || 'none'

/** A desk stands where it stands: says so where another commune was written. */
export const rewritten = (what: string, commune: string, cityName: string): Warning[] =>
  cityName.trim() === '' || foldName(cityName) === foldName(commune)
    ? []
    : [{ code: 'destination_rewritten', message: `The parcel goes to the ${what} in ${commune}.` }]
