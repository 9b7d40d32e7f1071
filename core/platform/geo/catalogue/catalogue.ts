import type { Borders } from '../shapes/border.ts'

/** State of a country, such as a province. */
export interface State {
  readonly code: string
  readonly name: string
  /** Arabic name; empty if unknown. */
  readonly nameAr: string
  /** Code of the state by which carriers know it: its own, or that of the state it was split from. */
  readonly carrierCode: string
  /** Code of the state that its cities belonged to before a border change; null if it was not split. */
  readonly parentCode: string | null
  /** Code of its capital. People who write the state's name as the city mean it. */
  readonly capitalCode: string | null
  readonly otherNames: readonly string[]
}

/** City or municipality of a country. */
export interface City {
  readonly code: string
  readonly name: string
  /** Arabic name; empty if unknown. */
  readonly nameAr: string
  readonly stateCode: string
  /** Code of the state since the last border change. */
  readonly currentStateCode: string
  readonly postalCode: string | null
  readonly postalCodes: readonly string[]
  readonly latitude: number
  readonly longitude: number
  readonly otherNames: readonly string[]
}

/** Address conventions of a country. Words are folded and used as alternatives of a regular expression. */
export interface AddressConventions {
  /** Words before the name of a state or city: "province", "commune". */
  readonly leadingWords: readonly string[]
  /** Leading words that may be followed by an elision: "commune d'…". */
  readonly elidingWords: readonly string[]
  /** Words after a name: "centre ville". */
  readonly trailingWords: readonly string[]
  /** Number of digits in codes of places; 0 if nobody writes them. */
  readonly digits: {
    readonly state: number
    readonly city: number
    readonly post: number
    /** Leading digits of a postal code that are the state's code. */
    readonly stateInPost: number
  }
}

/** Column names of a country's sheets for states and cities, besides those used everywhere. */
export interface ColumnHeaders {
  readonly state: readonly string[]
  readonly city: readonly string[]
}

/** Places and conventions of a country. All knowledge of a country is in this data. */
export interface Catalogue {
  /** ISO 3166 code, two letters. */
  readonly country: string
  /** Further names besides the code and the names in English, French and Arabic. */
  readonly otherNames: readonly string[]
  readonly conventions: AddressConventions
  readonly states: readonly State[]
  /** States that are newer than the carriers' lists. No carrier knows them. */
  readonly newStates: readonly State[]
  readonly cities: readonly City[]
  /** Borders of the places; null if none are included. */
  readonly borders: Borders | null
}
