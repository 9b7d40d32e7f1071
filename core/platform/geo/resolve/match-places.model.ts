/** Place in a carrier's list. */
export interface CarrierPlace {
  readonly id: string
  readonly name: string
  /** Code of our state; undefined if unknown. */
  readonly stateCode: string | undefined
}

/** City with the carrier's place that matches it. */
export interface PlaceMatch {
  readonly cityCode: string
  readonly stateCode: string
  readonly id: string
  readonly name: string
}

/** Result of matching a carrier's list. */
export interface MatchResult {
  readonly matched: PlaceMatch[]
  /** Carrier's places that match no city with certainty. */
  readonly theirs: CarrierPlace[]
  /** Our cities that the carrier does not list, in states it serves. */
  readonly ours: { readonly cityCode: string; readonly stateCode: string; readonly name: string }[]
}
