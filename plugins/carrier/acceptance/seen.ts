import type { SeenCall } from '../../acceptance/calls.ts'

/** An amount as it was written, and the unit in which the carrier's documents say to read it: dinars, or centimes. */
export interface Sum {
  readonly amount: number
  readonly unit: 'major' | 'minor'
}

/**
 * A parcel as the other side wrote it into its own books: what arrived there, whatever the adapter says of it. Null stands where the
 * carrier's interface has no place for it, and the rig's `lacks` says why.
 */
export interface SeenParcel {
  readonly trackingId: string
  readonly name: string
  /** `+213550000000` */
  readonly phone: string
  readonly phoneAlt: string | null
  /** As our catalogue has it. */
  readonly stateCode: string
  /** As the carrier has it. */
  readonly cityName: string | null
  readonly address: string | null
  readonly deliveryType: 'home' | 'pickup'
  readonly pickupId: string | null
  /** All that is collected at the door: with the delivery, where the recipient is to pay it. */
  readonly cod: Sum
  readonly declaredValue: Sum | null
  readonly weightGrams: number | null
  /** Length, width and height. */
  readonly dimensionsCm: readonly [number, number, number] | null
  /** What is in it. Text of the carrier's or of ours may stand around it. */
  readonly contents: string | null
  /** Likewise: what the courier is told. */
  readonly notes: string | null
  /** What the courier is to bring back, as it was written there; needed of a carrier with `exchanges`. */
  readonly takesBack: string | null
  /** What the carrier asks to deliver it. */
  readonly deliveryFee: Sum | null
  /** What it keeps of the money that it collects for it. */
  readonly keptFee: Sum | null
  /** What settings of the connection made of it, by the carrier's own words (`fragile`); compared with the rig's `marks`. */
  readonly marks?: Readonly<Record<string, unknown>>
  /** Whether it ships. */
  readonly state: 'draft' | 'confirmed' | 'cancelled'
}

export interface Seen {
  /** Those under the reference that was asked for. */
  readonly parcels: readonly SeenParcel[]
  /** All calls, whatever they were about, oldest first. */
  readonly calls: readonly SeenCall[]
}

/** An amount in the currency's major unit. */
export const majorOf = ({ amount, unit }: Sum): number => (unit === 'minor' ? amount / 100 : amount)
