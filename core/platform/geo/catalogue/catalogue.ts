import type { Borders } from '../shapes/border.ts'

export interface State {
  readonly code: string
  readonly name: string
  /** Empty where it is not known. */
  readonly nameAr: string
  /** The state in which carriers look for it: its own code, or its mother's where it is newer than what they know. */
  readonly carrierCode: string
  /** Where its cities were before, for those who still write the older state. */
  readonly motherCode: string | null
  /** Its chief town, which people mean who write the state twice. */
  readonly capitalCode: string | null
  readonly otherNames: readonly string[]
}

export interface City {
  readonly code: string
  readonly name: string
  /** Empty where it is not known. */
  readonly nameAr: string
  readonly stateCode: string
  /** The state since borders were drawn anew. */
  readonly currentStateCode: string
  readonly postalCode: string | null
  readonly postalCodes: readonly string[]
  readonly latitude: number
  readonly longitude: number
  readonly otherNames: readonly string[]
}

/** How people of a country write addresses. Words are folded, as alternatives of a regular expression. */
export interface Manner {
  /** Before the name of a state or a city: "province", "commune". */
  readonly leads: readonly string[]
  /** Of these, what stands before an elision: "commune d'…". */
  readonly elides: readonly string[]
  /** Behind a name: "centre ville". */
  readonly tails: readonly string[]
  /** How many digits a number has that is written for a place; 0 where nobody writes one. */
  readonly digits: {
    readonly state: number
    readonly city: number
    readonly post: number
    /** So many at the beginning of a postal code are the state's. */
    readonly stateInPost: number
  }
}

/** What people call the columns of their sheets that hold its states and its cities, beside what is said in every country. */
export interface ColumnHeaders {
  readonly state: readonly string[]
  readonly city: readonly string[]
}

/** All that is known of a country's places. A country is data: nothing else knows one. */
export interface Catalogue {
  /** ISO 3166, two letters. */
  readonly country: string
  /** What people call it besides its code and its names in English, French and Arabic. */
  readonly otherNames: readonly string[]
  readonly manner: Manner
  readonly states: readonly State[]
  /** Made since carriers made their lists: no carrier knows them yet. */
  readonly newStates: readonly State[]
  readonly cities: readonly City[]
  /** Null where none come with it. */
  readonly borders: Borders | null
}
