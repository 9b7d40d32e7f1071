import type { SeenCall } from '../../acceptance/calls.ts'

/** An amount as it was sent, and the unit of the carrier's documentation: dinars or centimes. */
export interface Sum {
  readonly amount: number
  readonly unit: 'major' | 'minor'
}

/**
 * A parcel as the simulator recorded it from the requests, independent of the adapter's results. Null for a property that the carrier's API
 * does not have, with the reason in the rig's `lacks`.
 */
export interface SeenParcel {
  readonly trackingId: string
  readonly name: string
  /** In international form: `+213550000000`. */
  readonly phone: string
  readonly phoneAlt: string | null
  /** Code of our catalogue. */
  readonly stateCode: string
  /** The carrier's name of the city. */
  readonly cityName: string | null
  readonly address: string | null
  readonly deliveryType: 'home' | 'pickup'
  readonly pickupId: string | null
  /** Total to collect from the recipient, including the delivery if the recipient pays it. */
  readonly cod: Sum
  readonly declaredValue: Sum | null
  readonly weightGrams: number | null
  /** Length, width and height. */
  readonly dimensionsCm: readonly [number, number, number] | null
  /** Contents of the parcel. Other text may surround it. */
  readonly contents: string | null
  /** Note for the courier. Other text may surround it. */
  readonly notes: string | null
  /** Goods that the courier brings back. Required for a carrier with `exchanges`. */
  readonly takesBack: string | null
  /** The carrier's price of the delivery. */
  readonly deliveryFee: Sum | null
  /** Fee that the carrier deducts from the collected money. */
  readonly keptFee: Sum | null
  /** Marks that the connection's settings add, by the carrier's names (`fragile`); compared with the rig's `marks`. */
  readonly marks?: Readonly<Record<string, unknown>>
  /** State in the carrier's records; only confirmed parcels are shipped. */
  readonly state: 'draft' | 'confirmed' | 'cancelled'
}

/** The simulator's records. */
export interface Seen {
  /** Parcels under the requested reference. */
  readonly parcels: readonly SeenParcel[]
  /** All calls, whatever they concern, oldest first. */
  readonly calls: readonly SeenCall[]
}

/** Converts an amount to the currency's major unit. */
export const majorOf = ({ amount, unit }: Sum): number => (unit === 'minor' ? amount / 100 : amount)
