/** A place as a carrier lists it. */
export interface ForeignPlace {
  readonly id: string
  readonly name: string
  /** The state of ours that it lies in; undefined where that is not known. */
  readonly stateCode: string | undefined
}

export interface PlaceMatch {
  readonly cityCode: string
  readonly stateCode: string
  readonly id: string
  readonly name: string
}

export interface Matched {
  readonly matched: PlaceMatch[]
  /** The carrier's places that are none of ours for certain. */
  readonly theirs: ForeignPlace[]
  /** Ours that the carrier does not list, in states that it serves. */
  readonly ours: { readonly cityCode: string; readonly stateCode: string; readonly name: string }[]
}
