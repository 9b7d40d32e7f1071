/** Which kept addresses a filter by state finds. */
export interface StateFilter {
  readonly stateCode: string
  /** Set for a state that carriers do not know: their code is its mother's, and only these cities of it are meant. */
  readonly current?: { readonly code: string; readonly cityCodes: readonly string[] }
}
