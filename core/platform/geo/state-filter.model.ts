/** Filter of stored addresses by state. */
export interface StateFilter {
  readonly stateCode: string
  /** Set for a state that carriers do not know. Addresses then have the code of the older state, and only these cities are meant. */
  readonly current?: { readonly code: string; readonly cityCodes: readonly string[] }
}
