declare module 'algerian-geo' {
  /** Municipality, as the package lists it. */
  export interface SourceCommune {
    readonly post_code: string
    readonly name: string
    readonly ar_name: string
    readonly longitude: string
    readonly latitude: string
  }

  /** Lists all municipalities of Algeria. */
  export function getAllCommunes(): SourceCommune[]
}
